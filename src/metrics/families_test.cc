// SPDX-License-Identifier: Apache-2.0
#include "metrics/families.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

#include "metrics/kube_state.h"

namespace schedlens::metrics {
namespace {

bool snake_case(std::string_view name) {
  bool clean = std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
  return clean && !name.empty() && name.front() >= 'a' && name.back() != '_' &&
         name.find("__") == std::string_view::npos;
}

TEST(Families, NamesFollowPrometheusRules) {
  std::set<std::string_view> names;
  for (const auto& f : kFamilies) {
    SCOPED_TRACE(f.name);
    EXPECT_TRUE(names.insert(f.name).second) << "declared twice";
    EXPECT_TRUE(f.name.starts_with("schedlens_"));
    EXPECT_TRUE(snake_case(f.name));
    EXPECT_EQ(f.type == Type::kCounter, f.name.ends_with("_total"));
    auto stem = f.name;
    if (f.type == Type::kCounter) stem.remove_suffix(6);
    for (std::string_view unit : {"seconds", "bytes", "cores", "ratio"}) {
      EXPECT_EQ(f.unit == unit, stem.ends_with("_" + std::string(unit)));
    }
    for (std::string_view suffix : {"_count", "_sum", "_bucket"}) {
      EXPECT_FALSE(f.name.ends_with(suffix)) << "taken by histograms";
    }
    EXPECT_TRUE(f.help.ends_with('.'));
    EXPECT_EQ(f.help.find('\n'), std::string_view::npos);
    EXPECT_FALSE(f.source.empty());
    EXPECT_GT(f.limit, 0u) << "every family is bounded";
    if (f.label_count() == 0) {
      EXPECT_EQ(f.limit, 1u);
    }
  }
}

TEST(Families, LabelsAreNamesOfTheirOwn) {
  for (const auto& f : kFamilies) {
    SCOPED_TRACE(f.name);
    std::set<std::string_view> labels;
    for (std::size_t i = 0; i < f.label_count(); ++i) {
      EXPECT_TRUE(snake_case(f.labels[i]));
      EXPECT_TRUE(labels.insert(f.labels[i]).second);
      EXPECT_NE(f.labels[i], "le") << "belongs to histograms";
      EXPECT_EQ(f.labels[i].find("time"), std::string_view::npos) << "moments are values";
    }
    for (std::size_t i = f.label_count(); i < kMaxLabels; ++i) EXPECT_TRUE(f.labels[i].empty());
  }
}

TEST(Families, SectionsStandTogether) {
  std::set<Section> closed;
  auto current = kFamilies[0].section;
  for (const auto& f : kFamilies) {
    if (f.section != current) closed.insert(current);
    current = f.section;
    EXPECT_FALSE(closed.contains(current)) << f.name;
  }
}

// With SCHEDLENS_UPDATE=1 in the environment the page is written anew.
TEST(Families, TheDocumentIsUpToDate) {
  std::string path = SCHEDLENS_FIXTURES "/../../docs/metrics.md";
  if (std::getenv("SCHEDLENS_UPDATE")) std::ofstream(path) << markdown() << kube_state_markdown();
  std::ifstream file(path);
  std::stringstream page;
  page << file.rdbuf();
  EXPECT_EQ(page.str(), markdown() + kube_state_markdown())
      << "schedlens metrics --markdown > docs/metrics.md";
}

TEST(Families, MarkdownHasALineForEach) {
  auto page = markdown();
  for (const auto& f : kFamilies) {
    EXPECT_THAT(page, testing::HasSubstr("| `" + std::string(f.name) + "` | "));
  }
  EXPECT_EQ(page.find(" 0 |\n"), std::string::npos);
}

}  // namespace
}  // namespace schedlens::metrics
