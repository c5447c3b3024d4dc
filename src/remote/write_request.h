// SPDX-License-Identifier: Apache-2.0
#pragma once
// The message of Prometheus remote write 1.0: a WriteRequest in protobuf, and snappy around it.
// Messages one behind the other are one message with the series of all.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "memory/moment.h"
#include "memory/series_key.h"

namespace schedlens::remote {

struct Sample {
  memory::SeriesKey key;
  memory::Moment time;
  double value = 0;
};

// Protobuf. Each series is given the labels beside its own; a label that it has itself stays.
std::string write_request(std::span<const Sample> samples, const memory::Labels& further);
// Back from protobuf, for those who read what was sent.
Result<std::vector<Sample>> read_write_request(std::string_view message);

// Snappy's block format.
std::string compress(std::string_view bytes);
// Fails when it is damaged or would be larger.
Result<std::string> decompress(std::string_view bytes, std::size_t most);

}  // namespace schedlens::remote
