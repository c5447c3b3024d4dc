// SPDX-License-Identifier: Apache-2.0
#include "api/starvation_view.h"

#include "api/json_parts.h"

namespace schedlens::api {

void write_starvation(JsonWriter& json, const View& view, const diagnose::Starvation& starvation) {
  json.object([&] {
    write_head(json, view);
    json.field("too_few_starts", starvation.too_few_starts);
    json.key("workloads");
    json.array([&] {
      for (const auto& s : starvation.workloads) {
        const auto& w = view.snapshot.workload(s.id);
        json.object([&] {
          json.field("id", model::display_id(w));
          write_text(json, "user", w.user.view());
          json.field("tasks", model::task_count(w));
          json.field("gpus_requested", model::gpus_requested(w));
          json.field("cause", diagnose::cause_name(s.cause));
          json.field("class", diagnose::class_name(s.wait_class));
          json.field("waited", s.waited);
          json.field("class_starts", s.starts);
          json.field("class_median", s.median);
          json.field("class_p90", s.p90);
          json.field("overtaken_by", s.overtaken_by);
          json.key("policies");
          json.array([&] {
            for (const auto& p : s.policies) {
              json.object([&] {
                json.field("policy", diagnose::policy_name(p.policy));
                json.field("evidence", p.evidence);
              });
            }
          });
        });
      }
    });
  });
}

}  // namespace schedlens::api
