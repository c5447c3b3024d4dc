// SPDX-License-Identifier: Apache-2.0
#include "metrics/exposition.h"

#include <gmock/gmock.h>
#include <simdjson.h>

#include <cmath>
#include <limits>

#include "metrics/text_from_json_test.h"

namespace schedlens::metrics {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr auto kInfo = family("schedlens_cluster_info");
constexpr auto kNodeGpus = family("schedlens_node_gpus");
constexpr auto kPlain = family("schedlens_gpus_planned");
constexpr auto kRatio = family("schedlens_gpu_fragmentation_ratio");

// What the body wrote, in one text.
template <class Body>
std::string written(Body body, const std::vector<std::string>& prefixes = {},
                    std::optional<std::uint32_t> limit = std::nullopt, Form form = Form::kText) {
  std::string text;
  Exposition out([&](std::string_view piece) { text += piece; }, prefixes, limit, form);
  body(out);
  out.finish();
  return text;
}

template <class Body>
std::string as_json(Body body) {
  return written(body, {}, std::nullopt, Form::kJson);
}

TEST(Exposition, WritesHelpAndTypeOnceBeforeTheFirstSample) {
  auto text = written([](Exposition& out) {
    out.sample(kNodeGpus, 8, "n1");
    out.sample(kNodeGpus, 4u, Symbol("n2"));
    out.sample(kPlain, std::uint64_t{3});
  });
  EXPECT_EQ(text,
            "# HELP schedlens_node_gpus GPUs of the node.\n"
            "# TYPE schedlens_node_gpus gauge\n"
            "schedlens_node_gpus{node=\"n1\"} 8\n"
            "schedlens_node_gpus{node=\"n2\"} 4\n"
            "# HELP schedlens_gpus_planned Free GPUs on idle nodes that the scheduler holds for a "
            "job waiting for more.\n"
            "# TYPE schedlens_gpus_planned gauge\n"
            "schedlens_gpus_planned 3\n");
}

TEST(Exposition, FamilyWithoutSamplesLeavesNoTrace) {
  auto text = written([](Exposition& out) {
    out.sample(kNodeGpus, std::optional<std::uint64_t>(), "n1");
    out.sample(kPlain, std::optional<double>());
  });
  EXPECT_EQ(text, "");
}

TEST(Exposition, EscapesLabelValues) {
  auto text = written([](Exposition& out) { out.sample(kInfo, 1, "a\\b", "say \"hi\"", "x\ny"); });
  EXPECT_THAT(text,
              HasSubstr("{cluster=\"a\\\\b\",scheduler=\"say \\\"hi\\\"\",version=\"x\\ny\"} 1\n"));
}

TEST(Exposition, KeepsUtf8AndReplacesWhatIsNot) {
  auto text = written(
      [](Exposition& out) { out.sample(kInfo, 1, "Z\xC3\xBCrich", "\xFF!", "cut \xE2\x82"); });
  EXPECT_THAT(text, HasSubstr("cluster=\"Z\xC3\xBCrich\""));
  EXPECT_THAT(text, HasSubstr("scheduler=\"\xEF\xBF\xBD!\""));
  EXPECT_THAT(text, HasSubstr("version=\"cut \xEF\xBF\xBD\xEF\xBF\xBD\""));
}

TEST(Exposition, Numbers) {
  auto value = [](auto number) {
    auto text = written([&](Exposition& out) { out.sample(kRatio, number, "1"); });
    return text.substr(text.rfind("} ") + 2);
  };
  EXPECT_EQ(value(0.25), "0.25\n");
  EXPECT_EQ(value(1e6), "1000000\n");
  EXPECT_EQ(value(-3), "-3\n");
  EXPECT_EQ(value(1e300), "1e+300\n");
  EXPECT_EQ(value(std::numeric_limits<std::uint64_t>::max()), "18446744073709551615\n");
  EXPECT_EQ(value(0.1 + 0.2), "0.30000000000000004\n");
  EXPECT_EQ(value(std::nan("")), "NaN\n");
  EXPECT_EQ(value(-INFINITY), "-Inf\n");
  EXPECT_EQ(value(Timestamp{1'796'010'025}), "1796010025\n");
  EXPECT_EQ(value(mebibytes(1)), "1048576\n");
}

TEST(Exposition, LimitLeavesTheRestOutAndCountsIt) {
  std::string text;
  Exposition out([&](std::string_view piece) { text += piece; }, {}, 2);
  for (auto node : {"n1", "n2", "n3", "n4", "n5"}) out.sample(kNodeGpus, 8, node);
  out.sample(kPlain, 1);
  out.finish();
  EXPECT_EQ(out.dropped(kNodeGpus), 3u);
  EXPECT_EQ(out.dropped(kPlain), 0u);
  EXPECT_EQ(out.series(), 3u);
  EXPECT_THAT(text, HasSubstr("n2"));
  EXPECT_THAT(text, Not(HasSubstr("n3")));
}

TEST(Exposition, DeclaredLimitHolds) {
  std::string text;
  Exposition out([&](std::string_view piece) { text += piece; });
  constexpr auto kUser = family("schedlens_user_gpus_held");
  for (std::uint32_t i = 0; i < kUser->limit + 7; ++i) out.sample(kUser, i, std::to_string(i));
  EXPECT_EQ(out.dropped(kUser), 7u);
  EXPECT_EQ(out.series(), kUser->limit);
}

TEST(Exposition, PrefixesChooseFamilies) {
  auto text = written(
      [](Exposition& out) {
        EXPECT_TRUE(out.wants(kNodeGpus));
        EXPECT_FALSE(out.wants(kPlain));
        out.sample(kNodeGpus, 8, "n1");
        out.sample(kPlain, 1);
        out.sample(kInfo, 1, "a", "b", "c");
      },
      {"schedlens_node", "schedlens_cluster_i"});
  EXPECT_THAT(text, HasSubstr("schedlens_node_gpus{"));
  EXPECT_THAT(text, HasSubstr("schedlens_cluster_info{"));
  EXPECT_THAT(text, Not(HasSubstr("planned")));
}

TEST(Exposition, HistogramIsCumulated) {
  static constexpr double kBounds[] = {1, 2.5};
  Histogram h(kBounds);
  for (double v : {0.5, 1.0, 2.0, 9.0}) h.add(v);
  auto text = written([&](Exposition& out) {
    out.histogram(family("schedlens_job_wait_seconds"), h, "tr\"ain", "submit");
  });
  EXPECT_THAT(
      text,
      testing::EndsWith(
          "# TYPE schedlens_job_wait_seconds histogram\n"
          "schedlens_job_wait_seconds_bucket{partition=\"tr\\\"ain\",since=\"submit\",le=\"1\"} 2\n"
          "schedlens_job_wait_seconds_bucket{partition=\"tr\\\"ain\",since=\"submit\",le=\"2.5\"} "
          "3\n"
          "schedlens_job_wait_seconds_bucket{partition=\"tr\\\"ain\",since=\"submit\",le=\"+Inf\"} "
          "4\n"
          "schedlens_job_wait_seconds_sum{partition=\"tr\\\"ain\",since=\"submit\"} 12.5\n"
          "schedlens_job_wait_seconds_count{partition=\"tr\\\"ain\",since=\"submit\"} 4\n"));
}

TEST(Exposition, JsonHasWhatTheTextHas) {
  auto json = as_json([](Exposition& out) {
    out.sample(kNodeGpus, 8, "n1");
    out.sample(kNodeGpus, 4u, Symbol("n2"));
    out.sample(kRatio, 0.25, "1");
    out.sample(kPlain, std::optional<double>());
  });
  EXPECT_EQ(json,
            "{\"version\": 1, \"families\": [\n"
            "  {\"name\": \"schedlens_node_gpus\", \"type\": \"gauge\", "
            "\"help\": \"GPUs of the node.\", \"samples\": [\n"
            "    {\"labels\": {\"node\": \"n1\"}, \"value\": 8},\n"
            "    {\"labels\": {\"node\": \"n2\"}, \"value\": 4}]},\n"
            "  {\"name\": \"schedlens_gpu_fragmentation_ratio\", \"type\": \"gauge\", "
            "\"unit\": \"ratio\", \"help\": \"Share of the allocatable GPUs that a stream of "
            "single-node jobs of this size could not use.\", \"samples\": [\n"
            "    {\"labels\": {\"gpus_per_job\": \"1\"}, \"value\": 0.25}]}\n"
            "]}\n");
  EXPECT_EQ(as_json([](Exposition&) {}), "{\"version\": 1, \"families\": []}\n");
}

TEST(Exposition, JsonSaysEveryByteOfALabelAndEveryNumber) {
  auto json = as_json([](Exposition& out) {
    out.sample(kInfo, 1, "a\\b \"c\"", "x\ny\x01z", "Z\xC3\xBCrich \xFF");
    out.sample(kRatio, std::nan(""), "1");
    out.sample(kRatio, -INFINITY, "2");
    out.sample(kRatio, 1e300, "4");
    out.sample(kPlain, std::numeric_limits<std::uint64_t>::max());
  });
  simdjson::dom::parser parser;
  simdjson::dom::element page;
  ASSERT_EQ(parser.parse(json).get(page), simdjson::SUCCESS) << json;
  auto sample = [&](int family, int i) { return page["families"].at(family)["samples"].at(i); };
  EXPECT_EQ(std::string_view(sample(0, 0)["labels"]["cluster"]), "a\\b \"c\"");
  EXPECT_EQ(std::string_view(sample(0, 0)["labels"]["scheduler"]), "x\ny\x01z");
  EXPECT_EQ(std::string_view(sample(0, 0)["labels"]["version"]), "Z\xC3\xBCrich \xEF\xBF\xBD");
  EXPECT_EQ(std::string_view(sample(1, 0)["value"]), "NaN");
  EXPECT_EQ(std::string_view(sample(1, 1)["value"]), "-Inf");
  EXPECT_EQ(double(sample(1, 2)["value"]), 1e300);
  EXPECT_EQ(std::uint64_t(sample(2, 0)["value"]), std::numeric_limits<std::uint64_t>::max());
}

TEST(Exposition, JsonHistogramIsTheTextsHistogram) {
  static constexpr double kBounds[] = {1, 2.5};
  Histogram h(kBounds);
  for (double v : {0.5, 1.0, 2.0, 9.0}) h.add(v);
  auto body = [&](Exposition& out) {
    out.histogram(family("schedlens_job_wait_seconds"), h, "tr\"ain", "submit");
    out.histogram(family("schedlens_job_wait_seconds"), h, "dev", "submit");
  };
  EXPECT_THAT(as_json(body),
              HasSubstr("\"since\": \"submit\"}, \"buckets\": [{\"le\": 1, \"count\": 2}, "
                        "{\"le\": 2.5, \"count\": 3}, {\"le\": \"+Inf\", \"count\": 4}], "
                        "\"sum\": 12.5, \"count\": 4},"));
  EXPECT_EQ(test::TextFromJson().read(as_json(body)), written(body));
}

TEST(Exposition, LongPagesLeaveInPieces) {
  std::vector<std::size_t> pieces;
  std::size_t sum = 0;
  Exposition out([&](std::string_view piece) {
    pieces.push_back(piece.size());
    sum += piece.size();
  });
  for (int i = 0; i < 20'000; ++i) out.sample(kNodeGpus, i, "node" + std::to_string(i));
  EXPECT_GT(pieces.size(), 5u);
  auto bytes = out.bytes();
  out.finish();
  EXPECT_EQ(sum, bytes);
  for (auto size : pieces) EXPECT_LT(size, 80'000u);
}

}  // namespace
}  // namespace schedlens::metrics
