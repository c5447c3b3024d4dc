// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "slurm/config.h"
#include "slurm/job_detail.h"
#include "slurm/nodes.h"
#include "slurm/partitions.h"
#include "slurm/reservations.h"

using namespace schedlens;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  static slurm::NodeTable nodes{{}};
  static slurm::TimeReader time;
  (void)slurm::parse_nodes(text, time);
  (void)slurm::parse_partitions(text, nodes);
  (void)slurm::parse_reservations(text, nodes, time);
  (void)slurm::parse_licence_pool(text);
  (void)slurm::parse_config(text);
  model::Workload w;
  w.job_id = 64;
  w.name = "train-llm";
  slurm::Complaints complaints;
  (void)slurm::complete_with_details(text, {&w}, nodes, complaints);
  (void)nodes.take_unknown();
  return 0;
}
