// SPDX-License-Identifier: Apache-2.0
#pragma once
// What each command does once its options are read: takes the cluster from its source, prints the
// screen or, with --json, the document of the API. Each returns the exit code of the program.

#include <iosfwd>
#include <string>
#include <vector>

#include "api/filter.h"
#include "api/usage_view.h"
#include "cli/source.h"
#include "cli/style.h"

namespace schedlens::cli {

enum ExitCode : int {
  kOk = 0,
  kFailure = 1,   // nothing could be read, or only in parts that are missing
  kUsage = 2,     // the command line is wrong
  kNotFound = 3,  // there is no such job or node
};

struct Context {
  Where where;
  bool json = false;
  Style style;
  std::ostream& out;
  std::ostream& err;
};

int run_status(Context& context);
int run_queue(Context& context, const api::WorkloadFilter& filter);
int run_nodes(Context& context, const api::NodeFilter& filter);
int run_job(Context& context, const std::string& id);
int run_node(Context& context, const std::string& name);
int run_why(Context& context, const std::string& id);
int run_why_all(Context& context);
int run_forecast(Context& context, const std::vector<std::string>& users);
int run_starvation(Context& context, Seconds at_least);
int run_frag(Context& context, bool all_nodes);
int run_efficiency(Context& context);
int run_usage(Context& context, const api::UsageChoice& choice);
int run_version(Context& context);
int run_metrics(Context& context);
int run_metrics_page(Context& context);  // docs/metrics.md
// With the details of these jobs, each a list like "12,13_4".
int run_snapshot_save(Context& context, const std::string& path,
                      const std::vector<std::string>& detailed_jobs);
int run_snapshot_show(Context& context);

}  // namespace schedlens::cli
