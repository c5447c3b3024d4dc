// SPDX-License-Identifier: Apache-2.0
// The commands on alerts and their rules.

#include <CLI/CLI.hpp>

#include "cli/alert_board.h"
#include "cli/alerts.h"
#include "cli/command_adder.h"

namespace schedlens::cli {
namespace {

void add_rules(CommandAdder& to, CLI::App& group) {
  auto& options = to.options;
  auto* sub = to.command(
      group, "rules", "The alert rules, as a rule file of Prometheus",
      "The same rules that schedlens evaluates itself; docs/alerts.md has them with what they "
      "mean.",
      "schedlens alerts rules > rules.yml; promtool check rules rules.yml",
      [&options](Context& context) { return run_alert_rules(context, options.alert_rules); });
  auto& chosen = options.alert_rules;
  sub->add_option("--rules", chosen.directory, "also the rule files of this directory")
      ->type_name("DIR");
  auto* tests = sub->add_option("--promtool-tests", chosen.promtool_tests,
                                "instead their tests, of the rules in this file, for promtool");
  tests->type_name("FILE");
  sub->add_flag("--markdown", chosen.markdown, "instead the page that documents them")
      ->excludes(tests);
}

void add_check(CommandAdder& to, CLI::App& group) {
  auto& options = to.options;
  auto* sub = to.command(
      group, "check", "Check rule files of one's own and run their tests",
      "The files are read after the stock rules, as those of the rule directory are. Errors name "
      "file, line and field.",
      "schedlens alerts check /etc/schedlens/alerts/*.yaml",
      [&options](Context& context) { return run_alert_check(context, options.files); });
  sub->add_option("FILE", options.files, "rule files")->required()->type_name("");
}

void add_list(CommandAdder& to, CLI::App& group) {
  auto& options = to.options;
  auto* sub = to.command(
      group, "list", "The alerts of a running server",
      "Those that fire with what they mean and what to do, those that are pending or have just "
      "ended, silences, and receivers that could not be told.",
      "schedlens alerts list --server http://head:9817",
      [&options](Context& context) { return run_alert_list(context, options.where.server); });
  sub->add_option("--server", options.where.server, "a running schedlens serve")
      ->required()
      ->type_name("URL");
  to.add_form(sub);
}

void add_silence(CommandAdder& to, CLI::App& group) {
  auto& silence = to.options.silence;
  auto* sub = to.command(
      group, "silence", "Tell nobody of some alerts for a while",
      "All labels must fit: alertname, severity, layer, and those of the rule. Done by a file in "
      "the server's data directory, which you must be allowed to write to; over HTTP nothing can "
      "be changed.",
      "schedlens alerts silence alertname=NodesDown --for 4h --comment 'rack 3 is moved' "
      "--data-dir "
      "/var/lib/schedlens\n"
      "  schedlens alerts silence partition=train --start 2026-12-06T22:00 --for 6h --every 7d "
      "--comment 'firmware night' --data-dir /var/lib/schedlens",
      [&silence](Context& context) { return run_silence(context, silence); });
  sub->add_option("LABEL=PATTERN", silence.matchers, "which: partition=train, alertname=Node*")
      ->required()
      ->type_name("");
  sub->add_option("--for", silence.duration, "how long: 2h (default), 3d")->type_name("TIME");
  sub->add_option("--start", silence.start, "from when; else from now")->type_name("TIME");
  sub->add_option("--every", silence.every, "again and again after so long, such as 7d")
      ->type_name("TIME");
  sub->add_option("--comment", silence.comment, "why")->required()->type_name("TEXT");
  sub->add_option("--author", silence.author, "who; else you")->type_name("NAME");
  auto* undo =
      to.command(group, "unsilence", "End a silence", "schedlens alerts list shows their numbers.",
                 "schedlens alerts unsilence 3 --data-dir /var/lib/schedlens",
                 [&silence](Context& context) { return run_unsilence(context, silence); });
  undo->add_option("ID", silence.id, "its number")->required()->type_name("");
  for (auto* one : {sub, undo}) {
    one->add_option("--data-dir", silence.data_dir, "the data directory of the server")
        ->required()
        ->type_name("DIR");
  }
}

}  // namespace

void add_alert_commands(CommandAdder& to) {
  auto* group = to.group("alerts", "Alerts, silences, and the rules behind them");
  group->require_subcommand(1);
  add_list(to, *group);
  add_silence(to, *group);
  add_rules(to, *group);
  add_check(to, *group);
}

}  // namespace schedlens::cli
