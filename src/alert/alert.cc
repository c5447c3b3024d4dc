// SPDX-License-Identifier: Apache-2.0
#include "alert/alert.h"

#include <fmt/format.h>

#include "base/time_text.h"

namespace schedlens::alert {

std::string_view phase_name(Phase phase) {
  switch (phase) {
    case Phase::kPending:
      return "pending";
    case Phase::kFiring:
      return "firing";
    case Phase::kEnded:
      return "ended";
  }
  return "";
}

std::string_view ending_name(Ending ending) {
  switch (ending) {
    case Ending::kResolved:
      return "resolved";
    case Ending::kGone:
      return "gone";
    case Ending::kRuleGone:
      return "rule removed";
  }
  return "";
}

Labels annotations(const Alert& alert) {
  Labels texts = {{"summary", alert.summary},
                  {"meaning", alert.meaning},
                  {"remedy", alert.remedy},
                  {"value", fmt::format("{:.6g}", alert.value)}};
  if (alert.names.count > 0) {
    auto names = fmt::format("{}", fmt::join(alert.names.first, ", "));
    auto more = alert.names.count - alert.names.first.size();
    texts["names"] = more > 0 ? fmt::format("{} and {} more", names, more) : names;
  }
  if (!alert.usual.empty()) texts["usual"] = alert.usual;
  if (alert.unknown_since) {
    texts["unknown_since"] = iso8601(*alert.unknown_since);
    texts["unknown_why"] = alert.unknown_why;
  }
  if (alert.phase == Phase::kEnded) texts["ended"] = ending_name(alert.ending);
  return texts;
}

}  // namespace schedlens::alert
