// SPDX-License-Identifier: Apache-2.0
// The parts that rules are made of: patterns, amounts, windows, silences, a page of metrics.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alert/amounts.h"
#include "alert/input.h"
#include "alert/promql.h"
#include "alert/rules_test.h"
#include "alert/silence.h"
#include "alert/summary.h"
#include "alert/window.h"

namespace schedlens::alert {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Pattern, TakesChoicesStarsAndTheirOpposite) {
  EXPECT_TRUE(Pattern("down|drain*").matches("draining"));
  EXPECT_FALSE(Pattern("down|drain*").matches("downed"));
  EXPECT_FALSE(Pattern("!down|drain*").matches("down"));
  EXPECT_TRUE(Pattern("!down|drain*").matches("idle"));
  EXPECT_TRUE(Pattern("*b*b*").matches("abba"));
  EXPECT_FALSE(Pattern("*b*b*").matches("aba"));
  EXPECT_TRUE(Pattern("").matches(""));
  EXPECT_FALSE(Pattern("").matches("x"));
  EXPECT_TRUE(Pattern("a\\*b\\|c").matches("a*b|c"));
  EXPECT_FALSE(Pattern("a\\*b\\|c").matches("axb"));
  EXPECT_TRUE(Pattern(std::string(60, '*') + "x").matches(std::string(5000, 'a') + "x"));
}

TEST(Pattern, IsTheSameInPromQL) {
  EXPECT_EQ(Pattern("down").promql("state"), R"(state="down")");
  EXPECT_EQ(Pattern("!down").promql("state"), R"(state!="down")");
  EXPECT_EQ(Pattern("5*|a.b").promql("code"), R"(code=~"5.*|a\\.b")");
  EXPECT_EQ(Pattern("!a|b").promql("x"), R"(x!~"a|b")");
  EXPECT_EQ(Pattern("a\\*b").promql("x"), R"(x=~"a\\*b")");
}

TEST(SeriesName, IsTakenApart) {
  auto series = parse_series(R"( x:y_1{ a = "b\"c" , d="" } )");
  ASSERT_TRUE(series.has_value()) << series.error().message();
  EXPECT_EQ(series->name, "x:y_1");
  EXPECT_EQ(series->labels, (Labels{{"a", "b\"c"}, {"d", ""}}));
  EXPECT_EQ(labels_text(series->labels), R"({a="b\"c",d=""})");
  for (const char* wrong :
       {"", "{a=\"b\"}", "x{a=\"b\"", "x{a=b}", "x{a=\"b\"} y", "x y", "x{a=\"b\" c=\"d\"}"}) {
    EXPECT_FALSE(parse_series(wrong).has_value()) << wrong;
  }
}

