// SPDX-License-Identifier: Apache-2.0
#include "cli/serve.h"

#include <algorithm>
#include <csignal>

#include "api/routes.h"
#include "base/log.h"
#include "base/text.h"
#include "cli/guard.h"
#include "cli/keeper.h"
#include "cli/live_config.h"
#include "cli/report.h"
#include "cli/source_log.h"
#include "cli/watcher.h"
#include "history/read_state.h"
#include "http/server.h"
#include "os/clock.h"
#include "os/process.h"
#include "os/service_manager.h"
#include "os/signals.h"

namespace schedlens::cli {
namespace {

using namespace std::chrono_literals;

// How often the main thread looks for a new snapshot; signals wake it at once.
constexpr auto kLookEvery = 250ms;
// For requests in progress, at the end.
constexpr auto kGrace = 10s;

api::ServerFacts facts(const LiveConfig& live_config, const Watcher& watcher, const Keeper* keeper,
                       const Guard& guard) {
  auto config = live_config.current();
  api::ServerFacts facts;
  facts.interval = watcher.interval(config);
  facts.longest_quiet = watcher.longest_quiet();
  facts.essential_sources = watcher.essential_sources();
  facts.max_series = config.metrics_max_series;
  facts.node_info = config.metrics_node_info;
  facts.kube_state = config.kube_state;
  facts.kube_state_left_out = config.kube_state_left_out;
  facts.pod_use = config.metrics_pod_use;
  if (keeper) {
    facts.store = keeper->use();
    facts.remote_write = keeper->remote_use();
  }
  facts.watch = guard.rows();
  facts.config_error = live_config.reload_error();
  facts.first_read_trouble = watcher.first_read_trouble();
  facts.config_reload_failed = !facts.config_error.empty();
  return facts;
}

void log_lines(const Error& error) {
  for (auto line : split(error.message(), '\n')) log::error("{}", line);
}

void reload(LiveConfig& live_config, Watcher& watcher, Guard& guard) {
  if (auto reloaded = live_config.reload(); !reloaded) {
    log_lines(reloaded.error());
    log::error("the configuration is not valid; the one before stays in force");
    return;
  }
  auto config = live_config.current();
  log::set_level(config.log_level);
  watcher.configure(config);
  if (auto rules = guard.reload_rules(config.alerts_rules); !rules) {
    log_lines(rules.error());
    log::error("the alert rules are not valid; those before stay in force");
  }
  log::info("configuration read again");
}

// What is remembered of the metrics, and held against what is usual. Nothing while nodes or jobs
// could not be read: the page then shows the last values with their age, which are none of now.
std::optional<std::vector<metrics::Sample>> cluster_samples(const api::Context& context) {
  const auto analysed = context.live.current();
  if (!analysed || !history::read_state(analysed->snapshot, "nodes").any ||
      !history::read_state(analysed->snapshot, "workloads").any) {
    return std::nullopt;
  }
  return metrics::samples(analysed->snapshot, api::metrics_input(context, analysed.get()),
                          metrics::is_of_the_cluster);
}

void report_when_due(Keeper& keeper, const Config& config, Timestamp now) {
  if (config.report_directory.empty()) return;
  const auto written = keeper.remembered().read([&](memory::Reader& reader) {
    return write_due_report(reader, config.report_directory, now);
  });
  if (!written) {
    log::error("no report of the week: {}", written.error().message());
  } else if (*written) {
    log::info("report of the week written directory={}", config.report_directory);
  }
}

// Until a signal says that it is enough; returns its number.
int watch(os::Signals& signals, LiveConfig& live_config, Watcher& watcher,
          const api::Context& context, Keeper* keeper, Guard& guard) {
  model::SnapshotPtr last;
  std::int64_t sampled = 0;  // the minute, since 1970
  while (true) {
    auto signal = signals.wait(kLookEvery);
    if (signal == SIGHUP) {
      reload(live_config, watcher, guard);
    } else if (signal) {
      return *signal;
    }
    auto snapshot = watcher.current();
    if (snapshot == last) continue;
    if (!last) {
      log::info("first snapshot scheduler={} nodes={} workloads={}", snapshot->scheduler,
                snapshot->nodes.size(), snapshot->workloads.size());
    }
    log_source_changes(last.get(), *snapshot);
    last = snapshot;
    const auto config = live_config.current();
    const auto longest = std::max(watcher.interval(config) * 3, watcher.longest_quiet());
    context.live.publish(std::move(snapshot), longest);
    if (keeper) keeper->keep(context);
    const auto minute = context.now().unix_seconds / 60;
    const auto samples = minute != sampled ? cluster_samples(context) : std::nullopt;
    if (samples) {
      sampled = minute;
      if (keeper) keeper->keep({minute * 60}, *samples);
      if (keeper) report_when_due(*keeper, live_config.current(), context.now());
    }
    guard.look(context, samples ? &*samples : nullptr);
  }
}

}  // namespace

int run_serve(const ServeOptions& options) {
  auto live_config = LiveConfig::load(options);
  if (!live_config) {
    log_lines(live_config.error());
    return 1;
  }
  auto config = (*live_config)->current();
  log::set_level(config.log_level);

  os::Signals signals({SIGTERM, SIGINT, SIGHUP});
  std::signal(SIGPIPE, SIG_IGN);
  os::SystemProcessRunner runner;
  os::SystemClock clock;
  std::unique_ptr<Keeper> keeper;
  if (config.data_directory.empty() && !config.remote_write.url.empty()) {
    log::error("remote_write.url needs a data.directory, where values wait until they are sent");
    return 1;
  }
  if (config.data_directory.empty() && !config.report_directory.empty()) {
    log::error("report.directory needs a data.directory, which the report is made from");
    return 1;
  }
  if (!config.data_directory.empty()) {
    auto opened = Keeper::open(config, clock);
    if (!opened) {
      log_lines(opened.error());
      return 1;
    }
    keeper = std::move(*opened);
  }
  auto guard = Guard::open(config, keeper.get(), runner, clock);
  if (!guard) {
    log_lines(guard.error());
    return 1;
  }
  auto watcher = make_watcher(config, runner, clock);
  api::Live live([&](std::string_view job) { return watcher->collect_with_detail(job); });
  api::Context context{live,
                       options.version,
                       [&] { return clock.now(); },
                       [&] { return facts(**live_config, *watcher, keeper.get(), **guard); },
                       keeper ? &keeper->remembered() : nullptr,
                       [&] { return (*guard)->board(); }};

  http::ServerOptions server_options;
  server_options.address = config.listen.address;
  server_options.port = config.listen.port;
  auto server = http::Server::start(server_options, api::make_router(context));
  if (!server) {
    log_lines(server.error());
    return 1;
  }
  log::info("schedlens {} listening url={}", options.version, (*server)->url());
  watcher->start();
  os::tell_service_manager("READY=1");

  int signal = watch(signals, **live_config, *watcher, context, keeper.get(), **guard);
  log::info("ending signal={}", signal);
  os::tell_service_manager("STOPPING=1");
  // First: a request in progress may wait for the watcher, and the watcher for a hung Slurm.
  watcher->stop();
  (*server)->stop(kGrace);
  return 0;
}

}  // namespace schedlens::cli
