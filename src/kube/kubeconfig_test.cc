// SPDX-License-Identifier: Apache-2.0
#include "kube/kubeconfig.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/base64.h"

namespace schedlens::kube {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class Kubeconfig : public testing::Test {
 protected:
  Kubeconfig() {
    char name[] = "/tmp/kubeconfig_test.XXXXXX";
    dir_ = mkdtemp(name);
  }
  ~Kubeconfig() override { fs::remove_all(dir_); }

  std::string write(const std::string& name, const std::string& text) {
    auto path = dir_ + "/" + name;
    fs::create_directories(fs::path(path).parent_path());
    std::ofstream(path) << text;
    return path;
  }
  Result<Access> find(const std::string& files, const std::string& context = "") {
    Surroundings around;
    around.kubeconfig = files;
    return find_access({"", context}, around);
  }
  // The error for a kubeconfig with this one user.
  std::string user_error(const std::string& user) {
    auto found = find(write("config", kFrame + user));
    return found ? "none" : found.error().message();
  }
  User user(const std::string& user) {
    auto found = find(write("config", kFrame + user));
    if (!found) throw std::runtime_error(found.error().message());
    return found->user;
  }

  const std::string kFrame =
      "current-context: dev\n"
      "contexts:\n- {name: dev, context: {cluster: c, user: u}}\n"
      "clusters:\n- {name: c, cluster: {server: 'https://k8s:6443/'}}\n"
      "users:\n- name: u\n  user:\n";
  std::string dir_;
};

TEST_F(Kubeconfig, ReadsTheCurrentContext) {
  auto file = write("sub/config", R"(apiVersion: v1
kind: Config
current-context: dev
contexts:
- context: {cluster: c, user: u, namespace: ml}
  name: dev
clusters:
- name: c
  cluster:
    server: https://k8s.example:6443/k8s/clusters/c-1/
    certificate-authority: pki/ca.crt
    tls-server-name: kubernetes
    proxy-url: http://proxy:3128
    disable-compression: true
users:
- name: u
  user:
    client-certificate: ../u.crt
    client-key-data: )" + encode_base64("KEY\n") +
                                      R"(
    tokenFile: /abs/token
)");
  auto found = find(file);
  ASSERT_TRUE(found) << found.error().message();
  EXPECT_EQ(found->context, "dev");
  EXPECT_EQ(found->ns, "ml");
  EXPECT_EQ(found->cluster.server, "https://k8s.example:6443/k8s/clusters/c-1");
  EXPECT_EQ(found->cluster.ca.file, dir_ + "/sub/pki/ca.crt");
  EXPECT_EQ(found->cluster.tls_server_name, "kubernetes");
  EXPECT_EQ(found->cluster.proxy_url, "http://proxy:3128");
  EXPECT_FALSE(found->cluster.compressed);
  EXPECT_FALSE(found->cluster.insecure);
  EXPECT_EQ(found->user.client_certificate.file, dir_ + "/u.crt");
  EXPECT_EQ(found->user.client_key.text, "KEY\n");
  EXPECT_EQ(found->user.token.file, "/abs/token");
}

TEST_F(Kubeconfig, OfSeveralFilesTheFirstWinsPerName) {
  auto one = write("one",
                   "contexts:\n- {name: dev, context: {cluster: c, user: u}}\n"
                   "clusters:\n- {name: c, cluster: {server: 'https://first'}}\n");
  auto two = write("two/config",
                   "current-context: dev\n"
                   "contexts:\n- {name: dev, context: {cluster: other, user: other}}\n"
                   "clusters:\n- {name: c, cluster: {server: 'https://second', "
                   "certificate-authority: ca.crt}}\n"
                   "users:\n- {name: u, user: {tokenFile: t}}\n");
  auto found = find(dir_ + "/absent:" + one + "::" + two);
  ASSERT_TRUE(found) << found.error().message();
  EXPECT_EQ(found->cluster.server, "https://first");
  EXPECT_TRUE(found->cluster.ca.empty());  // entries are not mixed
  EXPECT_EQ(found->user.token.file, dir_ + "/two/t");
  EXPECT_EQ(found->ns, "default");
}

TEST_F(Kubeconfig, AJsonFileIsAKubeconfigToo) {
  auto file = write("config", R"({"contexts":[{"name":"x","context":{"cluster":"c"}}],
    "clusters":[{"name":"c","cluster":{"server":"k8s:8080"}}],"users":null})");
  auto found = find(file);
  ASSERT_TRUE(found) << found.error().message();
  EXPECT_EQ(found->context, "x");  // the only one
  EXPECT_EQ(found->cluster.server, "http://k8s:8080");
}

TEST_F(Kubeconfig, ErrorsNameThePlaceAndWhatThereIs) {
  auto file = write("config", kFrame + "    token: x\n");
  EXPECT_EQ(find(file, "prod").error().message(),
            file + ": there is no context 'prod'; known contexts: dev");
  file =
      write("config", "current-context: gone\ncontexts:\n- {name: dev, context: {cluster: c}}\n");
  EXPECT_EQ(find(file).error().message(),
            file + ":1:18: current-context: there is no context 'gone'; known contexts: dev");
  EXPECT_EQ(find(file, "dev").error().message(),
            file + ":3:34: context 'dev': there is no cluster 'c'; known clusters: none");
  file = write("config", "contexts:\n- {name: a, context: {}}\n- {name: b, context: {}}\n");
  EXPECT_THAT(find(file).error().message(), HasSubstr("name one of these contexts: a, b"));
  file = write("config", "a: [\n");
  EXPECT_THAT(find(file).error().message(), HasSubstr(file + ":2:1: "));
  file = write("config", "just text");
  EXPECT_THAT(find(file).error().message(), HasSubstr("not a kubeconfig"));
  EXPECT_EQ(find(dir_ + "/absent").error().message(),
            dir_ + "/absent: no such file; give a kubeconfig, or set KUBECONFIG");
}

