// SPDX-License-Identifier: Apache-2.0
#pragma once
// Sees the configuration change that the scheduler runs with, and what partitions and QOS allow.

#include <string>
#include <unordered_map>
#include <vector>

#include "memory/records.h"
#include "model/snapshot.h"

namespace schedlens::history {

class ConfigVersions {
 public:
  // last: the newest version known of each source from before.
  explicit ConfigVersions(const std::vector<memory::ConfigVersion>& last = {});

  // A version for each source whose text is not that of the last one. Snapshots in the order of
  // time; one thread. A source that was not read has no new version.
  std::vector<memory::ConfigVersion> feed(const model::Snapshot& snapshot);

 private:
  void add(const std::string& source, std::string text, Timestamp time,
           std::vector<memory::ConfigVersion>& out);

  std::unordered_map<std::string, std::string> hashes_;  // by source
};

}  // namespace schedlens::history
