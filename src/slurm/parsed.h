// SPDX-License-Identifier: Apache-2.0
#pragma once
// What every parser here returns: the records it could read and how many it could not.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/text.h"

namespace schedlens::slurm {

// Things that went wrong without making the whole output useless.
class Complaints {
 public:
  // A record was lost.
  void unreadable(std::string_view record, std::string_view why) {
    ++unreadable_;
    say(fmt::format("{}: {}", printable(record.substr(0, 80)), why));
  }
  // Something was odd; nothing is lost. Only the first few are kept.
  void say(std::string text) {
    if (examples_.size() < kKept) examples_.push_back(std::move(text));
  }

  std::uint64_t unreadable_records() const { return unreadable_; }
  const std::vector<std::string>& examples() const { return examples_; }

 private:
  static constexpr std::size_t kKept = 5;
  std::uint64_t unreadable_ = 0;
  std::vector<std::string> examples_;
};

template <class Record>
struct Parsed {
  std::vector<Record> records;
  Complaints complaints;
};

// Nothing at all could be read of an output that has records: an error, not an empty cluster.
template <class Record>
Result<Parsed<Record>> unless_all_unreadable(Parsed<Record> parsed) {
  const auto& c = parsed.complaints;
  if (parsed.records.empty() && c.unreadable_records() > 0) {
    return fail("none of {} records can be read, for example {}", c.unreadable_records(),
                c.examples().front());
  }
  return parsed;
}

}  // namespace schedlens::slurm
