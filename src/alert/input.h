// SPDX-License-Identifier: Apache-2.0
#pragma once
// What an evaluation is made on: everything that is known at one moment.

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "alert/labels.h"
#include "base/units.h"

namespace schedlens::alert {

// One series as /metrics exports it.
struct Sample {
  std::string name;
  Labels labels;
  double value = 0;
};

// What is usual for a series, held against what it is.
struct Verdict {
  enum class State : std::uint8_t { kNone, kNormal, kHigh, kLow };
  std::string name;            // of the watched series, such as oldest_wait
  Labels labels;               // that tell its series apart
  State state = State::kNone;  // kNone: nobody knows what is usual
  double value = 0;
  std::string sentence;  // "412 now; same hour on Mo 180, Tu 205, ..."
};

struct SourceAge {
  std::string name;  // "scontrol show node", "pods"
  bool stale = false;
  std::optional<Seconds> age;  // nothing when it was never read
};

struct Input {
  Timestamp time;
  std::vector<Sample> samples;
  std::vector<Verdict> verdicts;
  std::vector<SourceAge> sources;
};

// The sources as schedlens_source_state and schedlens_source_age_seconds tell of them.
std::vector<SourceAge> sources_of(const std::vector<Sample>& samples);

// The samples of a page in the text format, those of the wanted metrics alone. Lines that cannot
// be read are left out.
std::vector<Sample> parse_page(std::string_view page,
                               const std::set<std::string, std::less<>>& wanted);

}  // namespace schedlens::alert
