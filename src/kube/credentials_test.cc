// SPDX-License-Identifier: Apache-2.0
#include "kube/credentials.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <future>

namespace schedlens::kube {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

class FixedClock final : public os::Clock {
 public:
  Timestamp now() const override { return time; }
  Timestamp time{1'800'000'000};  // 2027-01-15T08:00:00Z
};

class FakePlugin final : public os::ProcessRunner {
 public:
  Result<os::Output> run(const os::Command& c) override {
    ++runs;
    command = c;
    if (!error.empty()) return fail("{}", error);
    os::Output output;
    output.out = answer;
    return output;
  }
  std::string variable(const std::string& name) const {
    for (const auto& entry : command.environment) {
      if (entry.starts_with(name + "=")) return entry.substr(name.size() + 1);
    }
    return "";
  }
  int runs = 0;
  os::Command command;
  std::string answer, error;
};

std::string answer(const std::string& status) {
  return R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{)" +
         status + "}}";
}

class CredentialsTest : public testing::Test {
 protected:
  CredentialsTest() {
    char name[] = "/tmp/credentials_test.XXXXXX";
    dir_ = mkdtemp(name);
    access_.cluster.server = "https://k8s:6443";
  }
  ~CredentialsTest() override { std::filesystem::remove_all(dir_); }

  std::string write(const std::string& name, const std::string& text) {
    auto path = dir_ + "/" + name;
    std::ofstream(path) << text;
    return path;
  }
  Credentials make() { return {access_, plugin_, clock_}; }
  void use_plugin() {
    access_.user.exec = ExecPlugin{};
    access_.user.exec->command = "aws-login";
    access_.user.exec->args = {"--now"};
    access_.user.exec->env = {{"AWS_PROFILE", "ml"}};
    access_.user.exec->api_version = "client.authentication.k8s.io/v1";
  }
  std::string error() {
    auto request = make().request("/");
    return request ? "none" : request.error().message();
  }

