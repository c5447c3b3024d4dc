// SPDX-License-Identifier: Apache-2.0
// The commands that show what is remembered.

#include <CLI/CLI.hpp>

#include "cli/command_adder.h"
#include "cli/history_commands.h"

namespace schedlens::cli {
namespace {

// Whose history, and of when.
void add_history_source(CommandAdder& to, CLI::App* sub) {
  auto& history = to.options.history;
  auto* server = sub->add_option("--server", history.where.server, "a running schedlens serve");
  auto* directory = sub->add_option("--data-dir", history.where.data_dir,
                                    "the data directory of one that runs here or has ended");
  server->type_name("URL");
  directory->type_name("DIR")->excludes(server);
  for (auto* option : {server, directory}) option->group("Where the history comes from");
  sub->add_option("--since", history.since,
                  "from when: 7d (default) for so long ago, or 2026-11-30T14:05")
      ->type_name("TIME");
  sub->add_option("--until", history.until, "until when; else until now")->type_name("TIME");
  to.add_form(sub);
}

// Only series are sent there.
void add_prometheus(CommandAdder& to, CLI::App* sub) {
  auto& where = to.options.history.where;
  auto* url = sub->add_option("--prometheus", where.prometheus,
                              "a Prometheus, or what answers as one, that they were sent to");
  auto* token = sub->add_option("--prometheus-token-file", where.token_file,
                                "the file with the token that it asks for");
  url->type_name("URL")->group("Where the history comes from");
  url->excludes(sub->get_option("--server"))->excludes(sub->get_option("--data-dir"));
  token->type_name("FILE")->group("Where the history comes from")->needs(url);
}

void add_limit(CommandAdder& to, CLI::App* sub) {
  sub->add_option("--limit", to.options.history.limit, "at most so many, the newest (1000)")
      ->type_name("N")
      ->check(CLI::Range(std::size_t{1}, api::kMostHistoryRecords));
}

void add_report(CommandAdder& to) {
  auto& report = to.options.report;
  auto* sub = to.command(
      "report", "How the week was: waits, use, failures, nodes, what changed",
      "Of the last whole week, Monday to Monday, or of the week that a day is in, beside the week "
      "before. Every number says how it was found. The page is one file, for the screen and for "
      "paper.",
      "schedlens report --week --format html --output week.html --server http://head:9817\n"
      "  schedlens report --week 2026-11-23 --data-dir /var/lib/schedlens",
      [&report](Context& context) { return run_report(context, report); });
  sub->add_option("--week", report.week, "the week with this day; else the last whole week")
      ->expected(0, 1)
      ->type_name("DAY");
  sub->add_option("--format", report.format, "markdown (default), html or json")
      ->check(CLI::IsMember({"markdown", "html", "json"}))
      ->type_name("FORM");
  sub->add_option("-o,--output", report.output, "into this file")->type_name("FILE");
  auto* server = sub->add_option("--server", report.where.server, "a running schedlens serve");
  auto* directory = sub->add_option("--data-dir", report.where.data_dir,
                                    "the data directory of one that runs here or has ended");
  server->type_name("URL");
  directory->type_name("DIR")->excludes(server);
  for (auto* option : {server, directory}) option->group("Where the history comes from");
  to.add_json(sub);
}

}  // namespace

void add_history_commands(CommandAdder& to) {
  add_report(to);
  auto& history = to.options.history;
  auto* group = to.group("history", "What was: ended jobs, nodes, configuration, metrics");
  group->require_subcommand(1);
  auto* job = to.command(
      *group, "job", "Runs of jobs and pods that have ended",
      "Of one job, or of all: how each ended, on which nodes, how long it waited and ran, and what "
      "it waited for as last seen.",
      "schedlens history job 1234 --server http://head:9817\n"
      "  schedlens history job --user alice --state FAILED --since 30d --data-dir "
      "/var/lib/schedlens",
      [&history](Context& context) { return run_history_job(context, history); });
  job->add_option("JOB", history.name, "12, 12_3, 12+1, or a pod")->type_name("");
  job->add_option("-u,--user", history.user, "of this user")->type_name("NAME");
  job->add_option("-A,--account", history.account, "of this account")->type_name("NAME");
  job->add_option("-p,--partition,-n,--namespace", history.queue, "in this partition or namespace")
      ->type_name("NAME");
  job->add_option("-t,--state", history.state, "that ended so: COMPLETED, FAILED, TIMEOUT, ...")
      ->type_name("STATE");
  auto* node =
      to.command(*group, "node", "When nodes left service and came back",
                 "Each change with the reason, who gave it, and how long the state lasted.",
                 "schedlens history node node0001 --since 90d --server http://head:9817",
                 [&history](Context& context) { return run_history_node(context, history); });
  node->add_option("NODE", history.name, "only this node")->type_name("");
  auto* alerts = to.command(
      *group, "alerts", "Alerts that fired",
      "Each with when it began, how long it lasted, and what it said when it ended or last.",
      "schedlens history alerts NodesDown --since 30d --server http://head:9817",
      [&history](Context& context) { return run_history_alerts(context, history); });
  alerts->add_option("RULE", history.name, "only of this rule")->type_name("");
  auto* config =
      to.command(*group, "config", "Changes of the scheduler's configuration, partitions and QOS",
                 "As the scheduler reports them, line by line: what went (-) and what came (+).",
                 "schedlens history config --since 30d --server http://head:9817",
                 [&history](Context& context) { return run_history_config(context, history); });
  auto* series = to.command(
      *group, "series", "The cluster's metrics over time",
      "Of one metric, all series or those with the labels that are given. Without one: which there "
      "are.",
      "schedlens history series 'schedlens_gpus_used{type=\"h100\"}' --since 2d --server "
      "http://head:9817",
      [&history](Context& context) { return run_history_series(context, history); });
  series->add_option("SERIES", history.name, "its name, and labels in {}")->type_name("");
  series->add_option("--step", history.step, "sum up so much time in one, such as 1h")
      ->type_name("TIME");
  for (auto* sub : {job, node, alerts, config, series}) add_history_source(to, sub);
  add_prometheus(to, series);
  for (auto* sub : {job, node, alerts}) add_limit(to, sub);
}

}  // namespace schedlens::cli
