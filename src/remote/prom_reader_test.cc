// SPDX-License-Identifier: Apache-2.0
#include "remote/prom_reader.h"

#include <gmock/gmock.h>

#include <cmath>

#include "net/scripted_server_test.h"
#include "remote/prom_answer.h"

namespace schedlens::remote {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Answers every request by a function of its path and form, and keeps both.
class FakeProm {
 public:
  using Answer = std::function<std::pair<std::string, std::string>(const std::string& form)>;
  explicit FakeProm(Answer answer)
      : answer_(std::move(answer)),
        server_([this](const std::string& head, net::test::Connection& c) {
          const auto form = c.read_body(head);
          forms.push_back(form);
          heads.push_back(head);
          const auto [status, body] = answer_(form);
          return c.send_answer(status, "application/json", body);
        }) {}

  PromReader reader(std::size_t request_points = 10'000) const {
    PromOptions options;
    options.url = server_.url("/prom/");
    options.request_points = request_points;
    options.most_requests = 5;
    options.most_points = 100;
    return PromReader(options);
  }

  std::vector<std::string> forms, heads;  // read when nothing is asked any more

 private:
  Answer answer_;
  net::test::ScriptedServer server_;
};

std::string matrix(const std::string& results, const std::string& more = "") {
  return R"({"status":"success",)" + more + R"("data":{"resultType":"matrix","result":[)" +
         results + "]}}";
}

memory::TimeRange seconds(std::int64_t from, std::int64_t to) {
  return {{from * 1000}, {to * 1000}};
}

TEST(PromAnswer, IsRead) {
  auto answer = read_matrix(matrix(
      R"({"metric":{"__name__":"up","job":"a"},"values":[[60,"1"],[120.5,"NaN"],[180,"+Inf"],[240,"-Inf"],[300,"1.5e3"]]})"));
  ASSERT_TRUE(answer) << answer.error().message();
  ASSERT_EQ(answer->data.size(), 1U);
  const auto& series = answer->data.front();
  EXPECT_EQ(memory::series_text(series.key), R"(up{job="a"})");
  ASSERT_EQ(series.points.size(), 5U);
  EXPECT_EQ(series.points[0].time.unix_ms, 60'000);
  EXPECT_EQ(series.points[1].time.unix_ms, 120'500);
  EXPECT_TRUE(std::isnan(series.points[1].value));
  EXPECT_EQ(series.points[2].value, HUGE_VAL);
  EXPECT_EQ(series.points[3].value, -HUGE_VAL);
  EXPECT_EQ(series.points[4].value, 1500);
}

TEST(PromAnswer, WhatIsNoneIsAnError) {
  for (const auto* bad :
       {"", "<html>", "[]", "{}", R"({"status":"success"})",
        R"({"status":"success","data":{"result":[{}]}})",
        R"({"status":"success","data":{"result":[{"metric":{},"values":[[1]]}]}})"}) {
    EXPECT_FALSE(read_matrix(bad)) << bad;
  }
  const auto refused = read_matrix(R"({"status":"error","errorType":"bad_data","error":"no"})");
  EXPECT_EQ(refused.error().message(), "bad_data: no");
}

TEST(Selector, QuotesWhatItIsGiven) {
  EXPECT_EQ(selector({"up", {}}), "up");
  EXPECT_EQ(selector({"up", {{"a", "x\"\\\n"}, {"b", ""}}}), R"(up{a="x\"\\\n",b=""})");
  EXPECT_EQ(selector({"", {{"a", "x"}}}), R"({a="x"})");
}

TEST(PromReader, PointsAreAskedForInParts) {
  FakeProm prom([](const std::string& form) {
    const bool first = form.find("start=60.000") != std::string::npos;
    return std::pair("200 OK",
                     matrix(first ? R"({"metric":{"a":"x"},"values":[[60,"1"],[120,"2"]]})"
                                  : R"({"metric":{"a":"x"},"values":[[180,"3"]]})"));
  });
  auto reader = prom.reader(2);
  auto points = reader.points({"load", {{"a", "x"}}}, seconds(30, 241), 60s);
  ASSERT_TRUE(points) << points.error().message();
  ASSERT_EQ(points->size(), 1U);
  EXPECT_EQ(memory::series_text(points->front().key), R"(load{a="x"})");
  std::vector<double> values;
  for (const auto& point : points->front().points) values.push_back(point.value);
  EXPECT_THAT(values, ElementsAre(1, 2, 3));
  ASSERT_EQ(prom.forms.size(), 2U);
  EXPECT_EQ(prom.forms[0],
            "query=last_over_time%28load%7Ba%3D%22x%22%7D%5B59999ms%5D%29&start=60.000&end=120.000"
            "&step=60.000&nocache=1");
  EXPECT_THAT(prom.forms[1], HasSubstr("start=180.000&end=240.000&"));
  EXPECT_THAT(prom.heads[0], HasSubstr("POST /prom/api/v1/query_range HTTP"));
  EXPECT_THAT(prom.heads[0], HasSubstr("application/x-www-form-urlencoded"));
}

TEST(PromReader, BucketsAreSumsOfWholeSteps) {
  FakeProm prom([](const std::string& form) {
    // Of the hour from 3600 on; the last function sees one more, that came meanwhile.
    const auto value = [&](const char* name, const char* v) {
      return form.find(std::string("query=") + name) != std::string::npos ? v : nullptr;
    };
    const char* found = nullptr;
    for (const auto& [name, v] : {std::pair("count", "60"), std::pair("sum", "90"),
                                  std::pair("min", "1"), std::pair("max", "4")}) {
      if (auto* it = value(name, v)) found = it;
    }
    if (!found) {
      return std::pair("200 OK",
                       matrix(R"({"metric":{},"values":[[7199.999,"2"],[10799.999,"9"]]})"));
    }
    return std::pair(
        "200 OK", matrix(R"({"metric":{},"values":[[7199.999,")" + std::string(found) + R"("]]})"));
  });
  auto reader = prom.reader();
  auto buckets = reader.buckets({"load", {}}, seconds(4000, 10'000), 1h);
  ASSERT_TRUE(buckets) << buckets.error().message();
  ASSERT_EQ(buckets->size(), 1U);
  ASSERT_EQ(buckets->front().buckets.size(), 1U);
  const auto& bucket = buckets->front().buckets.front();
  EXPECT_EQ(bucket.start.unix_ms, 3'600'000);
  EXPECT_EQ(bucket.summary.n, 60U);
  EXPECT_EQ(bucket.summary.mean(), 1.5);
  EXPECT_EQ(bucket.summary.min, 1);
  EXPECT_EQ(bucket.summary.max, 4);
  EXPECT_EQ(bucket.summary.last, 2);
  ASSERT_EQ(prom.forms.size(), 5U);
  EXPECT_EQ(prom.forms[0],
            "query=count_over_time%28load%5B3600000ms%5D%29&start=7199.999&end=10799.999"
            "&step=3600.000&nocache=1");
}

TEST(PromReader, NamesAreSorted) {
  FakeProm prom([](const std::string&) {
    return std::pair(
        "200 OK",
        R"({"status":"success","data":[{"__name__":"b"},{"__name__":"a","x":"2"},{"__name__":"a","x":"1"}]})");
  });
  auto reader = prom.reader();
  auto names = reader.series({"", {}}, seconds(0, 100));
  ASSERT_TRUE(names) << names.error().message();
  std::vector<std::string> texts;
  for (const auto& key : *names) texts.push_back(memory::series_text(key));
  EXPECT_THAT(texts, ElementsAre(R"(a{x="1"})", R"(a{x="2"})", "b"));
  EXPECT_THAT(prom.forms[0], HasSubstr("start=0.000&end=99.999"));
}

TEST(PromReader, SaysWhatTheServerSays) {
  FakeProm refusing([](const std::string&) {
    return std::pair("422 Unprocessable Entity",
                     R"({"status":"error","errorType":"execution","error":"too many samples"})");
  });
  auto reader = refusing.reader();
  EXPECT_THAT(reader.points({"load", {}}, seconds(0, 100), 60s).error().message(),
              HasSubstr("/prom/api/v1/query_range: status 422: execution: too many samples"));
  FakeProm warning([](const std::string&) {
    return std::pair("200 OK", matrix("", R"("warnings":["store 2 is away"],"isPartial":true,)"));
  });
  auto other = warning.reader();
  ASSERT_TRUE(other.buckets({"load", {}}, seconds(0, 100), 60s));
  EXPECT_THAT(other.take_problems(), ElementsAre("store 2 is away", HasSubstr("not complete")))
      << "each once";
  EXPECT_THAT(other.take_problems(), IsEmpty());
}

TEST(PromReader, DoesNotAskForTooMuch) {
  FakeProm prom([](const std::string&) {
    std::string values;
    for (int i = 0; i < 101; ++i) values += (i ? ",[" : "[") + std::to_string(i) + ",\"1\"]";
    return std::pair("200 OK", matrix(R"({"metric":{},"values":[)" + values + "]}"));
  });
  auto reader = prom.reader(10);
  // Five requests of ten steps each reach until 3000 s.
  EXPECT_THAT(reader.points({"load", {}}, seconds(60, 3061), 60s).error().message(),
              HasSubstr("51 steps are too many"));
  EXPECT_THAT(prom.forms, IsEmpty());
  EXPECT_THAT(reader.points({"load", {}}, seconds(60, 3060), 60s).error().message(),
              HasSubstr("more than 100 points"));
  EXPECT_FALSE(reader.points({"", {{"a", "x"}}}, seconds(60, 3060), 60s));
  EXPECT_FALSE(reader.points({"load", {}}, {}, 60s));
}

}  // namespace
}  // namespace schedlens::remote
