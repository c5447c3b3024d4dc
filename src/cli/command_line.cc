// SPDX-License-Identifier: Apache-2.0
#include "cli/command_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <iostream>
#include <optional>

#include "base/text.h"
#include "cli/command_adder.h"
#include "cli/version.h"

namespace schedlens::cli {
namespace {

// CLI11's own words for an option tell of its mechanics ("TEXT ... Excludes: --all"); this tells
// only what its value is.
class Help : public CLI::Formatter {
 public:
  Help() { column_width(28); }
  std::string make_option_opts(const CLI::Option* option) const override {
    return option->get_items_expected_max() == 0 ? "" : " " + option->get_type_name();
  }
};

class CommandLine {
 public:
  CommandLine(std::ostream& out, std::ostream& err) : out_(out), err_(err) {
    app_.description(
        "Watches AI-cluster schedulers and explains them: who holds the resources, why "
        "jobs wait, whether the scheduler is healthy.");
    app_.footer(fmt::format("schedlens COMMAND --help says more about each.\n{}", kExitCodes));
    app_.formatter(std::make_shared<Help>());
    app_.require_subcommand(1);
    app_.set_version_flag("--version", fmt::format("schedlens {}", kVersion));
    add_cluster_commands(adder_);
    add_alert_commands(adder_);
    add_history_commands(adder_);
    add_store_commands(adder_);
    add_data_commands(adder_);
  }

  int run(std::vector<std::string> words) {
    if (auto wrong = unknown_command(words); !wrong.empty()) return usage(wrong);
    std::reverse(words.begin(), words.end());
    try {
      app_.parse(words);
    } catch (const CLI::ExtrasError& error) {
      return usage(unknown_words());
    } catch (const CLI::RequiredError& error) {
      return usage(missing_subcommand().value_or(error.what()));
    } catch (const CLI::ParseError& error) {
      if (error.get_exit_code() != 0) return usage(error.what());
      app_.exit(error, out_, err_);  // --help, --version
      return kOk;
    }
    Context context{options_.where, options_.json,
                    &out_ == &std::cout ? style_of(STDOUT_FILENO, options_.wide) : Style{}, out_,
                    err_};
    return adder_.chosen(context);
  }

 private:
  int usage(std::string_view what) {
    err_ << "schedlens: " << printable(what) << "; schedlens --help lists the commands\n";
    return kUsage;
  }

  std::string unknown_command(const std::vector<std::string>& words) const {
    if (words.empty()) return "no command is given";
    std::vector<std::string> names;
    for (const auto* sub : app_.get_subcommands(nullptr)) names.push_back(sub->get_name());
    const auto& word = words[0];
    if (word.starts_with('-') || std::find(names.begin(), names.end(), word) != names.end()) {
      return "";
    }
    auto near = nearest(word, names);
    return fmt::format("no command is called {}{}", word,
                       near ? fmt::format(", did you mean {}?", *near) : "");
  }

  const CLI::App& given_command() const {
    const CLI::App* command = &app_;
    while (!command->get_subcommands().empty()) command = command->get_subcommands().front();
    return *command;
  }

  // For a command that has commands of its own.
  std::optional<std::string> missing_subcommand() const {
    std::vector<std::string> names;
    for (const auto* sub : given_command().get_subcommands(nullptr))
      names.push_back(sub->get_name());
    if (names.empty()) return std::nullopt;
    return fmt::format("{} wants one of: {}", given_command().get_name(), fmt::join(names, ", "));
  }

  // What the command that was given does not take.
  std::string unknown_words() const {
    const auto* command = &given_command();
    std::vector<std::string> names;
    for (const auto* option : command->get_options()) {
      for (const auto& name : option->get_lnames()) names.push_back("--" + name);
    }
    auto extra = app_.remaining(true);
    auto word = extra.empty() ? std::string() : extra.front();
    auto name = word.substr(0, word.find('='));
    if (std::find(names.begin(), names.end(), name) != names.end()) {
      return fmt::format("{} stands before its command; write it behind {}", word,
                         command->get_name());
    }
    auto near = word.starts_with('-') ? nearest(name, names) : std::nullopt;
    return fmt::format("{} does not take {}{}", command->get_name(), word,
                       near ? fmt::format(", did you mean {}?", *near) : "");
  }

  std::ostream& out_;
  std::ostream& err_;
  Options options_;
  CLI::App app_{"", "schedlens"};
  CommandAdder adder_{app_, options_};
};

}  // namespace

int run(const std::vector<std::string>& words, std::ostream& out, std::ostream& err) {
  return CommandLine(out, err).run(words);
}

}  // namespace schedlens::cli
