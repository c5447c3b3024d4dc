// SPDX-License-Identifier: Apache-2.0
#include "cli/forecast.h"

#include <fmt/format.h>

#include "base/text.h"
#include "base/time_text.h"
#include "cli/layout.h"
#include "cli/sources.h"
#include "cli/table.h"
#include "cli/words.h"

namespace schedlens::cli {
using diagnose::StartForecast;
using Kind = Column::Kind;

std::string start_clause(const model::Snapshot& s, const StartForecast& f) {
  if (!f.unknown.empty()) return "not known: " + f.unknown;
  if (!f.earliest) {
    return fmt::format(
        "by {} if all run to their time limits and nobody is put before it; how long they really "
        "run was not observed",
        moment(f.latest, s.time));
  }
  const auto range =
      f.latest ? fmt::format("from {} to {}", local_time(*f.earliest), local_time(*f.latest))
               : fmt::format("from {}, with no end in sight", local_time(*f.earliest));
  const auto basis = fmt::format("by the run times of {}", counted(f.observed, "ended job"));
  if (!f.expected) return fmt::format("{}, {}", range, basis);
  if (*f.expected <= s.time) return "in the next cycles of the scheduler, " + basis;
  return fmt::format("about {}, most likely {}, {}", moment(f.expected, s.time), range, basis);
}

std::string start_sentence(const model::Snapshot& s, model::WorkloadId id, const StartForecast& f) {
  const auto schedulers = model::forecast(s.workload(id));
  return start_clause(s, f) +
         (schedulers ? fmt::format("; {} forecasts {}", s.scheduler, moment(schedulers, s.time))
                     : fmt::format("; {} has no forecast", s.scheduler));
}

std::string render_forecasts(const model::Snapshot& s, const std::vector<api::ForecastRow>& rows,
                             std::uint64_t observed, const Style& style) {
  Table table({{"JOB"},
               {"USER"},
               {"GPUS", Kind::kNumber},
               {"WAITED", Kind::kNumber},
               {"STARTS", Kind::kNumber},
               {"EARLIEST", Kind::kNumber},
               {"LATEST", Kind::kNumber},
               {"SCHEDULER", Kind::kNumber},
               {"NOT KNOWN BECAUSE", Kind::kFlexible, 20}});
  for (const auto& [id, f] : rows) {
    const auto& w = s.workload(id);
    const bool known = f.unknown.empty();
    auto when = [&](const std::optional<Timestamp>& at) {
      return known ? relative(at, s.time) : std::string("-");
    };
    table.row({printable(model::display_id(w)), name_or_dash(w.user),
               std::to_string(model::gpus_requested(w)), duration(model::waited(w, s.time)),
               when(f.expected), when(f.earliest), when(f.latest),
               relative(model::forecast(w), s.time), known ? "-" : f.unknown});
  }
  const auto basis =
      observed > 0
          ? fmt::format("by the run times of {}; a tenth starts before, a tenth after the range",
                        counted(observed, "ended job"))
          : std::string("no run time was observed yet: LATEST is if all run to their time limits");
  auto out = table.empty() ? std::string("nothing waits\n")
                           : table.render(style) + paint(style, Tone::kDim, basis) + '\n';
  auto ages = render_sources(s, style);
  return ages.empty() ? out : out + '\n' + ages;
}

}  // namespace schedlens::cli
