// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "kube/collector.h"
#include "kube/no_plugin_test.h"
#include "kube/wire_test.h"
#include "net/scripted_server_test.h"

namespace schedlens::kube {
namespace {

using net::test::Connection;
using net::test::ScriptedServer;
using testing::HasSubstr;

using test::NoPlugin;

// The connection that carried the refusal of one request ends under another.
TEST(Collector, SaysThatCredentialsAreRefusedThoughNodesGotNoAnswer) {
  ScriptedServer server([](const std::string& request, Connection& c) {
    if (request.starts_with("GET /api/v1/nodes?")) return false;
    c.send_answer("401 Unauthorized", "application/vnd.kubernetes.protobuf",
                  test::wrapped(test::status(401, "Unauthorized", "Unauthorized")));
    return false;
  });
  char name[] = "/tmp/collector_test.XXXXXX";
  const std::string dir = mkdtemp(name);
  std::ofstream(dir + "/config") << "clusters: [{name: c, cluster: {server: '" << server.url()
                                 << "'}}]\nusers: [{name: u, user: {token: old}}]\n"
                                    "contexts: [{name: x, context: {cluster: c, user: u}}]\n"
                                    "current-context: x\n";
  NoPlugin runner;
  os::SystemClock clock;
  Options options;
  options.choice.kubeconfig = dir + "/config";
  Collector collector(options, runner, clock);
  auto snapshot = collector.collect();
  ASSERT_FALSE(snapshot);
  EXPECT_THAT(snapshot.error().message(),
              HasSubstr("the credentials are refused (the token of the kubeconfig): status 401"));
  std::filesystem::remove_all(dir);
}

}  // namespace
}  // namespace schedlens::kube
