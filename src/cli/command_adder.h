// SPDX-License-Identifier: Apache-2.0
#pragma once
// Adds commands to the command line, and what several of them take. One file of commands each:
// commands_of_*.cc.

#include <functional>
#include <string>
#include <vector>

#include "cli/command_options.h"
#include "cli/commands.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace schedlens::cli {

inline constexpr const char* kExitCodes =
    "Exit codes: 0 done, 1 failed, 2 wrong command line, 3 no such job or node.";

class CommandAdder {
 public:
  using Action = std::function<int(Context&)>;
  // Both must outlive it; it must outlive the parsing.
  CommandAdder(CLI::App& app, Options& options_to_fill) : options(options_to_fill), app_(app) {}

  // For commands that belong together.
  CLI::App* group(const std::string& name, const std::string& what);
  // `more` is wrapped below the options of --help, the example below it.
  CLI::App* command(CLI::App& parent, const std::string& name, const std::string& what,
                    const std::string& more, const std::string& example, Action action);
  CLI::App* command(const std::string& name, const std::string& what, const std::string& more,
                    const std::string& example, Action action);

  // Where the cluster comes from.
  void add_source(CLI::App* sub);
  static std::vector<CLI::Option*> add_kube(CLI::App* sub, KubeOptions& kube);
  // Who is asked what pods use, beside the Metrics API.
  static void add_use(CLI::App* sub, KubeOptions& kube);
  // The form of the answer: --json, and --wide.
  CLI::Option* add_json(CLI::App* sub);
  void add_form(CLI::App* sub);
  static void add_list(CLI::App* sub, const std::string& name, std::vector<std::string>& list,
                       const std::string& what);

  Options& options;
  Action chosen;  // what the command that was given does

 private:
  CLI::App& app_;
};

void add_cluster_commands(CommandAdder& to);
void add_data_commands(CommandAdder& to);
void add_alert_commands(CommandAdder& to);
void add_history_commands(CommandAdder& to);
void add_store_commands(CommandAdder& to);

}  // namespace schedlens::cli