  std::string dir_;
  Access access_;
  FakePlugin plugin_;
  FixedClock clock_;
};

TEST_F(CredentialsTest, ATokenFileIsReadForEveryRequest) {
  access_.user.token.file = write("token", "first\n");
  auto credentials = make();
  auto request = credentials.request("/api/v1/pods");
  ASSERT_TRUE(request) << request.error().message();
  EXPECT_EQ(request->url, "https://k8s:6443/api/v1/pods");
  EXPECT_EQ(request->bearer_token, "first");
  write("token", "second");
  EXPECT_EQ(credentials.request("/")->bearer_token, "second");
  std::filesystem::remove(access_.user.token.file);
  EXPECT_THAT(credentials.request("/").error().message(),
              HasSubstr(dir_ + "/token: the token cannot be read from it"));
}

TEST_F(CredentialsTest, CertificatesComeFromTheKubeconfigOrFiles) {
  access_.cluster.ca.text = "CA";
  access_.user.client_certificate.file = write("c", "CERT");
  access_.user.client_key.text = "KEY";
  access_.cluster.tls_server_name = "kubernetes";
  auto request = make().request("/");
  ASSERT_TRUE(request);
  EXPECT_EQ(request->tls.ca, "CA");
  EXPECT_EQ(request->tls.client_certificate, "CERT");
  EXPECT_EQ(request->tls.client_key, "KEY");
  EXPECT_EQ(request->tls.server_name, "kubernetes");
  EXPECT_FALSE(request->tls.insecure);
  access_.cluster.ca = {"", dir_ + "/none"};
  EXPECT_THAT(error(), HasSubstr("/none: the certificate authority cannot be read"));
}

TEST_F(CredentialsTest, ATokenThatWouldBreakTheRequestIsRefusedAndNotShown) {
  access_.user.token.text = "s3cret\r\nX-Evil: 1";
  EXPECT_THAT(error(), HasSubstr("characters that no token has"));
  EXPECT_THAT(error(), Not(HasSubstr("s3cret")));
}

TEST_F(CredentialsTest, SaysWhichTheyAreWithoutTheSecret) {
  EXPECT_EQ(make().shown(), "none were sent");
  access_.user.client_certificate.file = "/pki/me.crt";
  EXPECT_EQ(make().shown(),
            "the client certificate in /pki/me.crt; it may have expired, or be of another "
            "authority");
  access_.user.username = "ann";
  access_.user.password = "secret";
  EXPECT_EQ(make().shown(), "the password of ann");
  access_.user.token.text = "secret";
  EXPECT_EQ(make().shown(), "the token of the kubeconfig");
  access_.user.token.file = "/run/token";
  EXPECT_EQ(make().shown(), "the token in /run/token");
  use_plugin();
  EXPECT_EQ(make().shown(), "printed by aws-login");
}

TEST_F(CredentialsTest, APluginIsAskedOnceUntilItsAnswerExpires) {
  use_plugin();
  plugin_.answer = answer(R"("token":"one","expirationTimestamp":"2027-01-15T08:15:00Z")");
  auto credentials = make();
  EXPECT_EQ(credentials.request("/")->bearer_token, "one");
  EXPECT_EQ(credentials.request("/")->bearer_token, "one");
  EXPECT_EQ(plugin_.runs, 1);
  EXPECT_THAT(plugin_.command.argv, testing::ElementsAre("aws-login", "--now"));
  EXPECT_THAT(plugin_.command.environment, Contains("AWS_PROFILE=ml"));
  EXPECT_EQ(plugin_.variable("KUBERNETES_EXEC_INFO"),
            R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1",)"
            R"("spec":{"interactive":false}})");
  EXPECT_NE(plugin_.variable("PATH"), "");
  clock_.time.unix_seconds += 895;
  plugin_.answer = answer(R"("token":"two","expirationTimestamp":"2027-01-15T09:00:00+01:00")");
  EXPECT_EQ(credentials.request("/")->bearer_token, "two");
  EXPECT_EQ(plugin_.runs, 2);
}

TEST_F(CredentialsTest, ARefusedAnswerIsReplacedOnceHoweverManyWereRefused) {
  use_plugin();
  plugin_.answer = answer(R"("token":"one")");
  auto credentials = make();
  credentials.request("/");
  auto used = credentials.generation();
  credentials.refuse(used);
  credentials.request("/");
  credentials.refuse(used);  // another request that had been made with the first answer
  credentials.request("/");
  EXPECT_EQ(plugin_.runs, 2);
}

TEST_F(CredentialsTest, APluginMayGiveACertificateAndIsToldOfTheCluster) {
  use_plugin();
  access_.user.exec->provide_cluster_info = true;
  access_.cluster.ca.text = "CA";
  plugin_.answer = answer(R"("clientCertificateData":"C\n","clientKeyData":"K\n")");
  auto request = make().request("/");
  ASSERT_TRUE(request) << request.error().message();
  EXPECT_EQ(request->tls.client_certificate, "C\n");
  EXPECT_EQ(request->tls.client_key, "K\n");
  EXPECT_THAT(plugin_.variable("KUBERNETES_EXEC_INFO"),
              HasSubstr(R"("cluster":{"server":"https://k8s:6443",)"
                        R"("certificate-authority-data":"Q0E="})"));
}

TEST_F(CredentialsTest, PluginErrorsSayWhichProgramAndNeverWhatItPrinted) {
  use_plugin();
  access_.user.exec->install_hint = "install it from example.org";
  plugin_.error = "aws-login: not found in PATH";
  EXPECT_EQ(
      error(),
      "credentials from aws-login: aws-login: not found in PATH; install it from example.org");
  plugin_.error = "";
  for (const auto& [printed, message] : std::vector<std::pair<std::string, std::string>>{
           {"s3cret {", "what it printed is no JSON"},
           {R"({"apiVersion":"client.authentication.k8s.io/v1beta1","status":{"token":"s3cret"}})",
            "it answers in apiVersion 'client.authentication.k8s.io/v1beta1'"},
           {answer(""), "neither a token nor a certificate"},
           {answer(R"("clientKeyData":"s3cret","token":"t")"), "not both"},
           {answer(R"("token":"s3cret\n")"), "characters that no token has"},
           {answer(R"("token":"s3cret","expirationTimestamp":"soon")"), "'soon' is no time"},
           {R"({"apiVersion":"client.authentication.k8s.io/v1"})", "no status"}}) {
    plugin_.answer = printed;
    EXPECT_THAT(error(), HasSubstr(message));
    EXPECT_THAT(error(), Not(HasSubstr("s3cret")));
  }
}

TEST(Rfc3339, IsReadWithFractionsAndOffsets) {
  EXPECT_EQ(parse_rfc3339("2027-01-15T08:00:00Z"), Timestamp{1'800'000'000});
  EXPECT_EQ(parse_rfc3339("2027-01-15T08:00:00.123456Z"), Timestamp{1'800'000'000});
  EXPECT_EQ(parse_rfc3339("2027-01-15T09:30:00+01:30"), Timestamp{1'800'000'000});
  EXPECT_EQ(parse_rfc3339("2027-01-15T07:00:00-01:00"), Timestamp{1'800'000'000});
  for (auto wrong :
       {"", "2027-01-15", "2027-01-15T08:00:00", "2027-13-15T08:00:00Z", "2027-02-30T08:00:00Z",
        "2027-01-15T25:00:00Z", "2027-01-15T08:00:00+1", "2027-01-15T08:00:00.5"}) {
    EXPECT_FALSE(parse_rfc3339(wrong)) << wrong;
  }
}

TEST_F(CredentialsTest, OneFailureIsToldToAllWhoWaitedForThePlugin) {
  use_plugin();
  plugin_.error = "no network";
  Credentials credentials(access_, plugin_, clock_);
  std::promise<void> woken;
  credentials.on_ready([&] { woken.set_value(); });
  if (!credentials.ready()) woken.get_future().wait();
  EXPECT_TRUE(credentials.ready());
  for (int i = 0; i < 3; ++i) {
    EXPECT_THAT(credentials.request("/").error().message(), HasSubstr("no network"));
  }
  EXPECT_EQ(plugin_.runs, 1);
  credentials.forget_failure();
  plugin_.error = "";
  plugin_.answer = answer(R"("token":"t")");
  credentials.on_ready(nullptr);
  EXPECT_EQ(credentials.request("/")->bearer_token, "t");
  EXPECT_TRUE(credentials.ready());
  EXPECT_EQ(plugin_.runs, 2);
}

}  // namespace
}  // namespace schedlens::kube
