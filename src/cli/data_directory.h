// SPDX-License-Identifier: Apache-2.0
#pragma once
// The commands on a data directory. Each returns the exit code of the program.

#include <string>
#include <vector>

#include "cli/commands.h"
#include "memory/store.h"

namespace schedlens::cli {

struct StoreCommandOptions {
  std::string directory;
  // Of compact; what is not given drops nothing.
  int raw_days = 0, rollup_months = 0, record_months = 0;
  std::uint64_t max_bytes = 0;
  // Of export.
  std::vector<std::string> what;  // of export_kinds(); empty: all but the hours
  std::string since, until;       // parse_when
  std::string series;             // NAME{LABEL="VALUE",...}
  bool csv = false;
};

int run_store_check(Context& context, const StoreCommandOptions& options);
int run_store_compact(Context& context, const StoreCommandOptions& options);
int run_store_export(Context& context, const StoreCommandOptions& options);

// "points", "hours", "workloads", ...
std::vector<std::string> export_kinds();

}  // namespace schedlens::cli
