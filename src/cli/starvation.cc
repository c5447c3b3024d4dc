// SPDX-License-Identifier: Apache-2.0
#include "cli/starvation.h"

#include <fmt/format.h>

#include "base/text.h"
#include "cli/layout.h"
#include "cli/sources.h"
#include "cli/table.h"
#include "cli/words.h"

namespace schedlens::cli {

using Kind = Column::Kind;

std::string render_starvation(const model::Snapshot& s, const diagnose::Starvation& starvation,
                              const Style& style) {
  Table table({{s.kubernetes ? "POD" : "JOB"},
               {s.kubernetes ? "NAMESPACE" : "USER"},
               {"CLASS"},
               {"WAITED", Kind::kNumber},
               {"CLASS MEDIAN", Kind::kNumber},
               {"90 %", Kind::kNumber},
               {"OVERTAKEN", Kind::kNumber},
               {"ROOT CAUSE"},
               {"POLICY"},
               {"EVIDENCE", Kind::kFlexible, 30}});
  for (const auto& found : starvation.workloads) {
    const auto& w = s.workload(found.id);
    const auto& first = found.policies.front();
    table.row({printable(model::display_id(w)),
               name_or_dash(w.pod ? w.account : w.user),
               printable(diagnose::class_name(found.wait_class)),
               {duration(found.waited), Tone::kWarn},
               duration(found.median),
               duration(found.p90),
               std::to_string(found.overtaken_by),
               diagnose::cause_name(found.cause),
               diagnose::policy_name(first.policy),
               printable(first.evidence)});
    for (std::size_t i = 1; i < found.policies.size(); ++i) {
      const auto& p = found.policies[i];
      table.row(
          {"", "", "", "", "", "", "", "", diagnose::policy_name(p.policy), printable(p.evidence)});
    }
  }
  auto out = table.empty() ? std::string("nothing waits beyond what its class waits\n")
                           : table.render(style);
  if (starvation.too_few_starts > 0) {
    out += paint(style, Tone::kDim,
                 fmt::format("of {} too few starts were seen in the class to tell\n",
                             counted(starvation.too_few_starts, "waiting record")));
  }
  auto ages = render_sources(s, style);
  return ages.empty() ? out : out + '\n' + ages;
}

}  // namespace schedlens::cli
