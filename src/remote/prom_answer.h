// SPDX-License-Identifier: Apache-2.0
#pragma once
// What Prometheus' HTTP API answers, as JSON.

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "memory/reader.h"

namespace schedlens::remote {

template <class Data>
struct PromAnswer {
  std::vector<Data> data;
  std::vector<std::string> warnings;
};

// Of query_range: a matrix. Fail with what the server says, or on what is no such answer.
Result<PromAnswer<memory::SeriesPoints>> read_matrix(std::string_view document);
// Of series.
Result<PromAnswer<memory::SeriesKey>> read_series(std::string_view document);
// Why a request failed: "bad_data: parse error"; empty when the document does not say.
std::string read_error(std::string_view document);

}  // namespace schedlens::remote
