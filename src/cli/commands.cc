// SPDX-License-Identifier: Apache-2.0
#include "cli/commands.h"

#include <fmt/format.h>

#include <ostream>

#include "api/analyses.h"
#include "api/efficiency_view.h"
#include "api/forecast_view.h"
#include "api/json_views.h"
#include "api/pending_causes.h"
#include "api/starvation_view.h"
#include "base/json_writer.h"
#include "base/text.h"
#include "base/time_text.h"
#include "cli/efficiency.h"
#include "cli/find_job.h"
#include "cli/forecast.h"
#include "cli/frag.h"
#include "cli/job.h"
#include "cli/nodes.h"
#include "cli/queue.h"
#include "cli/starvation.h"
#include "cli/status.h"
#include "cli/usage.h"
#include "cli/why.h"
#include "net/http_client.h"

namespace schedlens::cli {
namespace {

int problem(Context& context, ExitCode code, std::string_view message) {
  context.err << "schedlens: " << message << '\n';
  return code;
}

// Old data from a server look like new ones otherwise; a file is expected to be old.
Result<model::SnapshotPtr> read(Context& context, Source& source) {
  constexpr Seconds kOld{120};
  auto snapshot = source.read();
  if (!snapshot || context.where.server.empty()) return snapshot;
  auto age = os::SystemClock().now() - (*snapshot)->time;
  if (age > kOld) {
    context.err << "schedlens: the server's data are " << short_duration(age) << " old\n";
  }
  return snapshot;
}

// The body with the cluster, or the failure to read it.
template <class Body>
int with_cluster(Context& context, Body&& body) {
  Source source(context.where);
  auto snapshot = read(context, source);
  if (!snapshot) return problem(context, kFailure, snapshot.error().message());
  return body(**snapshot);
}

// The body with the cluster and the records of one job, in detail where that can be had.
template <class Body>
int with_job(Context& context, const std::string& id, Body&& body) {
  Source source(context.where);
  auto snapshot = read(context, source);
  if (!snapshot) return problem(context, kFailure, snapshot.error().message());
  if (!could_be_name(**snapshot, id)) return problem(context, kUsage, not_a_job_id(id));
  auto detailed = source.add_detail(trim(id));
  if (detailed) snapshot = detailed;
  auto records = find_job(**snapshot, id);
  if (records.empty()) return problem(context, kNotFound, unknown_job(**snapshot, id));
  if (!detailed) {
    context.err << "schedlens: without the details of the job: " << detailed.error().message()
                << '\n';
  }
  return body(source, **snapshot, records);
}

template <class Body>
int print_json(Context& context, Body&& body) {
  JsonWriter json(2);
  body(json);
  context.out << json.str() << '\n';
  return kOk;
}

int print(Context& context, const std::string& text) {
  context.out << text;
  return kOk;
}

// What only a server knows. The rest of the answer stands without it.
std::optional<metrics::EfficiencyCounts> server_counts(Context& context) {
  if (context.where.server.empty()) return std::nullopt;
  auto body = net::get_body(net::join_url(context.where.server, "/api/v1/efficiency"));
  if (!body) {
    context.err << "schedlens: without the server's counts: " << body.error().message() << '\n';
    return std::nullopt;
  }
  auto counts = api::read_counts(*body);
  if (counts) return *counts;
  context.err << "schedlens: " << counts.error().message() << '\n';
  return std::nullopt;
}

}  // namespace

int run_status(Context& context) {
  return with_cluster(context, [&](const model::Snapshot& s) {
    api::Analyses analyses(s);
    const auto& holdings = analyses.holdings();
    const auto& fragmentation = analyses.fragmentation();
    if (context.json) {
      return print_json(context, [&](JsonWriter& json) {
        api::write_status(json, s, holdings, fragmentation, analyses.causes());
      });
    }
    return print(context,
                 render_status(s, {holdings, fragmentation, analyses.causes()}, context.style));
  });
}

int run_queue(Context& context, const api::WorkloadFilter& filter) {
  return with_cluster(context, [&](const model::Snapshot& s) {
    api::Analyses analyses(s);
    auto causes = api::causes_by_id(s, analyses.causes());
    auto shown = api::select_workloads(s, causes, filter);
    if (!shown) return problem(context, kUsage, shown.error().message());
    if (context.json) {
      return print_json(context,
                        [&](JsonWriter& json) { api::write_queue(json, s, *shown, causes); });
    }
    return print(context, render_queue(s, causes, *shown, context.style));
  });
}

int run_nodes(Context& context, const api::NodeFilter& filter) {
  return with_cluster(context, [&](const model::Snapshot& s) {
    auto shown = api::select_nodes(s, filter);
    if (!shown) return problem(context, kUsage, shown.error().message());
    if (context.json) {
      return print_json(context, [&](JsonWriter& json) { api::write_nodes(json, s, *shown); });
    }
    return print(context, render_nodes(s, *shown, context.style));
  });
}

int run_job(Context& context, const std::string& id) {
  context.where.usage = true;
  return with_job(context, id, [&](Source&, const model::Snapshot& s, const auto& records) {
    if (context.json) {
      return print_json(context, [&](JsonWriter& json) { api::write_job(json, s, records); });
    }
    api::Analyses analyses(s);
    auto causes = api::causes_by_id(s, analyses.causes());
    std::string text;
    for (auto record : records) {
      if (!text.empty()) text += '\n';
      text += render_job(s, record, causes[record.index], context.style);
    }
    return print(context, text);
  });
}

int run_node(Context& context, const std::string& name) {
  // Each job's details are one more question to the scheduler.
  constexpr std::size_t kMostDetails = 16;
  context.where.usage = true;
  Source source(context.where);
  auto snapshot = read(context, source);
  if (!snapshot) return problem(context, kFailure, snapshot.error().message());
  auto node = find_node(**snapshot, name);
  if (!node) return problem(context, kNotFound, unknown_node(**snapshot, name));
  auto jobs = (*snapshot)->workloads_on(*node);
  if (jobs.size() <= kMostDetails) {
    for (auto id : std::vector(jobs.begin(), jobs.end())) {
      // A job that has just ended has no details; the rest of the screen stands without them.
      (void)source.add_detail(model::display_id((*snapshot)->workload(id)));
    }
  }
  const auto& s = *source.last();
  node = find_node(s, name);
  if (!node) return problem(context, kNotFound, unknown_node(s, name));
  if (context.json) {
    return print_json(context, [&](JsonWriter& json) { api::write_node(json, s, *node); });
  }
  return print(context, render_node(s, *node, context.style));
}

int run_why(Context& context, const std::string& id) {
  return with_job(context, id, [&](Source& source, const model::Snapshot& s, const auto& records) {
    api::Analyses analyses(s);
    auto verdicts = analyses.explain(records, source.observed());
    if (context.json) {
      return print_json(context, [&](JsonWriter& json) { api::write_why(json, s, verdicts); });
    }
    std::string text;
    for (const auto& verdict : verdicts) {
      if (!text.empty()) text += '\n';
      text += render_why(s, verdict, context.style);
    }
    return print(context, text);
  });
}

int run_why_all(Context& context) {
  return with_cluster(context, [&](const model::Snapshot& s) {
    api::Analyses analyses(s);
    if (context.json) {
      return print_json(context,
                        [&](JsonWriter& json) { api::write_why_all(json, s, analyses.causes()); });
    }
    return print(context, render_causes(s, analyses.causes(), context.style));
  });
}

int run_forecast(Context& context, const std::vector<std::string>& users) {
  Source source(context.where);
  auto snapshot = read(context, source);
  if (!snapshot) return problem(context, kFailure, snapshot.error().message());
  const auto& s = **snapshot;
  const auto observed = source.observed();
  const auto rows = api::forecast_rows(s, metrics::forecast_all(s, observed), users);
  if (context.json) {
    return print_json(context, [&](JsonWriter& json) {
      api::write_forecasts(json, s, rows, observed.run_times.size(), std::nullopt);
    });
  }
  return print(context, render_forecasts(s, rows, observed.run_times.size(), context.style));
}

int run_starvation(Context& context, Seconds at_least) {
  Source source(context.where);
  auto snapshot = read(context, source);
  if (!snapshot) return problem(context, kFailure, snapshot.error().message());
  const auto& s = **snapshot;
  diagnose::Explainer explainer(s);
  const auto starvation =
      diagnose::find_starving(s, source.observed().class_waits, explainer, {at_least});
  if (context.json) {
    return print_json(context,
                      [&](JsonWriter& json) { api::write_starvation(json, s, starvation); });
  }
  return print(context, render_starvation(s, starvation, context.style));
}

int run_frag(Context& context, bool all_nodes) {
  return with_cluster(context, [&](const model::Snapshot& s) {
    api::Analyses analyses(s);
    const auto& f = analyses.fragmentation();
    if (context.json) {
      return print_json(context, [&](JsonWriter& json) { api::write_frag(json, s, f); });
    }
    return print(context, render_frag(s, f, all_nodes, context.style));
  });
}

int run_efficiency(Context& context) {
  context.where.usage = true;
  return with_cluster(context, [&](const model::Snapshot& s) {
    const auto counts = server_counts(context);
    api::Analyses analyses(s);
    const auto ledger = analyses.gpu_ledger();
    const auto findings = diagnose::efficiency_findings(s, ledger, diagnose::compare_usage(s));
    if (context.json) {
      return print_json(context, [&](JsonWriter& json) {
        api::write_efficiency(json, s, ledger, findings, counts ? &*counts : nullptr);
      });
    }
    return print(context, render_efficiency(s, ledger, findings, counts ? &*counts : nullptr,
                                            context.style));
  });
}

int run_usage(Context& context, const api::UsageChoice& choice) {
  context.where.usage = true;
  return with_cluster(context, [&](const model::Snapshot& s) {
    const auto report = diagnose::compare_usage(s);
    auto chosen = api::choose_usage(s, report, choice);
    if (!chosen) return problem(context, kUsage, chosen.error().message());
    if (context.json) {
      return print_json(context,
                        [&](JsonWriter& json) { api::write_usage(json, s, report, *chosen); });
    }
    return print(context, render_usage(s, report, *chosen, context.style));
  });
}

}  // namespace schedlens::cli
