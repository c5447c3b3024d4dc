// SPDX-License-Identifier: Apache-2.0
// The program as people call it, on a saved snapshot.

#include "cli/command_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <simdjson.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "alert/engine.h"
#include "alert/rule_set.h"
#include "cli/sample_cluster_test.h"
#include "http/server.h"
#include "model/snapshot_file.h"

namespace schedlens::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

struct Answer {
  int code;
  std::string out, err;
};

Answer call(const std::vector<std::string>& words) {
  std::ostringstream out, err;
  int code = run(words, out, err);
  return {code, out.str(), err.str()};
}

class CommandLine : public testing::Test {
 protected:
  void SetUp() override {
    auto name = testing::UnitTest::GetInstance()->current_test_info()->name();
    file_ = std::filesystem::temp_directory_path() /
            ("schedlens_cli_" + std::to_string(getpid()) + "_" + name + ".json.gz");
    ASSERT_TRUE(model::save_snapshot(test::sample_cluster(), file_).has_value());
  }
  void TearDown() override { std::filesystem::remove(file_); }

  Answer on_file(std::vector<std::string> words) const {
    words.insert(words.end(), {"--from", file_});
    return call(words);
  }

  std::string file_;
};

TEST_F(CommandLine, EveryScreenIsDrawn) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> screens = {
      {{"status"}, "1 Who holds the resources"},
      {{"queue"}, "202_[3-12]"},
      {{"nodes"}, "hopper2"},
      {{"job", "101"}, "alone on 2 of its nodes"},
      {{"node", "node0007"}, "ECC error on GPU 3"},
      {{"why", "201"}, "root cause"},
      {{"why", "--all"}, "13 jobs waiting for 64 GPUs"},
      {{"frag"}, "largest hole"},
      {{"efficiency"}, "stranded"},
      {{"metrics"}, "# TYPE schedlens_"}};
  for (const auto& [words, text] : screens) {
    auto answer = on_file(words);
    EXPECT_EQ(answer.code, 0) << words[0] << ": " << answer.err;
    EXPECT_THAT(answer.out, HasSubstr(text)) << words[0];
    EXPECT_THAT(answer.out, Not(HasSubstr("\x1b"))) << words[0];
    EXPECT_EQ(answer.err, "") << words[0];
  }
}

TEST_F(CommandLine, EveryDocumentIsJson) {
  const std::vector<std::vector<std::string>> all = {
      {"status"},       {"queue"},        {"nodes"}, {"job", "204"}, {"node", "node0001"},
      {"why", "202_5"}, {"why", "--all"}, {"frag"},  {"metrics"},    {"efficiency"}};
  for (auto words : all) {
    words.emplace_back("--json");
    auto answer = on_file(words);
    EXPECT_EQ(answer.code, 0) << words[0] << ": " << answer.err;
    simdjson::dom::parser parser;
    simdjson::dom::element document;
    EXPECT_EQ(parser.parse(answer.out).get(document), simdjson::SUCCESS) << words[0];
    EXPECT_EQ(std::int64_t(document["version"]), 1) << words[0];
  }
}

TEST_F(CommandLine, FiltersHoldForJsonToo) {
  for (const auto& [words, count] : std::vector<std::pair<std::vector<std::string>, std::int64_t>>{
           {{"queue", "--json"}, 10},
           {{"queue", "--json", "--user", "alice,erin"}, 3},
           {{"queue", "--json", "--user", "alice", "--user", "erin"}, 3},
           {{"queue", "--json", "--pending", "--gpus-min", "32"}, 1},
           {{"queue", "--json", "--all"}, 11},
           {{"nodes", "--json", "--drained"}, 3},
           {{"nodes", "--json", "--free-gpus", "2", "--gpu-type", "h100"}, 1}}) {
    auto answer = on_file(words);
    simdjson::dom::parser parser;
    simdjson::dom::element document;
    ASSERT_EQ(parser.parse(answer.out).get(document), simdjson::SUCCESS) << answer.err;
    EXPECT_EQ(std::int64_t(document["total"]), count);
  }
}

TEST_F(CommandLine, WhatIsNotThereIsNotFound) {
  auto job = on_file({"job", "999"});
  EXPECT_EQ(job.code, 3);
  EXPECT_THAT(job.err, HasSubstr("job 999 is not in the queue"));
  EXPECT_THAT(job.err, HasSubstr("sacct -j 999"));
  EXPECT_EQ(on_file({"why", "999"}).code, 3);
  auto node = on_file({"node", "node0O07"});
  EXPECT_EQ(node.code, 3);
  EXPECT_THAT(node.err, HasSubstr("did you mean node0007?"));
  EXPECT_EQ(on_file({"job", "abc"}).code, 2);
}

