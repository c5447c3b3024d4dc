// SPDX-License-Identifier: Apache-2.0
#include "baseline/watched.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

#include "base/text.h"
#include "baseline/baseline.h"

namespace schedlens::baseline {
namespace {

// The line of a metric's table in docs/metrics.md; empty when it has none.
std::string documented(const std::string& page, std::string_view metric) {
  auto name = std::string(metric);
  for (std::string_view end : {"_sum", "_count"}) {
    if (name.ends_with(end)) name.resize(name.size() - end.size());
  }
  auto begin = page.find("| `" + name + "` | ");
  if (begin == std::string::npos) return "";
  return page.substr(begin, page.find('\n', begin) - begin);
}

TEST(Watched, AreMetricsThatAreExportedWithTheseLabels) {
  std::ifstream file(SCHEDLENS_FIXTURES "/../../docs/metrics.md");
  std::stringstream page;
  page << file.rdbuf();
  for (const auto& watched : watched_series()) {
    auto line = documented(page.str(), watched.metric);
    ASSERT_NE(line, "") << watched.metric;
    auto type = std::string(split(line, '|')[2]);
    EXPECT_EQ(trim(type) != "gauge", watched.kind == SeriesKind::kCounter) << watched.metric;
    if (!watched.divisor.empty()) {
      ASSERT_NE(documented(page.str(), watched.divisor), "") << watched.divisor;
      if (!watched.per.empty()) {
        EXPECT_NE(documented(page.str(), watched.divisor).find(watched.per), std::string::npos);
      }
    }
    std::vector<std::string_view> labels;
    for (auto label : split(watched.per, ',')) labels.push_back(label);
    for (auto part : split(watched.where, ',')) labels.push_back(cut(part, '=').value().first);
    for (auto label : labels) {
      EXPECT_NE(line.find("`" + std::string(label) + "`"), std::string::npos)
          << watched.metric << " " << label;
    }
  }
}

TEST(Watched, HaveNamesOfTheirOwnAndWindowsThatDivideADay) {
  std::set<std::string_view> names;
  for (const auto& watched : watched_series()) {
    EXPECT_TRUE(names.insert(watched.name).second) << watched.name;
    EXPECT_TRUE(check_width(watched.width)) << watched.name;
    EXPECT_LE(watched.recent, watched.width) << watched.name;
    EXPECT_GT(watched.floors.absolute, 0) << watched.name;
    EXPECT_EQ(find_watched(watched.name), &watched);
  }
  EXPECT_EQ(find_watched("no_such"), nullptr);
  EXPECT_EQ(names.size(), 20U);
}

TEST(Watched, SharesEndAtOneAndAreNotCounted) {
  auto share = options_of(*find_watched("gpu_allocated_share"));
  EXPECT_EQ(share.most, 1);
  EXPECT_FALSE(share.floors.counted);
  EXPECT_TRUE(options_of(*find_watched("job_starts")).floors.counted);
  EXPECT_EQ(options_of(*find_watched("job_starts")).kind, SeriesKind::kCounter);
}

std::string_view words(Direction direction) {
  if (direction == Direction::kHigh) return "high";
  return direction == Direction::kLow ? "low" : "both";
}

std::string table() {
  std::string text =
      "| name | what | metric | for each | alarm | floors | window |\n"
      "| --- | --- | --- | --- | --- | --- | --- |\n";
  for (const auto& watched : watched_series()) {
    auto metric = fmt::format("`{}{}`", watched.metric,
                              watched.where.empty() ? "" : fmt::format("{{{}}}", watched.where));
    if (!watched.divisor.empty()) metric += fmt::format(" by `{}`", watched.divisor);
    const auto& floors = watched.floors;
    text += fmt::format("| `{}` | {} | {} | {} | {} | {}, {:.0f} %{} | {} |\n", watched.name,
                        watched.title, metric, watched.per.empty() ? "" : watched.per,
                        words(watched.direction), shown(floors.absolute, watched.unit),
                        100 * floors.relative,
                        options_of(watched).floors.counted ? ", root of the count" : "",
                        watched.width == Seconds{3600} ? "1 h" : "15 min");
  }
  return text;
}

// With SCHEDLENS_UPDATE=1 in the environment the table is written anew.
TEST(Watched, AreAllInTheDocumentation) {
  auto path = SCHEDLENS_FIXTURES "/../../docs/baselines.md";
  std::stringstream read;
  read << std::ifstream(path).rdbuf();
  auto page = read.str();
  std::string begin = "<!-- watched: written by the unit test -->\n", end = "<!-- end -->";
  auto first = page.find(begin), last = page.find(end);
  ASSERT_TRUE(first != std::string::npos && last != std::string::npos);
  first += begin.size();
  if (std::getenv("SCHEDLENS_UPDATE")) {
    page.replace(first, last - first, table());
    std::ofstream(path) << page;
    last = page.find(end);
  }
  EXPECT_EQ(page.substr(first, last - first), table());
}

}  // namespace
}  // namespace schedlens::baseline
