// SPDX-License-Identifier: Apache-2.0
// Every way to choose pods by labels and namespaces, against a plain look at each pod.
#include "diagnose/pod_match.h"

#include <gtest/gtest.h>

#include <map>

#include "diagnose/test_pods.h"

namespace schedlens::diagnose {
namespace {

using model::LabelOperator;
using testing::Pods;

Pods cluster() {
  Pods c(5);
  constexpr std::string_view kApps[] = {"a", "b", "c"};
  constexpr std::string_view kSpaces[] = {"x", "y", "default"};
  for (int i = 0; i < 90; ++i) {
    auto d = c.draft().in(kSpaces[i / 3 % 3]);
    const auto rank = std::to_string(i % 7);
    if (i % 5 == 0) {
      d.labelled({{"rank", rank}});
    } else if (i % 5 != 1) {
      d.labelled({{"app", kApps[i % 3]}, {"rank", rank}});
    }
    if (i % 11 == 0) d.pod.deleting = Timestamp{1};
    c.run(i * 7 % 5, d);
  }
  c.s.build_index();
  return c;
}

NodeCounts plain(const PodCluster& cluster, const std::vector<PodSelection>& all,
                 bool without_deleting) {
  std::map<model::NodeId, std::uint32_t> counts;
  for (const auto& p : cluster.assigned()) {
    const auto& pod = cluster.pod(p);
    if (without_deleting && pod.deleting) continue;
    bool meant = true;
    for (const auto& s : all) meant &= s.selects(pod.ns, pod.labels) == Answer::kYes;
    if (meant) ++counts[p.node];
  }
  return {counts.begin(), counts.end()};
}

std::vector<model::LabelSelector> selectors() {
  const Symbol app{"app"}, rank{"rank"};
  const model::LabelExpression one{app, LabelOperator::kIn, {"a"}},
      twice{app, LabelOperator::kIn, {"b", "a", "b"}}, not_a{app, LabelOperator::kNotIn, {"a"}},
      there{app, LabelOperator::kExists, {}}, without{app, LabelOperator::kDoesNotExist, {}},
      high{rank, LabelOperator::kGt, {"3"}}, low{rank, LabelOperator::kLt, {"3"}},
      odd{app, LabelOperator::kUnknown, {}},
      none{Symbol("no-such-key"), LabelOperator::kExists, {}};
  return {{{}},     {{one}},     {{twice}},        {{not_a}},     {{there}},
          {{high}}, {{without}}, {{low, there}},   {{high, one}}, {{not_a, twice}},
          {{odd}},  {{none}},    {{without, high}}};
}

TEST(PodMatch, CountsAsAPlainLookAtEachPodDoes) {
  const auto c = cluster();
  const PodCluster pods(c.s);
  PodMatch match(pods);
  const auto chosen = selectors();
  std::size_t some = 0;
  for (const auto& selector : chosen) {
    SCOPED_TRACE(to_text(selector));
    for (const auto& namespaces : std::vector<std::vector<Symbol>>{
             {}, {Symbol("x")}, {Symbol("x"), Symbol("default")}, {Symbol("gone")}}) {
      for (bool everywhere : {false, true}) {
        PodSelection s;
        s.pods = &selector;
        s.namespaces = namespaces;
        s.all_namespaces = everywhere;
        EXPECT_EQ(match.counts({s}), plain(pods, {s}, false));
        PodSelection other = s;
        other.pods = &chosen[4];
        EXPECT_EQ(match.counts({s, other}), plain(pods, {s, other}, false));
        some += match.counts({s}).size() > 0;
      }
    }
    PodSelection own;
    own.pods = &selector;
    own.namespaces = {Symbol("y")};
    EXPECT_EQ(match.counts_for_spread(selector, Symbol("y")), plain(pods, {own}, true));
  }
  EXPECT_GT(some, 40u);
  EXPECT_TRUE(match.counts({PodSelection{}}).empty());  // no selector selects nothing
}

}  // namespace
}  // namespace schedlens::diagnose
