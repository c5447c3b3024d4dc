// SPDX-License-Identifier: Apache-2.0
// The commands that hand the data on: metrics and snapshot files.

#include <fmt/format.h>

#include <ostream>

#include "api/json_views.h"
#include "base/json_writer.h"
#include "base/text.h"
#include "base/time_text.h"
#include "cli/commands.h"
#include "cli/find_job.h"
#include "cli/sources.h"
#include "cli/table.h"
#include "cli/version.h"
#include "cli/words.h"
#include "metrics/families.h"
#include "metrics/kube_state.h"
#include "metrics/render.h"
#include "model/snapshot_file.h"

namespace schedlens::cli {
namespace {

int problem(Context& context, const Error& error) {
  context.err << "schedlens: " << error.message() << '\n';
  return kFailure;
}

std::string source_table(const model::Snapshot& s, const Style& style) {
  Table table({{"SOURCE"},
               {"STATE"},
               {"AGE", Column::Kind::kNumber},
               {"RECORDS", Column::Kind::kNumber},
               {"SIZE", Column::Kind::kNumber},
               {"TOOK", Column::Kind::kNumber},
               {"PROBLEM", Column::Kind::kFlexible}});
  for (const auto& source : s.sources) {
    auto text = source.error;
    if (text.empty() && !source.warnings.empty()) text = source.warnings.front();
    table.row({source.name,
               {model::state_name(source.state), tone_of(source.state)},
               source.last_success ? short_duration(s.time - *source.last_success)
                                   : std::string(kUnknown),
               std::to_string(source.records),
               short_bytes({static_cast<std::int64_t>(source.bytes)}),
               fmt::format("{:.2f} s", source.seconds),
               text});
  }
  return table.render(style);
}

std::string describe(const model::Snapshot& s, const Style& style) {
  return fmt::format(
             "{}  {} {}  {}\n{}, {}, {}, {} QOS, {}, {}, {}\n\n",
             s.cluster.empty() ? "cluster" : printable(s.cluster), printable(s.scheduler),
             s.scheduler_version.empty() ? "of unknown version" : printable(s.scheduler_version),
             local_time(s.time), counted(s.nodes.size(), "node"),
             counted(s.workloads.size(), s.kubernetes ? "pod" : "job record"),
             counted(s.queues.size(), "partition"), s.qos.size(),
             counted(s.associations.size(), "association"),
             counted(s.reservations.size(), "reservation"), counted(s.licences.size(), "licence")) +
         source_table(s, style);
}

// What a file holds and how fresh each part is, as JSON.
void print_sources(Context& context, const model::Snapshot& s) {
  JsonWriter json(2);
  api::write_sources(json, s);
  context.out << json.str() << '\n';
}

}  // namespace

int run_version(Context& context) {
  if (context.json) {
    JsonWriter json(2);
    json.object([&] { json.field("schedlens", kVersion); });
    context.out << json.str() << '\n';
  } else {
    context.out << "schedlens " << kVersion << '\n';
  }
  return kOk;
}

int run_metrics(Context& context) {
  context.where.vitals = true;
  context.where.usage = true;
  auto snapshot = Source(context.where).read();
  if (!snapshot) return problem(context, snapshot.error());
  auto analysis = metrics::analyse(**snapshot);
  metrics::RenderInput input{.now = (*snapshot)->time,
                             .version = kVersion,
                             .analysis = &analysis,
                             .form = context.json ? metrics::Form::kJson : metrics::Form::kText};
  context.out << metrics::render(snapshot->get(), input);
  return kOk;
}

int run_metrics_page(Context& context) {
  context.out << metrics::markdown() << metrics::kube_state_markdown();
  return kOk;
}

int run_snapshot_save(Context& context, const std::string& path,
                      const std::vector<std::string>& detailed_jobs) {
  auto ids = job_ids_of(detailed_jobs);
  if (!ids) {
    problem(context, ids.error());
    return kUsage;
  }
  context.where.vitals = true;
  context.where.usage = true;
  Source source(context.where);
  auto snapshot = source.read();
  for (const auto& id : *ids) {
    if (snapshot) snapshot = source.add_detail(id);
  }
  if (!snapshot) return problem(context, snapshot.error());
  if (auto saved = model::save_snapshot(**snapshot, path); !saved) {
    return problem(context, saved.error());
  }
  if (context.json) print_sources(context, **snapshot);
  context.err << fmt::format("saved {} and {} to {}\n", counted((*snapshot)->nodes.size(), "node"),
                             counted((*snapshot)->workloads.size(), "job record"), path);
  return kOk;
}

int run_snapshot_show(Context& context) {
  auto snapshot = Source(context.where).read();
  if (!snapshot) return problem(context, snapshot.error());
  if (context.json) {
    print_sources(context, **snapshot);
  } else {
    context.out << describe(**snapshot, context.style);
  }
  return kOk;
}

}  // namespace schedlens::cli
