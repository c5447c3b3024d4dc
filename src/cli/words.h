// SPDX-License-Identifier: Apache-2.0
#pragma once
// Numbers, moments and conditions in the words of the screens. What is not known is "?".

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/symbol.h"
#include "base/units.h"
#include "cli/style.h"
#include "model/snapshot.h"

namespace schedlens::cli {

inline constexpr std::string_view kUnknown = "?";

// "1 GPU", "3 GPUs", "no GPUs"; more for nouns with another plural.
std::string counted(std::uint64_t n, std::string_view noun, std::string_view plural = "");

std::string number(const std::optional<std::uint64_t>& n);
std::string duration(const std::optional<Seconds>& d);
std::string bytes(const std::optional<Bytes>& b);
std::string load(const std::optional<double>& l);  // "31.4"
// "3h12m ago", "in 5m10s", "now"
std::string relative(const std::optional<Timestamp>& moment, Timestamp now);
// "2026-11-30 14:02:11 (3h12m ago)"
std::string moment(const std::optional<Timestamp>& moment, Timestamp now);
std::string cycle_time(const std::optional<std::uint64_t>& microseconds);  // "850 us", "1.2 s"
// "12 of 64"
std::string share(std::uint64_t part, std::uint64_t whole);
std::string percent(double part, double whole);  // "37%", "?" of nothing

// What the scheduler's own tools call things.
struct Vocabulary {
  std::string_view workload, queue, account;  // "job", "partition", "account"
};
const Vocabulary& vocabulary(const model::Snapshot& snapshot);

// Names that may be empty: "-".
std::string name_or_dash(Symbol name);
// "train,dev"; "-" for none.
std::string names_of(const std::vector<Symbol>& names);

// A limit's number in its unit: "16", "1.5 TiB", "2d0h".
std::string amount(double value, std::string_view unit);

// The state of a source and of a node as a colour.
Tone tone_of(model::SourceState state);
Tone tone_of(const model::Node& node);
Tone tone_of(const model::Workload& workload);

}  // namespace schedlens::cli
