// SPDX-License-Identifier: Apache-2.0
// The commands on a data directory as people call them.

#include <gmock/gmock.h>
#include <simdjson.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/text.h"
#include "cli/command_line.h"
#include "memory/reader.h"
#include "memory/store.h"

namespace schedlens::cli {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr std::int64_t kDecember = 1'796'083'200;  // 2026-12-01T00:00:00Z

struct Answer {
  int code;
  std::string out, err;
};

class StillClock final : public os::Clock {
 public:
  Timestamp now() const override { return {kDecember + 200'000}; }
};

class DataDirectory : public testing::Test {
 protected:
  void SetUp() override {
    const auto* name = testing::UnitTest::GetInstance()->current_test_info()->name();
    dir_ = fs::temp_directory_path() / ("schedlens_data_" + std::to_string(getpid()) + "_" + name);
    fs::remove_all(dir_);
    StillClock clock;
    memory::StoreOptions options;
    options.tend_interval = options.seal_after = std::chrono::hours(1);
    auto store = memory::Store::open(dir_, options, clock);
    ASSERT_TRUE(store) << store.error().message();
    const auto gpus = (*store)->series(memory::make_key("gpus", {{"queue", "a,b"}}));
    const auto odd = (*store)->series(memory::make_key("odd"));
    (*store)->append({{gpus, at(0), 4},
                      {gpus, at(60), 4.5},
                      {gpus, at(86'400), 8},
                      {odd, at(30), std::nan("")},
                      {odd, at(31), INFINITY}});
    memory::EndedWorkload job;
    job.scheduler = "slurm";
    job.id = "77";
    job.name = R"(say "hi", twice)";
    job.ended = {kDecember + 100};
    job.started = Timestamp{kDecember + 40};
    job.nodes = {"n1", "n2"};
    job.gpus = 16;
    job.gpu_seconds = 960.5;
    job.state = "COMPLETED";
    (*store)->put(job);
    (*store)->put(memory::NodeChange{{kDecember + 90'000}, "n1", "", "DOWN", "", "", {}, {}});
    (*store)->set_state("seen", "yes");
    ASSERT_TRUE((*store)->flush(std::chrono::seconds(20)));
  }
  void TearDown() override { fs::remove_all(dir_); }

  static memory::Moment at(std::int64_t seconds) { return {(kDecember + seconds) * 1000}; }

  Answer call(std::vector<std::string> words) const {
    words.insert(words.begin(), "store");
    words.insert(words.end(), {"--data-dir", dir_.string()});
    std::ostringstream out, err;
    const int code = run(words, out, err);
    return {code, out.str(), err.str()};
  }
  void damage(const std::string& name) const {
    std::ofstream(dir_ / name, std::ios::trunc) << std::string(9000, 'z');
  }

  fs::path dir_;
};

TEST_F(DataDirectory, CheckCountsWhatIsWhole) {
  auto answer = call({"check"});
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_EQ(answer.err, "");
  EXPECT_THAT(answer.out, HasSubstr("FILE                  HOLDS"));
  std::vector<std::string> lines;
  for (const auto line : split(answer.out, '\n')) {
    std::vector<std::string> words;
    for (const auto word : split(line, ' ')) {
      if (!word.empty()) words.emplace_back(word);
    }
    // The size follows SQLite's pages.
    if (words.size() > 6) words.erase(words.begin() + 2, words.begin() + 4);
    lines.push_back(fmt::format("{}", fmt::join(words, " ")));
  }
  ASSERT_GE(lines.size(), 6U);
  EXPECT_EQ(lines[1], "state.db state - 1 whole");
  EXPECT_EQ(lines[2], "records-2026-12.db records - 2 whole");
  EXPECT_EQ(lines[3], "series-2026-12-01.db points 2 4 whole");
  EXPECT_EQ(lines[4], "series-2026-12-02.db points 1 1 whole");
  EXPECT_THAT(lines[5], HasSubstr("all whole"));
}

TEST_F(DataDirectory, CheckNamesWhatIsDamaged) {
  damage("records-2026-12.db");
  auto answer = call({"check"});
  EXPECT_EQ(answer.code, 1);
  EXPECT_THAT(answer.out, HasSubstr("damaged"));
  EXPECT_THAT(answer.err, HasSubstr("records-2026-12.db: read the format: file is not a database"));
  answer = call({"check", "--json"});
  EXPECT_EQ(answer.code, 1);
  simdjson::dom::parser parser;
  simdjson::dom::element json;
  ASSERT_EQ(parser.parse(answer.out).get(json), simdjson::SUCCESS) << answer.out;
  EXPECT_FALSE(json["whole"].get_bool().value());
  EXPECT_EQ(json["files"].at(1)["file"].get_string().value(), "records-2026-12.db");
  EXPECT_EQ(json["files"].at(1)["problems"].get_array().size(), 1U);
  EXPECT_EQ(json["files"].at(2)["entries"].get_int64().value(), 4);
  EXPECT_EQ(json["files"].at(2)["problems"].get_array().size(), 0U);
}

TEST_F(DataDirectory, CompactSealsAndSetsAside) {
  damage("records-2026-12.db");
  auto answer = call({"compact"});
  EXPECT_EQ(answer.code, 1);
  EXPECT_THAT(answer.err, HasSubstr("records-2026-12.db.damaged-"));
  EXPECT_THAT(answer.err, HasSubstr("was damaged and is set aside"));
  answer = call({"compact", "--json"});
  EXPECT_EQ(answer.code, 0) << answer.err;
  simdjson::dom::parser parser;
  simdjson::dom::element json;
  ASSERT_EQ(parser.parse(answer.out).get(json), simdjson::SUCCESS) << answer.out;
  for (auto file : json["files"].get_array()) {
    EXPECT_TRUE(file["problem"].is_null());
    EXPECT_FALSE(file["dropped"].get_bool().value());
  }
  answer = call({"check"});
  EXPECT_EQ(answer.code, 0);
  EXPECT_THAT(answer.out, HasSubstr("was found damaged before and set aside"));
}

TEST_F(DataDirectory, CompactDropsOnlyWhatItIsTold) {
  EXPECT_EQ(call({"compact"}).code, 0);
  EXPECT_TRUE(fs::exists(dir_ / "series-2026-12-01.db"));
  auto answer = call({"compact", "--max-size", "1KB"});
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_THAT(answer.out, HasSubstr("dropped"));
  EXPECT_FALSE(fs::exists(dir_ / "series-2026-12-01.db"));
  EXPECT_TRUE(fs::exists(dir_ / "series-2026-12-02.db"));  // the newest stays
  EXPECT_EQ(call({"compact", "--keep-points", "0"}).code, 2);
}

TEST_F(DataDirectory, CompactIsRefusedBesideAServer) {
  StillClock clock;
  auto store = memory::Store::open(dir_, {}, clock);
  ASSERT_TRUE(store);
  auto answer = call({"compact"});
  EXPECT_EQ(answer.code, 1);
  EXPECT_THAT(answer.err, HasSubstr("is written to by process"));
  EXPECT_EQ(call({"check"}).code, 0);
  EXPECT_EQ(call({"export"}).code, 0);
}

TEST_F(DataDirectory, ExportIsALineOfJsonForEach) {
  auto answer = call({"export"});
  EXPECT_EQ(answer.code, 0) << answer.err;
  ASSERT_TRUE(answer.out.ends_with('\n'));
  const auto lines = split(answer.out, '\n');
  ASSERT_EQ(lines.size(), 7U);  // the last is empty
  EXPECT_EQ(lines[0], R"({"metric":{"__name__":"gpus","queue":"a,b"},"values":[4,4.5],)"
                      R"("timestamps":[1796083200000,1796083260000]})");
  EXPECT_EQ(lines[1], R"({"metric":{"__name__":"odd"},"values":[null,"Infinity"],)"
                      R"("timestamps":[1796083230000,1796083231000]})");
  EXPECT_THAT(std::string(lines[2]), HasSubstr("[1796169600000]"));
  EXPECT_THAT(std::string(lines[3]),
              testing::AllOf(HasSubstr(R"({"record":"workload","scheduler":"slurm","id":"77",)"),
                             HasSubstr(R"("name":"say \"hi\", twice")"),
                             HasSubstr(R"("nodes":["n1","n2"],"gpu_seconds":960.5)"),
                             HasSubstr(R"("exit_code":null)")));
  EXPECT_THAT(std::string(lines[4]), HasSubstr(R"({"record":"node_change","time":1796173200)"));
  EXPECT_THAT(std::string(lines[5]), HasSubstr(R"({"record":"state","key":"seen","value":"yes")"));
}

TEST_F(DataDirectory, ExportOfATimeAndASeries) {
  auto answer = call({"export", "--what", "points", "--csv", "--since", "2026-12-01T00:00:30Z",
                      "--until", "2026-12-02Z", "--series", R"(gpus{queue="a,b"})"});
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_EQ(answer.out,
            "time_ms,series,value\n"
            "1796083260000,\"gpus{queue=\"\"a,b\"\"}\",4.5\n");
  answer = call({"export", "--what", "node_changes", "--csv"});
  EXPECT_EQ(answer.out,
            "time,node,from_state,to_state,reason,author,reason_since,gpus\n"
            "1796173200,n1,,DOWN,,,,\n");
  answer = call({"export", "--what", "hours", "--csv", "--until", "2026-12-01T01:00:00Z"});
  EXPECT_EQ(answer.out,
            "start_ms,series,n,sum,min,max,last\n"
            "1796083200000,\"gpus{queue=\"\"a,b\"\"}\",2,8.5,4,4.5,4.5\n"
            "1796083200000,odd,1,inf,inf,inf,inf\n");
}

TEST_F(DataDirectory, ExportSaysWhatIsMissing) {
  damage("series-2026-12-01.db");
  auto answer = call({"export"});
  EXPECT_EQ(answer.code, 1);
  EXPECT_THAT(answer.err, HasSubstr("left out: "));
  EXPECT_THAT(answer.err, HasSubstr("series-2026-12-01.db"));
  EXPECT_THAT(answer.out, HasSubstr("1796169600000"));
  EXPECT_THAT(answer.out, HasSubstr(R"("record":"workload")"));
}

TEST_F(DataDirectory, WrongWordsAreUsageErrors) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"export", "--csv"}, "--csv wants one kind"},
      {{"export", "--what", "jobs"}, "jobs"},
      {{"export", "--since", "yesterday"}, "--since: 'yesterday' is no time"},
      {{"export", "--since", "1d", "--until", "2d"}, "--until is not after --since"},
      {{"export", "--series", "x{y}"}, "--series: 'x{y}' is no series"},
      {{"check", "--what", "points"}, "check does not take --what"},
      {{"lose"}, "store"}};
  for (const auto& [words, text] : cases) {
    auto answer = call(words);
    EXPECT_EQ(answer.code, 2) << words[0];
    EXPECT_THAT(answer.err, HasSubstr(text)) << words[0];
    EXPECT_EQ(answer.out, "") << words[0];
  }
  std::ostringstream out, err;
  EXPECT_EQ(run({"store", "check", "--data-dir", "/nonexistent/dir"}, out, err), 1);
  EXPECT_THAT(err.str(), HasSubstr("/nonexistent/dir: No such file or directory"));
  EXPECT_EQ(run({"store", "check"}, out, err), 2);
}

}  // namespace
}  // namespace schedlens::cli
