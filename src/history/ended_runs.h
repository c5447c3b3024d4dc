// SPDX-License-Identifier: Apache-2.0
#pragma once
// Sees workloads end, from one Snapshot to the next, and says of each what there is to remember.
//
// Slurm shows ended jobs for a while (MinJobAge) and ended pods stay until they are deleted; what
// ends and is gone between two Snapshots is remembered too, as ended in an unknown state at the
// time of the first Snapshot without it. A requeued job has a record for each of its runs.

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "memory/records.h"
#include "model/snapshot.h"

namespace schedlens::history {

// The root cause class of a waiting workload: "capacity"; empty when it was not looked into.
using CauseOf = std::function<std::string_view(model::WorkloadId)>;

class EndedRuns {
 public:
  // Snapshots in the order of time; one thread. Nothing while the list of workloads was not read.
  std::vector<memory::EndedWorkload> feed(const model::Snapshot& snapshot, const CauseOf& cause);

 private:
  struct Known {
    memory::EndedWorkload record;  // as far as it is known by now
    bool running = false;
    bool ended = false;  // told; kept while it is shown
    std::uint64_t round = 0;
  };
  void look_at(const model::Snapshot& s, model::WorkloadId id, const CauseOf& cause,
               std::vector<memory::EndedWorkload>& out);

  struct Wait {
    std::string reason, cause;
    std::uint64_t round = 0;
  };

  std::uint64_t round_ = 0;
  std::unordered_map<std::string, Known> known_;  // by the name the scheduler's tools give it
  // Tasks of an array wait in one record, whose name changes whenever one of them starts.
  std::unordered_map<std::uint32_t, Wait> arrays_;  // by the job id of the array
};

}  // namespace schedlens::history
