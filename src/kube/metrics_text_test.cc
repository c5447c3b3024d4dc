// SPDX-License-Identifier: Apache-2.0
#include "kube/metrics_text.h"

#include <gtest/gtest.h>

#include <cmath>

namespace schedlens::kube {
namespace {

struct Kept {
  std::string name;
  std::vector<std::pair<std::string, std::string>> labels;
  double value;
};

std::vector<Kept> read(std::string_view text, TextFacts* facts = nullptr) {
  std::vector<Kept> kept;
  const auto all = [](std::string_view) { return true; };
  const auto result = read_metrics_text(text, all, [&](const Sample& s) {
    kept.push_back({std::string(s.name), {s.labels.begin(), s.labels.end()}, s.value});
  });
  if (facts) *facts = result;
  return kept;
}

TEST(MetricsText, ReadsNamesLabelsAndValues) {
  const auto kept = read(
      "# HELP a_total what it is {with} braces\n# TYPE a_total counter\n"
      "a_total 3\na_total{x=\"1\",y=\"two words\"} 4.5e-3 1700000000000\n"
      "b{x=\"\",} +Inf\n\n  c\t{ x = \"1\" , y=\"2\" }\t-7 # {trace_id=\"q\"} 0.1\r\nd NaN");
  ASSERT_EQ(kept.size(), 5u);
  EXPECT_EQ(kept[0].name, "a_total");
  EXPECT_TRUE(kept[0].labels.empty());
  EXPECT_EQ(kept[1].labels[1].second, "two words");
  EXPECT_DOUBLE_EQ(kept[1].value, 0.0045);
  EXPECT_EQ(kept[2].labels[0].second, "");
  EXPECT_TRUE(std::isinf(kept[2].value));
  EXPECT_EQ(kept[3].labels[1].first, "y");
  EXPECT_EQ(kept[3].value, -7);
  EXPECT_TRUE(std::isnan(kept[4].value));
}

TEST(MetricsText, UnescapesValuesAndLetsBracesAndCommasBe) {
  const auto kept = read(R"(a{x="q\"uo\\te\nline",y="},{=",z="\d"} 1)");
  ASSERT_EQ(kept.size(), 1u);
  EXPECT_EQ(kept[0].labels[0].second, "q\"uo\\te\nline");
  EXPECT_EQ(kept[0].labels[1].second, "},{=");
  EXPECT_EQ(kept[0].labels[2].second, "\\d");
}

TEST(MetricsText, ALineThatCannotBeReadCostsOnlyItself) {
  TextFacts facts;
  const auto kept = read("a 1\na{x=\"1} 2\nb{x} 3\nc{x=\"1\" 4\nd one\ne\nf{x=\"\\\nz 9\n", &facts);
  ASSERT_EQ(kept.size(), 2u);
  EXPECT_EQ(kept[1].name, "z");
  EXPECT_EQ(facts.samples, 2u);
  EXPECT_EQ(facts.unreadable, 6u);
  EXPECT_EQ(facts.first_error, "line 2: a label's value is not closed");
}

TEST(MetricsText, ReadsOnlyWhatIsWanted) {
  int taken = 0;
  const auto facts = read_metrics_text(
      "a 1\nb{broken 2\nc 3\n", [](std::string_view name) { return name == "c"; },
      [&](const Sample& s) { taken += static_cast<int>(s.value); });
  EXPECT_EQ(taken, 3);
  EXPECT_EQ(facts.unreadable, 0u);
}

}  // namespace
}  // namespace schedlens::kube
