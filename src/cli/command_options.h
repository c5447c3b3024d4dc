// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "api/filter.h"
#include "api/usage_view.h"
#include "cli/alert_board.h"
#include "cli/alerts.h"
#include "cli/data_directory.h"
#include "cli/history_commands.h"
#include "cli/report.h"
#include "cli/serve.h"
#include "cli/source.h"

namespace schedlens::cli {

// What the options of all commands are read into.
struct Options {
  Where where;
  bool json = false, wide = false;
  bool pending = false, running = false, all = false;
  bool markdown = false;
  api::WorkloadFilter queue;
  api::NodeFilter nodes;
  bool out_of_service = false;
  std::string id, path;
  std::string usage_by = "owner";
  std::string at_least = "10m";
  api::UsageChoice usage;
  std::vector<std::string> detail;
  ServeOptions serve;
  AlertRuleOptions alert_rules;
  StoreCommandOptions store;
  SilenceOptions silence;
  std::vector<std::string> files;
  HistoryOptions history;
  ReportOptions report;
};

}  // namespace schedlens::cli