TEST(Amounts, AreNumbersSharesAndDurations) {
  EXPECT_EQ(parse_amount("15%").value(), 0.15);
  EXPECT_EQ(parse_amount("0.25").value(), 0.25);
  EXPECT_EQ(parse_amount("1d2h").value(), 93'600);
  EXPECT_EQ(parse_span("1h30m").value(), Seconds{5400});
  EXPECT_EQ(span_text({5400}), "1h30m");
  EXPECT_EQ(span_text({0}), "0s");
  for (const char* wrong : {"", "5", "m", "5m5h", "5m5m", "-5m", "1y", "9999999999s", "400d"}) {
    EXPECT_FALSE(parse_span(wrong).has_value()) << wrong;
  }
}

Timestamp minute(std::int64_t n) {
  return {1'700'000'000 + 60 * n};
}

TEST(Window, AddsUpGrowthOverSeriesAndResets) {
  Window window(Seconds{600});
  auto step = [&](int m, double a, double b) {
    window.take({}, {{"s", "a"}}, a, minute(m));
    window.take({}, {{"s", "b"}}, b, minute(m));
    window.close(minute(m));
  };
  step(0, 100, 1000);
  EXPECT_FALSE(window.growth({}, minute(0)).has_value());
  step(1, 101, 1010);
  step(2, 3, 1010);  // a has started again
  step(3, 4, 1010);
  auto growth = window.growth({}, minute(3));
  ASSERT_TRUE(growth.has_value());
  EXPECT_EQ(growth->increase, 1 + 10 + 3 + 1);
  EXPECT_EQ(growth->covered, Seconds{180});
  EXPECT_FALSE(growth->full);
  for (int m = 4; m <= 20; ++m) step(m, 4, 1010 + m);
  EXPECT_EQ(window.growth({}, minute(20))->increase, 10);  // of ten minutes
  EXPECT_EQ(window.growth({}, minute(20))->covered, Seconds{600});
  EXPECT_TRUE(window.growth({}, minute(20))->full);
  EXPECT_FALSE(window.growth({}, minute(21)).has_value());  // nothing was seen then
}

TEST(Window, ANewSeriesIsNoGrowth) {
  Window window(Seconds{600});
  window.take({}, {{"s", "a"}}, 5, minute(0));
  window.close(minute(0));
  window.take({}, {{"s", "a"}}, 6, minute(1));
  window.take({}, {{"s", "new"}}, 5000, minute(1));
  window.close(minute(1));
  EXPECT_EQ(window.growth({}, minute(1))->increase, 1);
}

TEST(Window, AHoleAsLongAsTheWindowBeginsAnew) {
  Window window(Seconds{600});
  for (int m : {0, 1, 20, 21}) {
    window.take({}, {}, m * 10, minute(m));
    window.close(minute(m));
  }
  EXPECT_EQ(window.growth({}, minute(21))->increase, 10);
  EXPECT_EQ(window.growth({}, minute(21))->covered, Seconds{60});
}

TEST(Window, KeepsFewPointsOfMany) {
  Window window(Seconds{86'400});
  for (int second = 0; second < 200'000; second += 15) {
    window.take({}, {}, second, {second});
    window.close({second});
  }
  EXPECT_LT(window.all_groups().at({}).points.size(), 140u);
  const auto growth = window.growth({}, {199'995});
  EXPECT_NEAR(growth->increase, 86'400, 864);
  EXPECT_EQ(growth->increase, static_cast<double>(growth->covered.value));
}

Silence a_silence() {
  Silence silence;
  silence.matchers = {parse_matcher("node = n1*").value()};
  silence.from = minute(0);
  silence.until = minute(10);
  silence.author = "amy";
  silence.comment = "disk";
  return silence;
}

TEST(Silences, HoldForTheirTime) {
  Silences silences;
  const auto id = silences.add(a_silence(), minute(0)).value();
  EXPECT_NE(silences.covering({{"node", "n12"}}, minute(0)), nullptr);
  EXPECT_EQ(silences.covering({{"node", "n2"}}, minute(5)), nullptr);
  EXPECT_EQ(silences.covering({{"node", "n12"}}, minute(10)), nullptr);
  silences.forget_old(minute(10 + 24 * 60));
  EXPECT_EQ(silences.all().size(), 1u);
  silences.forget_old(minute(11 + 24 * 60));
  EXPECT_EQ(silences.all().size(), 0u);
  EXPECT_THAT(silences.remove(id).error().message(), HasSubstr("no silence 1"));
}

TEST(Silences, AMaintenanceWindowComesBack) {
  Silences silences;
  auto window = a_silence();
  window.every = Seconds{7 * 86'400};
  ASSERT_TRUE(silences.add(window, minute(600)).has_value());
  const Labels labels = {{"node", "n1"}};
  const std::int64_t week = 7 * 24 * 60;
  EXPECT_EQ(silences.covering(labels, minute(-week)), nullptr);
  EXPECT_NE(silences.covering(labels, minute(9)), nullptr);
  EXPECT_EQ(silences.covering(labels, minute(11)), nullptr);
  EXPECT_NE(silences.covering(labels, minute(3 * week + 9)), nullptr);
  EXPECT_EQ(silences.covering(labels, minute(3 * week + 10)), nullptr);
  silences.forget_old(minute(10 * week));
  EXPECT_EQ(silences.all().size(), 1u);
}

TEST(Silences, AreRefusedWithWhatIsMissing) {
  Silences silences;
  auto refused = [&](auto change) {
    auto silence = a_silence();
    change(silence);
    auto added = silences.add(silence, minute(0));
    return added ? std::string() : added.error().message();
  };
  EXPECT_THAT(refused([](Silence& s) { s.matchers.clear(); }), HasSubstr("needs a matcher"));
  EXPECT_THAT(refused([](Silence& s) { s.author = " "; }), HasSubstr("needs an author"));
  EXPECT_THAT(refused([](Silence& s) { s.comment = ""; }), HasSubstr("needs a comment"));
  EXPECT_THAT(refused([](Silence& s) { s.until = s.from; }), HasSubstr("before it begins"));
  EXPECT_THAT(refused([](Silence& s) { s.from = minute(-20), s.until = minute(-10); }),
              HasSubstr("over already"));
  EXPECT_THAT(refused([](Silence& s) { s.every = Seconds{60}; }), HasSubstr("comes back before"));
  EXPECT_FALSE(parse_matcher("node").has_value());
  EXPECT_FALSE(parse_matcher("=x").has_value());
}

TEST(Page, IsReadForTheMetricsThatAreWanted) {
  const std::string page =
      "# HELP a text\n# TYPE a gauge\na{x=\"1 2\"} 3\nab 4\nb 5\nh_bucket{le=\"+Inf\"} 6\n"
      "schedlens_source_state{source=\"sdiag\",state=\"fresh\"} 0\n"
      "schedlens_source_state{source=\"sdiag\",state=\"failed\"} 1\n"
      "schedlens_source_age_seconds{source=\"sdiag\"} 61.5\n"
      "a{broken 7\na NaN\n";
  const auto samples =
      parse_page(page, {"a", "h_bucket", "schedlens_source_state", "schedlens_source_age_seconds"});
  ASSERT_EQ(samples.size(), 5u);
  EXPECT_EQ(samples[0].labels.at("x"), "1 2");
  EXPECT_EQ(samples[0].value, 3);
  const auto sources = sources_of(samples);
  ASSERT_EQ(sources.size(), 1u);
  EXPECT_TRUE(sources[0].stale);
  EXPECT_EQ(sources[0].age, Seconds{61});
}

TEST(Quantile, LiesWithinItsBucket) {
  Engine engine(
      test::rules({"name: Slow, value: {metric: t, quantile: 0.9, increase: 10m}, above: 1.59, "
                   "clear: 1, by: [s]"}));
  auto page = [](int m, int slow) {
    return test::at(m, {fmt::format(R"(t_bucket{{s="a",le="1"}} {})", 80 * m),
                        fmt::format(R"(t_bucket{{s="a",le="2"}} {})", (80 + slow) * m),
                        fmt::format(R"(t_bucket{{s="a",le="+Inf"}} {})", 100 * m)});
  };
  for (int m = 0; m < 3; ++m) engine.evaluate(page(m, 16));
  // The 90th of 100, of which 80 are below 1 and 96 below 2: 1 + 10 / 16.
  ASSERT_EQ(engine.alerts().size(), 1u);
  EXPECT_NEAR(engine.alerts()[0]->value, 1.625, 1e-9);
}

TEST(Words, OfValues) {
  EXPECT_EQ(value_text(Unit::kPercent, 0.15), "15 %");
  EXPECT_EQ(value_text(Unit::kSeconds, 11520), "3h12m");
  EXPECT_EQ(value_text(Unit::kSeconds, 0.52), "0.52s");
  EXPECT_EQ(value_text(Unit::kNumber, 5000), "5000");
}

TEST(Promql, OfTermsOfAllKinds) {
  auto promql = [](const std::string& value) {
    return rule_promql(test::rules({"name: A, by: [x], value: " + value + ", above: 1"}).at(0));
  };
  EXPECT_EQ(promql("{metric: m, rate: 5m}"), "(sum by (x) (rate(m[5m])) > 1)");
  EXPECT_EQ(promql("{metric: m, quantile: 0.99, rate: 1h}"),
            "(histogram_quantile(0.99, sum by (le, x) (rate(m_bucket[1h]))) > 1)");
  EXPECT_EQ(promql("{metric: m, age: true, each_above: 7d, aggregate: count}"),
            "(count by (x) ((time() - m) > 604800) > 1)");
  EXPECT_EQ(promql("{metric: m, changes: 1h}"), "(sum by (x) (changes(m[1h])) > 1)");
  EXPECT_EQ(rule_promql(test::rules({"name: A, value: {metric: m}, baseline: low"}).at(0)), "");
}

}  // namespace
}  // namespace schedlens::alert
