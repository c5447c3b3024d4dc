// SPDX-License-Identifier: Apache-2.0
// The commands on alerts and their rules.

#include <CLI/CLI.hpp>

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

}  // namespace

void add_alert_commands(CommandAdder& to) {
  auto* group = to.group("alerts", "Alert rules");
  group->require_subcommand(1);
  add_rules(to, *group);
  add_check(to, *group);
}

}  // namespace schedlens::cli
