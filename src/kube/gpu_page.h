// SPDX-License-Identifier: Apache-2.0
#pragma once
// dcgm-exporter's page, as it is or as a Prometheus that has scraped it hands it on.
//
// Several series may tell of one device. Where pods take turns on it there is one for each of them,
// every one with the value of the whole device: they are one device with several holders. MIG
// instances have series of their own under the UUID of their device. Prometheus renames the labels
// of what it scrapes where it has labels of that name itself, so that "pod" is then the exporter.

#include <string_view>
#include <vector>

#include "base/result.h"
#include "kube/measured.h"

namespace schedlens::kube {

// Fails when the page has none of the exporter's families.
Result<std::vector<MeasuredGpu>> read_gpu_page(std::string_view text);

}  // namespace schedlens::kube
