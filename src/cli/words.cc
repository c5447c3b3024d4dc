// SPDX-License-Identifier: Apache-2.0
#include "cli/words.h"

#include <fmt/format.h>

#include <cmath>

#include "base/text.h"
#include "base/time_text.h"

namespace schedlens::cli {

std::string counted(std::uint64_t n, std::string_view noun, std::string_view plural) {
  auto many = plural.empty() ? fmt::format("{}s", noun) : std::string(plural);
  if (n == 0) return "no " + many;
  return fmt::format("{} {}", n, n == 1 ? std::string(noun) : many);
}

std::string number(const std::optional<std::uint64_t>& n) {
  return n ? std::to_string(*n) : std::string(kUnknown);
}

std::string duration(const std::optional<Seconds>& d) {
  return d ? short_duration(*d) : std::string(kUnknown);
}

std::string bytes(const std::optional<Bytes>& b) {
  return b ? short_bytes(*b) : std::string(kUnknown);
}

std::string load(const std::optional<double>& l) {
  return l ? fmt::format("{:.1f}", *l) : std::string(kUnknown);
}

std::string relative(const std::optional<Timestamp>& moment, Timestamp now) {
  if (!moment) return std::string(kUnknown);
  auto away = *moment - now;
  if (away.value > 0) return "in " + short_duration(away);
  return away.value == 0 ? "now" : short_duration(now - *moment) + " ago";
}

std::string moment(const std::optional<Timestamp>& moment, Timestamp now) {
  if (!moment) return std::string(kUnknown);
  return fmt::format("{} ({})", local_time(*moment), relative(moment, now));
}

std::string cycle_time(const std::optional<std::uint64_t>& microseconds) {
  if (!microseconds) return std::string(kUnknown);
  auto us = static_cast<double>(*microseconds);
  if (us < 1000) return fmt::format("{:.0f} us", us);
  if (us < 10'000) return fmt::format("{:.1f} ms", us / 1e3);
  if (us < 1e6) return fmt::format("{:.0f} ms", us / 1e3);
  return fmt::format("{:.1f} s", us / 1e6);
}

std::string share(std::uint64_t part, std::uint64_t whole) {
  return fmt::format("{} of {}", part, whole);
}

std::string percent(double part, double whole) {
  return whole > 0 ? fmt::format("{:.0f}%", 100 * part / whole) : std::string(kUnknown);
}

const Vocabulary& vocabulary(const model::Snapshot& snapshot) {
  static constexpr Vocabulary kSlurm{"job", "partition", "account"};
  static constexpr Vocabulary kKubernetes{"pod", "queue", "namespace"};
  return snapshot.kubernetes ? kKubernetes : kSlurm;
}

std::string name_or_dash(Symbol name) {
  return name.empty() ? "-" : printable(name.view());
}

std::string names_of(const std::vector<Symbol>& names) {
  if (names.empty()) return "-";
  std::string out;
  for (Symbol name : names) {
    if (!out.empty()) out += ',';
    out += printable(name.view());
  }
  return out;
}

std::string amount(double value, std::string_view unit) {
  if (std::isinf(value)) return "unlimited";
  if (unit == "bytes") return short_bytes({std::llround(value)});
  if (unit == "minutes") return short_duration({std::llround(value * 60)});
  // Limits are whole numbers, except for weighted ones such as billing.
  return value == std::floor(value) ? fmt::format("{:.0f}", value) : fmt::format("{:.1f}", value);
}

Tone tone_of(model::SourceState state) {
  switch (state) {
    case model::SourceState::kFresh:
      return Tone::kDim;
    case model::SourceState::kPartial:
    case model::SourceState::kStale:
      return Tone::kWarn;
    case model::SourceState::kNever:
    case model::SourceState::kFailed:
      return Tone::kBad;
  }
  return Tone::kBad;
}

Tone tone_of(const model::Node& node) {
  if (!model::in_service(node)) return Tone::kBad;
  switch (model::bucket(node)) {
    case model::NodeBucket::kIdle:
      return Tone::kGood;
    case model::NodeBucket::kMixed:
    case model::NodeBucket::kAllocated:
      return Tone::kPlain;
    default:
      return Tone::kWarn;
  }
}

Tone tone_of(const model::Workload& workload) {
  if (model::is_pending(workload)) return Tone::kWarn;
  return model::holds_resources(workload) ? Tone::kGood : Tone::kDim;
}

}  // namespace schedlens::cli
