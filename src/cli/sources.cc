// SPDX-License-Identifier: Apache-2.0
#include "cli/sources.h"

#include <fmt/format.h>

#include <map>
#include <vector>

#include "base/text.h"
#include "base/time_text.h"
#include "cli/layout.h"
#include "cli/words.h"

namespace schedlens::cli {
namespace {

constexpr std::size_t kLabel = 10;

// "failed, data are 5m10s old: exit 1: ..."
std::string trouble(const model::SourceStatus& source, Timestamp now) {
  auto text = std::string(model::state_name(source.state));
  if (source.last_success) {
    text += fmt::format(", data are {} old", short_duration(now - *source.last_success));
  } else {
    text += ", no data";
  }
  if (source.unreadable_records > 0) {
    text += fmt::format(", {} not understood", counted(source.unreadable_records, "record"));
  }
  if (!source.error.empty()) return text + ": " + printable(source.error);
  if (!source.warnings.empty()) return text + ": " + printable(source.warnings.front());
  return text;
}

// Names by age, those of one age together: "0s squeue, sdiag; 4m50s scontrol show config".
std::string ages_of_all(const model::Snapshot& snapshot) {
  std::map<Seconds, std::vector<std::string>> by_age;
  for (const auto& source : snapshot.sources) {
    if (source.last_success) {
      by_age[snapshot.time - *source.last_success].push_back(printable(source.name));
    }
  }
  std::vector<std::string> parts;
  for (const auto& [age, names] : by_age) {
    // What is watched is of one age as a rule; which kinds there are is no news.
    const bool many = snapshot.kubernetes && names.size() > 4;
    parts.push_back(fmt::format("{} {}", short_duration(age),
                                many ? counted(names.size(), "kind") + " of objects"
                                     : fmt::format("{}", fmt::join(names, ", "))));
  }
  return parts.empty() ? "nothing was read" : fmt::format("{}", fmt::join(parts, "; "));
}

std::string ages_in_short(const model::Snapshot& snapshot) {
  const model::SourceStatus *newest = nullptr, *oldest = nullptr;
  std::size_t read = 0;
  for (const auto& source : snapshot.sources) {
    if (!source.last_success) continue;
    ++read;
    if (!newest || *source.last_success > *newest->last_success) newest = &source;
    if (!oldest || *source.last_success < *oldest->last_success) oldest = &source;
  }
  if (!newest) return "nothing was read";
  auto age = [&](const model::SourceStatus& s) {
    return short_duration(snapshot.time - *s.last_success);
  };
  auto text = fmt::format("{} from {}", age(*newest), counted(read, "source"));
  if (age(*oldest) == age(*newest)) return text;
  return text + fmt::format(", the oldest {} ({})", age(*oldest), printable(oldest->name));
}

}  // namespace

std::string render_troubled_sources(const model::Snapshot& snapshot, const Style& style) {
  std::string out;
  for (const auto& source : snapshot.sources) {
    if (source.state == model::SourceState::kFresh) continue;
    out += labelled(style, "attention", kLabel,
                    fmt::format("{} {}", printable(source.name), trouble(source, snapshot.time)),
                    tone_of(source.state));
  }
  return out;
}

std::string render_sources(const model::Snapshot& snapshot, const Style& style) {
  if (snapshot.sources.empty()) return "";
  auto ages = style.width > 0 ? ages_in_short(snapshot) : ages_of_all(snapshot);
  return labelled(style, "data age", kLabel, ages, Tone::kDim) +
         render_troubled_sources(snapshot, style);
}

}  // namespace schedlens::cli