TEST_F(CommandLine, WrongWordsAreUsageErrors) {
  EXPECT_EQ(call({}).code, 2);
  EXPECT_EQ(call({"statsu"}).code, 2);
  EXPECT_EQ(call({"status", "--frobnicate"}).code, 2);
  EXPECT_EQ(call({"why"}).code, 2);
  EXPECT_EQ(call({"why", "1", "--all"}).code, 2);
  EXPECT_EQ(call({"status", "--gpu-resource", "example.com/gpu=half"}).code, 2);
  EXPECT_EQ(call({"metrics", "--json", "--markdown"}).code, 2);
  EXPECT_EQ(call({"queue", "--pending", "--running"}).code, 2);
  EXPECT_EQ(call({"status", "--server", "http://x", "--from", "y"}).code, 2);
  EXPECT_THAT(call({"statsu"}).err, HasSubstr("did you mean status?"));
  EXPECT_THAT(call({"queue", "--usre=x"}).err, HasSubstr("queue does not take --usre=x, did you"));
  EXPECT_THAT(call({"--slurm-bin", "/x", "status"}).err, HasSubstr("write it behind status"));
  EXPECT_THAT(call({"snapshot", "sav"}).err, HasSubstr("snapshot wants one of: save, show"));
  auto cause = on_file({"queue", "--cause", "fragmentatoin"});
  EXPECT_EQ(cause.code, 2);
  EXPECT_THAT(cause.err, HasSubstr("did you mean fragmentation?"));
}

TEST_F(CommandLine, EveryCommandHelpsWithAnExample) {
  for (std::vector<std::string> words :
       std::vector<std::vector<std::string>>{{"status"},
                                             {"queue"},
                                             {"nodes"},
                                             {"job"},
                                             {"node"},
                                             {"why"},
                                             {"frag"},
                                             {"efficiency"},
                                             {"metrics"},
                                             {"version"},
                                             {"serve"},
                                             {"snapshot", "save"},
                                             {"snapshot", "show"},
                                             {"store", "check"},
                                             {"store", "compact"},
                                             {"store", "export"}}) {
    words.emplace_back("--help");
    auto help = call(words);
    EXPECT_EQ(help.code, 0) << words[0];
    EXPECT_THAT(help.out, HasSubstr("Example:\n  schedlens " + words[0])) << words[0];
  }
  EXPECT_THAT(call({"--help"}).out, HasSubstr("Exit codes: 0 done"));
}

TEST_F(CommandLine, SnapshotsAreSavedAndShown) {
  auto copy = file_ + ".copy.json";
  auto saved = call({"snapshot", "save", copy, "--from", file_});
  EXPECT_EQ(saved.code, 0) << saved.err;
  auto before = model::load_snapshot(file_), after = model::load_snapshot(copy);
  std::filesystem::remove(copy);
  ASSERT_TRUE(before && after);
  EXPECT_EQ(model::snapshot_to_json(*before), model::snapshot_to_json(*after));
  auto told = call({"snapshot", "save", copy, "--from", file_, "--json"});
  EXPECT_THAT(told.out, HasSubstr("\"sources\""));
  auto unwritable = call({"snapshot", "save", "/nonexistent/x.json", "--from", file_});
  EXPECT_EQ(unwritable.code, 1);
  EXPECT_THAT(unwritable.err, HasSubstr("/nonexistent/x.json"));
  auto shown = call({"snapshot", "show", file_});
  EXPECT_EQ(shown.code, 0);
  EXPECT_THAT(shown.out, HasSubstr("10 nodes, 11 job records"));
  EXPECT_THAT(shown.out, HasSubstr("sdiag"));
  auto missing = call({"snapshot", "show", "/nonexistent/x.json"});
  EXPECT_EQ(missing.code, 1);
  EXPECT_THAT(missing.err, HasSubstr("/nonexistent/x.json"));
}

TEST_F(CommandLine, WithoutASchedulerItSaysWhatWasLookedFor) {
  auto empty =
      std::filesystem::temp_directory_path() / ("schedlens_no_slurm_" + std::to_string(getpid()));
  std::filesystem::create_directory(empty);
  auto answer = call({"status", "--slurm-bin", empty});
  std::filesystem::remove(empty);
  EXPECT_EQ(answer.code, 1);
  EXPECT_THAT(answer.err, HasSubstr(empty.string()));
  EXPECT_THAT(answer.err, HasSubstr("--from FILE"));
  EXPECT_EQ(answer.out, "");
}

