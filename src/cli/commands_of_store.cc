// SPDX-License-Identifier: Apache-2.0
// The commands on a data directory.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>

#include "cli/command_adder.h"
#include "cli/data_directory.h"

namespace schedlens::cli {
namespace {

void add_directory(CLI::App* sub, StoreCommandOptions& chosen) {
  sub->add_option("--data-dir", chosen.directory, "the data directory")
      ->required()
      ->type_name("DIR");
}

void add_check(CommandAdder& to, CLI::App& group) {
  auto& chosen = to.options.store;
  auto* sub = to.command(
      group, "check", "Check every file, to its last point",
      "Beside a server or without one; nothing is changed. Ends with 1 when something is damaged, "
      "and names file and place on standard error. A server sets a damaged file aside when it "
      "comes upon it, and goes on with a new one.",
      "schedlens store check --data-dir /var/lib/schedlens",
      [&chosen](Context& context) { return run_store_check(context, chosen); });
  add_directory(sub, chosen);
  to.add_json(sub);
}

void add_compact(CommandAdder& to, CLI::App& group) {
  auto& chosen = to.options.store;
  auto* sub = to.command(
      group, "compact", "Bring the files in order and make them small",
      "While no server writes there. Brings files of older formats to this one, makes chunks and "
      "hourly sums of what is over, and rewrites each file without empty pages, for which it needs "
      "the size of one file more for a moment. Drops old files only beyond limits that are given "
      "here, and only for as many newer ones.",
      "schedlens store compact --data-dir /var/lib/schedlens --keep-points 15",
      [&chosen](Context& context) { return run_store_compact(context, chosen); });
  add_directory(sub, chosen);
  sub->add_option("--keep-points", chosen.raw_days, "drop points beyond so many days")
      ->type_name("DAYS")
      ->check(CLI::PositiveNumber.description(""));
  sub->add_option("--keep-hours", chosen.rollup_months, "drop hourly sums beyond so many months")
      ->type_name("MONTHS")
      ->check(CLI::PositiveNumber.description(""));
  sub->add_option("--keep-records", chosen.record_months, "drop records beyond so many months")
      ->type_name("MONTHS")
      ->check(CLI::PositiveNumber.description(""));
  sub->add_option("--max-size", chosen.max_bytes,
                  "drop the oldest as long as all is larger (500MB, 20GB)")
      ->type_name("SIZE")
      ->transform(CLI::AsSizeValue(false).description(""));
  to.add_json(sub);
}

void add_export(CommandAdder& to, CLI::App& group) {
  auto& chosen = to.options.store;
  auto* sub = to.command(
      group, "export", "Everything in it as lines of JSON, or as CSV",
      "Beside a server or without one. Points are lines that VictoriaMetrics imports "
      "(/api/v1/import), a series and two hours each; records have a line each that names their "
      "kind. Ends with 1 when a file could not be read, and says which; the others are there.",
      "schedlens store export --data-dir /var/lib/schedlens --what workloads --since 30d --csv",
      [&chosen](Context& context) { return run_store_export(context, chosen); });
  add_directory(sub, chosen);
  const auto kinds = export_kinds();
  CommandAdder::add_list(sub, "--what", chosen.what,
                         fmt::format("of {} (all but hours)", fmt::join(kinds, ", ")));
  sub->get_option("--what")->check(CLI::IsMember(kinds).description(""));
  sub->add_option("--since", chosen.since,
                  "from when: 7d for so long ago, or 2026-11-30T14:05; else all")
      ->type_name("TIME");
  sub->add_option("--until", chosen.until, "until when; else until the end")->type_name("TIME");
  sub->add_option("--series", chosen.series, "only the points of these: NAME{LABEL=\"VALUE\"}")
      ->type_name("SERIES");
  sub->add_flag("--csv", chosen.csv, "CSV of the one kind that --what names");
}

}  // namespace

void add_store_commands(CommandAdder& to) {
  auto* group = to.group("store", "The data directory");
  group->require_subcommand(1);
  add_check(to, *group);
  add_compact(to, *group);
  add_export(to, *group);
}

}  // namespace schedlens::cli
