// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "slurm/exclusions.h"
#include "slurm/jobs.h"

using namespace schedlens;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  static slurm::NodeTable nodes{{}};
  static slurm::TimeReader time;
  (void)slurm::parse_jobs(text, {nodes, time, "0123456789abcdef", 2205});
  (void)slurm::parse_exclusions(text, nodes, "0123456789abcdef");
  // A record in which only the columns vary, so that the terminator need not be found by chance.
  std::string record(text);
  record +=
      "\x1f"
      "0123456789abcdef\n";
  (void)slurm::parse_jobs(record, {nodes, time, "0123456789abcdef", 2605});
  (void)nodes.take_unknown();
  return 0;
}