TEST_F(CommandLine, AServerIsAskedAndOldDataAreAnnounced) {
  auto snapshot = test::sample_cluster();
  snapshot.time = {1'700'000'000};
  http::Router router;
  router.add("GET", "/api/v1/snapshot", [json = model::snapshot_to_json(snapshot)](const auto&) {
    return http::Response::json(json);
  });
  auto server = http::Server::start({}, std::move(router));
  ASSERT_TRUE(server.has_value());
  auto answer = call({"job", "101", "--server", (*server)->url()});
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_THAT(answer.out, HasSubstr("job 101"));
  EXPECT_THAT(answer.err, testing::MatchesRegex("schedlens: the server's data are .* old\n"));
}

TEST_F(CommandLine, AServerThatIsNotThereIsNamed) {
  auto answer = call({"status", "--server", "http://127.0.0.1:1"});
  EXPECT_EQ(answer.code, 1);
  EXPECT_THAT(answer.err, HasSubstr("http://127.0.0.1:1"));
}

TEST_F(CommandLine, Version) {
  EXPECT_THAT(call({"version"}).out, testing::MatchesRegex("schedlens [0-9]+\\.[0-9]+\\.[0-9]+\n"));
  EXPECT_EQ(call({"--version"}).out, call({"version"}).out);
  EXPECT_THAT(call({"version", "--json"}).out, HasSubstr("\"schedlens\": \""));
}

// Every metric and label that a stock rule names is one that is declared.
TEST(AlertCommands, TheStockRulesNameMetricsThatAreThere) {
  auto answer = call({"alerts", "rules"});
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_THAT(answer.out, HasSubstr("  - alert: NodesDown\n"));
  EXPECT_EQ(call({"alerts"}).code, 2);
  EXPECT_EQ(call({"alerts", "check"}).code, 2);
}

TEST(AlertCommands, CheckNamesWhatIsWrongAndRunsTests) {
  const auto path = std::filesystem::temp_directory_path() / fmt::format("rules_{}.yaml", getpid());
  std::ofstream(path) << "override:\n  NodesDown: {abov: 3}\n";
  auto wrong = call({"alerts", "check", path.string()});
  EXPECT_EQ(wrong.code, 1);
  EXPECT_THAT(wrong.err,
              HasSubstr(path.string() + ":2: override of NodesDown: unknown key 'abov'"));
  std::ofstream(path) << "tests:\n  - name: none\n    series: {schedlens_nodes: 1x5}\n"
                         "    expect: [{at: 3m, firing: [NodesDown]}]\n";
  auto failed = call({"alerts", "check", path.string()});
  EXPECT_EQ(failed.code, 1);
  EXPECT_THAT(failed.err, HasSubstr("what fires is nothing, expected NodesDown"));
  std::ofstream(path) << "override: {NodesDown: {above: 20%}}\n";
  auto right = call({"alerts", "check", path.string()});
  std::filesystem::remove(path);
  EXPECT_EQ(right.code, 0) << right.err;
  EXPECT_THAT(right.out, HasSubstr("no tests passed"));
  EXPECT_EQ(call({"alerts", "check", path.string()}).code, 1);
}

// The engine on the page that the program makes, for three hours: what it finds in the sample
// cluster, and nothing else.
TEST_F(CommandLine, TheStockRulesAreEvaluatedOnTheRealPage) {
  const auto page = on_file({"metrics"}).out;
  alert::Engine engine(alert::load_rules(alert::stock_rules()).value().rules);
  for (int minute = 0; minute <= 180; minute += 5) {
    alert::Input input;
    input.samples = alert::parse_page(page, engine.metrics());
    input.sources = alert::sources_of(input.samples);
    input.time = {test::sample_cluster().time.unix_seconds + minute * 60};
    engine.evaluate(input);
  }
  std::vector<std::string> firing;
  for (const auto* alert : engine.alerts()) {
    if (alert->firing()) firing.push_back(alert->rule + ": " + alert->summary);
  }
  EXPECT_THAT(firing, testing::ElementsAre(
                          "GpuCapacityLost: 25 % of the GPUs are out of service, on 3 nodes: "
                          "hopper1, node0006, node0007",
                          "JobsImpossible: waiting jobs that can never start: 1",
                          "SourceStale: sdiag cannot be read"));
}

// A state or cause that no series has would never fire. Families that the page leaves out in a
// single look are not looked at, nor are labels whose values a cluster gives.
TEST_F(CommandLine, TheStockRulesNameStatesThatThereAre) {
  const auto page = on_file({"metrics"}).out;
  alert::Engine engine(alert::load_rules(alert::stock_rules()).value().rules);
  const auto samples = alert::parse_page(page, engine.metrics());
  int checked = 0;
  auto check = [&](const alert::Rule& rule, const alert::Term& term) {
    for (const auto& matcher : term.matchers) {
      if (matcher.label != "state" && matcher.label != "class" && matcher.label != "event")
        continue;
      std::set<std::string> values;
      for (const auto& sample : samples) {
        if (sample.name == term.metric) values.emplace(alert::label(sample.labels, matcher.label));
      }
      if (values.empty()) continue;
      for (const auto& choice : matcher.pattern.choices()) {
        EXPECT_TRUE(values.contains(choice)) << rule.name << ": " << term.metric << " " << choice;
        ++checked;
      }
    }
  };
  for (const auto& rule : engine.rules()) {
    check(rule, rule.when.of);
    for (const auto& condition : rule.also) check(rule, condition.of);
  }
  EXPECT_GE(checked, 15);
}

}  // namespace
}  // namespace schedlens::cli