TEST_F(Kubeconfig, UsersThatCannotWorkAreErrorsThatSayWhatToDo) {
  EXPECT_THAT(user_error("    auth-provider: {name: gcp}\n"),
              HasSubstr("auth-provider 'gcp' was removed from Kubernetes clients; install "
                        "gke-gcloud-auth-plugin"));
  EXPECT_THAT(user_error("    client-certificate: a.crt\n"),
              HasSubstr("client-certificate is given without client-key"));
  auto error = user_error("    client-certificate-data: s3cr=t\n    client-key: k\n");
  EXPECT_THAT(error, HasSubstr("config:9:30: client-certificate-data: not base64"));
  EXPECT_THAT(error, Not(HasSubstr("s3cr")));
  EXPECT_THAT(user_error("    exec: {apiVersion: client.authentication.k8s.io/v1alpha1, "
                         "command: x}\n"),
              HasSubstr("v1alpha1' is not supported"));
  EXPECT_THAT(user_error("    exec: {apiVersion: client.authentication.k8s.io/v1}\n"),
              HasSubstr("exec has no command"));
  EXPECT_THAT(user_error("    exec: {apiVersion: client.authentication.k8s.io/v1, command: x, "
                         "interactiveMode: Always}\n"),
              HasSubstr("wants to ask on the terminal"));
}

TEST_F(Kubeconfig, AuthorityAndInsecureContradict) {
  auto file =
      write("config",
            "contexts:\n- {name: d, context: {cluster: c}}\nclusters:\n- {name: c, cluster: "
            "{server: s, insecure-skip-tls-verify: true, certificate-authority: x}}\n");
  EXPECT_THAT(find(file).error().message(), HasSubstr("remove one of them"));
}

TEST_F(Kubeconfig, ReadsAnExecPlugin) {
  auto u = user(
      "    exec:\n      apiVersion: client.authentication.k8s.io/v1beta1\n"
      "      command: ./bin/login\n      args: [get-token, --cluster, c]\n"
      "      env:\n      - {name: AWS_PROFILE, value: ml}\n"
      "      installHint: get it at example.org\n      provideClusterInfo: true\n");
  ASSERT_TRUE(u.exec);
  EXPECT_EQ(u.exec->command, dir_ + "/bin/login");
  EXPECT_THAT(u.exec->args, ElementsAre("get-token", "--cluster", "c"));
  EXPECT_THAT(u.exec->env, ElementsAre(testing::Pair("AWS_PROFILE", "ml")));
  EXPECT_EQ(u.exec->install_hint, "get it at example.org");
  EXPECT_TRUE(u.exec->provide_cluster_info);
  EXPECT_EQ(
      user("    exec: {apiVersion: client.authentication.k8s.io/v1, command: aws}\n").exec->command,
      "aws");
}

TEST_F(Kubeconfig, ReadsPasswordsAndImpersonation) {
  auto u = user(
      "    username: admin\n    password: secret\n    as: alice\n    as-groups: [ml, ops]\n"
      "    as-user-extra: {reason: [audit]}\n");
  EXPECT_EQ(u.username, "admin");
  EXPECT_EQ(u.password, "secret");
  EXPECT_THAT(u.impersonation,
              ElementsAre("Impersonate-User: alice", "Impersonate-Group: ml",
                          "Impersonate-Group: ops", "Impersonate-Extra-reason: audit"));
}

TEST_F(Kubeconfig, APodUsesItsServiceAccount) {
  Surroundings around;
  around.home = dir_;
  around.service_host = "10.0.0.1";
  around.service_port = "443";
  around.service_account = dir_ + "/sa";
  EXPECT_THAT(find_access({}, around).error().message(),
              HasSubstr("automountServiceAccountToken: true"));
  write("sa/token", "t");
  write("sa/ca.crt", "ca");
  write("sa/namespace", "watch");
  auto found = find_access({}, around);
  ASSERT_TRUE(found) << found.error().message();
  EXPECT_EQ(found->cluster.server, "https://10.0.0.1:443");
  EXPECT_EQ(found->cluster.ca.file, dir_ + "/sa/ca.crt");
  EXPECT_EQ(found->user.token.file, dir_ + "/sa/token");
  EXPECT_EQ(found->ns, "watch");
  EXPECT_EQ(found->context, "");
  around.service_host = "fd00::1";
  EXPECT_EQ(find_access({}, around)->cluster.server, "https://[fd00::1]:443");
  // A kubeconfig at home comes first.
  write(".kube/config", kFrame + "    token: x\n");
  EXPECT_EQ(find_access({}, around)->context, "dev");
}

TEST_F(Kubeconfig, NothingAtAllIsSaidAsSuch) {
  Surroundings around;
  EXPECT_FALSE(access_seems_present({}, around));
  EXPECT_THAT(find_access({}, around).error().message(), HasSubstr("no kubeconfig"));
  around.home = dir_;
  EXPECT_FALSE(access_seems_present({}, around));
  write(".kube/config", "");
  EXPECT_TRUE(access_seems_present({}, around));
  EXPECT_FALSE(find_access({}, around));
}

}  // namespace
}  // namespace schedlens::kube
