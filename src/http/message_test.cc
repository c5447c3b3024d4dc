// SPDX-License-Identifier: Apache-2.0
#include "http/message.h"

#include <gtest/gtest.h>

#include "http/router.h"

namespace schedlens::http {
namespace {

TEST(PercentDecode, DecodesAndRefuses) {
  EXPECT_EQ(*percent_decode("a%20b%2F%c3%A9", false), "a b/\xC3\xA9");
  EXPECT_EQ(*percent_decode("a+b", true), "a b");
  EXPECT_EQ(*percent_decode("a+b", false), "a+b");
  EXPECT_EQ(*percent_decode("%41", false), "A");
  for (auto bad : {"%", "%4", "%zz", "a%2"}) EXPECT_FALSE(percent_decode(bad, false)) << bad;
}

TEST(ParseTarget, SplitsPathAndQuery) {
  Request r;
  ASSERT_TRUE(parse_target("/a/b%20c?x=1&y=&z&x=2&&w=a%26b", r));
  EXPECT_EQ(r.path, "/a/b%20c");
  EXPECT_EQ(r.query, (Fields{{"x", "1"}, {"y", ""}, {"z", ""}, {"x", "2"}, {"w", "a&b"}}));
  EXPECT_EQ(r.query_value("x"), "1");
  EXPECT_EQ(r.query_value("nothing"), std::nullopt);
}

TEST(ParseTarget, AbsoluteFormAndRubbish) {
  Request r;
  ASSERT_TRUE(parse_target("http://host:80/p?q=1", r));
  EXPECT_EQ(r.path, "/p");
  Request root;
  ASSERT_TRUE(parse_target("http://host", root));
  EXPECT_EQ(root.path, "/");
  Request bad;
  EXPECT_FALSE(parse_target("relative", bad));
  EXPECT_FALSE(parse_target("", bad));
  EXPECT_FALSE(parse_target("/p?x=%G0", bad));
}

TEST(AcceptsGzip, ReadsQualities) {
  EXPECT_TRUE(accepts_gzip("gzip"));
  EXPECT_TRUE(accepts_gzip("deflate, GZIP;q=0.5"));
  EXPECT_TRUE(accepts_gzip("*"));
  EXPECT_FALSE(accepts_gzip(""));
  EXPECT_FALSE(accepts_gzip("br"));
  EXPECT_FALSE(accepts_gzip("gzip;q=0"));
  EXPECT_FALSE(accepts_gzip("*, gzip;q=0"));
}

TEST(Problem, IsAProblemDocument) {
  auto p = problem(404, "no job \"x\"");
  EXPECT_EQ(p.content_type, "application/problem+json");
  EXPECT_EQ(p.body,
            "{\"type\":\"about:blank\",\"title\":\"Not Found\",\"status\":404,"
            "\"detail\":\"no job \\\"x\\\"\"}\n");
}

class Routes : public testing::Test {
 protected:
  Routes() {
    for (auto pattern : {"/", "/jobs", "/jobs/{id}", "/jobs/all", "/a/{x}/b/{y}"}) {
      router_.add("GET", pattern, [](const Request&) { return Response(); });
    }
    router_.add("POST", "/jobs", [](const Request&) { return Response(); });
  }
  const Route* find(std::string method, std::string path) {
    request_ = {};
    request_.method = std::move(method);
    request_.path = std::move(path);
    return router_.find(request_, refusal_);
  }

  Router router_;
  Request request_;
  Response refusal_;
};

TEST_F(Routes, FindsByMethodAndPath) {
  EXPECT_EQ(find("GET", "/")->pattern, "/");
  EXPECT_EQ(find("POST", "/jobs")->method, "POST");
  EXPECT_EQ(find("HEAD", "/jobs")->method, "GET");
  EXPECT_EQ(find("GET", "/jobs/12_3")->pattern, "/jobs/{id}");
  EXPECT_EQ(request_.parameter("id"), "12_3");
  EXPECT_EQ(find("GET", "/jobs/all")->pattern, "/jobs/all");
  ASSERT_NE(find("GET", "/a/1%2F2/b/%20"), nullptr);
  EXPECT_EQ(request_.parameter("x"), "1/2");
  EXPECT_EQ(request_.parameter("y"), " ");
  EXPECT_EQ(request_.parameter("z"), "");
}

TEST_F(Routes, RefusesWithTheRightStatus) {
  EXPECT_EQ(find("GET", "/nothing"), nullptr);
  EXPECT_EQ(refusal_.status, 404);
  EXPECT_EQ(find("GET", "/jobs/"), nullptr);
  EXPECT_EQ(refusal_.status, 404);
  EXPECT_EQ(find("DELETE", "/jobs"), nullptr);
  EXPECT_EQ(refusal_.status, 405);
  EXPECT_EQ(refusal_.headers, (Fields{{"Allow", "GET, HEAD, OPTIONS, POST"}}));
  EXPECT_EQ(find("OPTIONS", "/jobs/1"), nullptr);
  EXPECT_EQ(refusal_.status, 204);
  EXPECT_EQ(refusal_.headers, (Fields{{"Allow", "GET, HEAD, OPTIONS"}}));
  EXPECT_EQ(find("GET", "/jobs/%G1"), nullptr);
  EXPECT_EQ(refusal_.status, 400);
}

}  // namespace
}  // namespace schedlens::http
