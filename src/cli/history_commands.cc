// SPDX-License-Identifier: Apache-2.0
#include "cli/history_commands.h"

#include <ostream>

#include "cli/commands.h"
#include "cli/config.h"
#include "cli/history.h"
#include "os/clock.h"

namespace schedlens::cli {
namespace {

int problem(Context& context, ExitCode code, std::string_view message) {
  context.err << "schedlens: " << message << '\n';
  return code;
}

Result<memory::TimeRange> time_of(const HistoryOptions& options) {
  const auto now = os::SystemClock().now();
  const auto since = parse_when(options.since, now);
  if (!since) return fail(since.error().within("--since"));
  auto until =
      options.until.empty() ? Result<Timestamp>(now + Seconds{1}) : parse_when(options.until, now);
  if (!until) return fail(until.error().within("--until"));
  if (*since >= *until) return fail("--since is not before --until");
  return memory::TimeRange{memory::moment_of(*since), memory::moment_of(*until)};
}

// Prints what ask(time) finds: as JSON, or as render(found, time) shows it.
template <class Ask, class Render>
int answer(Context& context, const HistoryOptions& options, Ask ask, Render render) {
  const auto& where = options.where;
  if (where.server.empty() && where.data_dir.empty() && where.prometheus.empty()) {
    return problem(context, kUsage,
                   "whose history? --server URL asks a running schedlens serve, --data-dir DIR "
                   "reads where one keeps it");
  }
  const auto time = time_of(options);
  if (!time) return problem(context, kUsage, time.error().message());
  const auto found = ask(*time);
  if (!found) return problem(context, kFailure, found.error().message());
  if (context.json) {
    JsonWriter json(2);
    api::write_history(json, *found);
    context.out << json.str() << '\n';
  } else {
    context.out << render(*found, *time);
  }
  return kOk;
}

}  // namespace

int run_history_job(Context& context, const HistoryOptions& o) {
  return answer(
      context, o,
      [&](memory::TimeRange time) {
        return ask(o.where,
                   api::RunQuestion{time, o.name, o.user, o.account, o.queue, o.state, o.limit});
      },
      [&](const auto& runs, memory::TimeRange) {
        const bool one = !o.name.empty() && runs.records.size() == 1 && runs.problems.empty();
        return one ? render_run(runs.records.front(), context.style)
                   : render_runs(runs, context.style);
      });
}

int run_history_node(Context& context, const HistoryOptions& o) {
  return answer(
      context, o,
      [&](memory::TimeRange time) {
        return ask(o.where, api::NodeQuestion{time, o.name, o.limit});
      },
      [&](const auto& changes, memory::TimeRange time) {
        return render_node_changes(changes, {time.to.unix_ms / 1000}, context.style);
      });
}

int run_history_alerts(Context& context, const HistoryOptions& o) {
  return answer(
      context, o,
      [&](memory::TimeRange time) {
        return ask(o.where, api::AlertQuestion{time, o.name, o.limit});
      },
      [&](const auto& alerts, memory::TimeRange) {
        return render_fired_alerts(alerts, context.style);
      });
}

int run_history_config(Context& context, const HistoryOptions& o) {
  return answer(
      context, o, [&](memory::TimeRange time) { return ask_config(o.where, time); },
      [&](const auto& changes, memory::TimeRange) {
        return render_config_changes(changes, context.style);
      });
}

int run_history_series(Context& context, const HistoryOptions& o) {
  auto match = api::parse_series(o.name);
  if (!match) return problem(context, kUsage, match.error().message());
  if (match->name.empty()) {
    return answer(
        context, o, [&](memory::TimeRange time) { return ask_names(o.where, *match, time); },
        [&](const auto& names, memory::TimeRange) {
          return render_series_names(names, context.style);
        });
  }
  std::optional<std::chrono::milliseconds> step;
  if (!o.step.empty()) {
    const auto seconds = parse_duration(o.step);
    if (!seconds || seconds->value < 1) {
      return problem(context, kUsage, "--step is a duration such as 5m or 1h");
    }
    step = std::chrono::seconds(seconds->value);
  }
  return answer(
      context, o,
      [&](memory::TimeRange time) {
        return ask(o.where, api::SeriesQuestion{time, *match, step});
      },
      [&](const auto& history, memory::TimeRange time) {
        return render_series(history, time, context.style);
      });
}

}  // namespace schedlens::cli
