// SPDX-License-Identifier: Apache-2.0
#pragma once
// Whether and how the kubelets of all nodes are asked.

#include <cstdint>
#include <string>

#include "base/units.h"

namespace schedlens::kube {

enum class KubeletReach : std::uint8_t {
  kNone,    // they are not asked
  kDirect,  // at the node's address; needs `get` on nodes/metrics
  kProxy    // through the API server; needs `get` on nodes/proxy, which is the right to far more
};

struct KubeletOptions {
  KubeletReach reach = KubeletReach::kNone;
  std::string ca_file;  // for kDirect; without it the system's certificates
  bool insecure = false;
  Seconds interval{60};
  friend bool operator==(const KubeletOptions&, const KubeletOptions&) = default;
};

}  // namespace schedlens::kube
