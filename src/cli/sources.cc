// SPDX-License-Identifier: Apache-2.0
#include "cli/sources.h"

#include <fmt/format.h>

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
  std::string ages;
  for (const auto& source : snapshot.sources) {
    if (!source.last_success) continue;
    if (!ages.empty()) ages += ", ";
    ages += fmt::format("{} {}", printable(source.name),
                        short_duration(snapshot.time - *source.last_success));
  }
  if (ages.empty()) ages = "nothing was read";
  return labelled(style, "data age", kLabel, ages, Tone::kDim) +
         render_troubled_sources(snapshot, style);
}

}  // namespace schedlens::cli
