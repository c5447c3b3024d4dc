// SPDX-License-Identifier: Apache-2.0
#include "api/openapi.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

#include "api/routes.h"
#include "api/schema_check_test.h"
#include "api/schemas.h"

namespace schedlens::api {
namespace {

using testing::IsEmpty;
using Element = simdjson::dom::element;

std::string file(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST(OpenApi, HasEveryRouteOfTheRouter) {
  test::SchemaCheck check(openapi_json("1.2.3"));
  Element paths = check.root()["paths"];
  Live live;
  Context context{live, "1.2.3", [] { return Timestamp{}; }, [] { return ServerFacts{}; }};
  auto router = make_router(context);
  EXPECT_EQ(router.routes().size(), simdjson::dom::object(paths).size());
  for (const auto& route : router.routes()) {
    Element operation;
    EXPECT_EQ(paths[route.pattern]["get"].get(operation), simdjson::SUCCESS) << route.pattern;
  }
  EXPECT_EQ(std::string_view(check.root()["openapi"]), "3.1.0");
  EXPECT_EQ(std::string_view(check.root()["info"]["version"]), "1.2.3");
}

TEST(OpenApi, PathParametersAreThoseOfThePath) {
  for (const auto& route : api_routes()) {
    std::size_t in_path = 0;
    for (const auto& p : route.parameters) {
      if (p.in != Parameter::In::kPath) continue;
      ++in_path;
      EXPECT_NE(route.path.find("{" + std::string(p.name) + "}"), std::string_view::npos)
          << route.path;
    }
    EXPECT_EQ(std::size_t(std::count(route.path.begin(), route.path.end(), '{')), in_path)
        << route.path;
  }
}

TEST(OpenApi, OperationIdsAreUnique) {
  test::SchemaCheck check(openapi_json("1"));
  std::set<std::string> ids;
  for (auto [path, item] : simdjson::dom::object(check.root()["paths"])) {
    EXPECT_TRUE(ids.insert(std::string(std::string_view(item["get"]["operationId"]))).second);
  }
}

// Every reference has its target, and no schema is without a reference.
TEST(OpenApi, SchemasAndReferencesMatch) {
  auto text = openapi_json("1");
  std::set<std::string> referred;
  constexpr std::string_view kPrefix = "#/components/schemas/";
  for (auto at = text.find(kPrefix); at != std::string::npos; at = text.find(kPrefix, at + 1)) {
    auto begin = at + kPrefix.size();
    referred.insert(text.substr(begin, text.find('"', begin) - begin));
  }
  std::set<std::string> declared;
  for (const auto& schema : schemas()) {
    EXPECT_TRUE(declared.insert(std::string(schema.name)).second) << schema.name;
  }
  EXPECT_EQ(declared, referred);
}

// What the views write, as the golden documents have it, is what the description says.
TEST(OpenApi, TheViewsKeepToTheirSchemas) {
  test::SchemaCheck check(openapi_json("1"));
  auto folder = std::string(SCHEDLENS_FIXTURES) + "/api/";
  for (auto [schema, name] : {std::pair("Status", "status.json"), std::pair("Queue", "queue.json"),
                              std::pair("Nodes", "nodes.json"), std::pair("Job", "job.json"),
                              std::pair("NodeDetail", "node.json"), std::pair("Why", "why.json"),
                              std::pair("WhyAll", "why_all.json"), std::pair("Frag", "frag.json"),
                              std::pair("Sources", "sources.json")}) {
    EXPECT_THAT(check.check(schema, file(folder + name)), IsEmpty()) << name;
  }
}

TEST(OpenApi, TheCheckItselfFindsWhatIsWrong) {
  test::SchemaCheck check(openapi_json("1"));
  using testing::ElementsAre;
  EXPECT_THAT(check.check("Readiness", R"({"ready":1,"reasons":[]})"),
              ElementsAre("/ready: is not \"boolean\""));
  EXPECT_THAT(check.check("Readiness", R"({"ready":true})"), ElementsAre("/reasons: is missing"));
  EXPECT_THAT(check.check("Readiness", R"({"ready":true,"reasons":[3],"x":1})"),
              ElementsAre("/reasons/0: is not \"string\"", "/x: is not declared"));
}

// docs/api.md has a part that comes from the declarations, between two marks.
TEST(OpenApi, TheDocumentationListsEveryRouteAndField) {
  auto path = std::string(SCHEDLENS_FIXTURES) + "/../../docs/api.md";
  auto page = file(path);
  const std::string begin = "<!-- declared: begin -->\n", end = "<!-- declared: end -->";
  auto from = page.find(begin), to = page.find(end);
  ASSERT_NE(from, std::string::npos);
  ASSERT_NE(to, std::string::npos);
  from += begin.size();
  if (std::getenv("SCHEDLENS_UPDATE")) {
    page.replace(from, to - from, api_markdown());
    std::ofstream(path) << page;
  } else {
    EXPECT_EQ(page.substr(from, to - from), api_markdown());
  }
}

}  // namespace
}  // namespace schedlens::api
