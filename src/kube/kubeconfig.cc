// SPDX-License-Identifier: Apache-2.0
#include "kube/kubeconfig.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "base/base64.h"
#include "base/text.h"

namespace schedlens::kube {
namespace {

namespace fs = std::filesystem;

// A map of one file, and how errors about it begin. Values that are absent or null read as empty.
class Section {
 public:
  Section() = default;
  Section(const YAML::Node& node, std::string file) : node_(node), file_(std::move(file)) {}

  bool present() const { return node_.IsDefined() && !node_.IsNull(); }
  bool is_map() const { return node_.IsDefined() && node_.IsMap(); }
  const std::string& file() const { return file_; }

  Section at(const char* key) const {
    return {is_map() ? node_[key] : YAML::Node(YAML::NodeType::Undefined), file_};
  }
  std::string text(const char* key) const {
    auto value = at(key);
    return value.present() && value.node_.IsScalar() ? value.node_.Scalar() : "";
  }
  bool flag(const char* key) const { return text(key) == "true"; }
  std::vector<Section> items() const {
    std::vector<Section> out;
    if (!node_.IsDefined() || !node_.IsSequence()) return out;
    for (const auto& item : node_) out.emplace_back(item, file_);
    return out;
  }
  std::string scalar() const { return node_.IsDefined() && node_.IsScalar() ? node_.Scalar() : ""; }
  std::vector<std::pair<std::string, Section>> entries() const {
    std::vector<std::pair<std::string, Section>> out;
    if (!node_.IsDefined() || !node_.IsMap()) return out;
    for (const auto& entry : node_)
      out.emplace_back(entry.first.Scalar(), Section(entry.second, file_));
    return out;
  }
  // "config:12:5: "
  std::string place() const {
    auto mark = node_.IsDefined() ? node_.Mark() : YAML::Mark::null_mark();
    if (mark.is_null()) return file_ + ": ";
    return fmt::format("{}:{}:{}: ", file_, mark.line + 1, mark.column + 1);
  }
  std::string place_of(const char* key) const {
    auto value = at(key);
    return value.present() ? value.place() : place();
  }
  // Relative paths are relative to the file they stand in.
  std::string path(const char* key) const {
    auto value = text(key);
    return value.empty() ? value : resolve(value);
  }
  std::string resolve(const std::string& name) const {
    return (fs::path(file_).parent_path() / name).lexically_normal().string();
  }
  // FIELD-data in base64 wins over FIELD, a file.
  Result<TextOrFile> text_or_file(const std::string& field) const {
    TextOrFile out;
    auto data_field = field + "-data";
    if (auto data = text(data_field.c_str()); !data.empty()) {
      auto decoded = decode_base64(data);
      if (!decoded) {
        return fail(
            "{}{}: not base64; put a file name into '{}' instead, or encode with base64 -w0",
            place_of(data_field.c_str()), data_field, field);
      }
      out.text = std::move(*decoded);
    } else {
      out.file = path(field.c_str());
    }
    return out;
  }

 private:
  YAML::Node node_;
  std::string file_;
};

bool there(const std::string& file) {
  std::error_code error;
  return fs::exists(file, error);
}

using Named = std::map<std::string, Section>;

std::string names(const Named& known) {
  std::string out;
  for (const auto& entry : known) {
    if (!out.empty()) out += ", ";
    out += printable(entry.first);
  }
  return out.empty() ? "none" : out;
}

// All files together: of entries with one name the first counts, whole.
struct Merged {
  Section current_context;
  Named contexts, clusters, users;
  std::vector<std::string> files;

  void add(const Section& root) {
    files.push_back(root.file());
    if (!root.text("current-context").empty() && !current_context.present()) {
      current_context = root.at("current-context");
    }
    add_named(root.at("contexts"), "context", contexts);
    add_named(root.at("clusters"), "cluster", clusters);
    add_named(root.at("users"), "user", users);
  }

 private:
  static void add_named(const Section& list, const char* what, Named& into) {
    for (const auto& item : list.items()) {
      if (auto name = item.text("name"); !name.empty()) into.emplace(name, item.at(what));
    }
  }
};

Status read_file(const std::string& path, Merged& into) {
  std::ifstream in(path);
  std::stringstream text;
  if (!in || !(text << in.rdbuf())) {
    // An empty file sets the fail bit, too.
    std::error_code error;
    if (fs::is_regular_file(path, error) && fs::file_size(path, error) == 0 && in.is_open())
      return {};
    return fail("{}: cannot be read; check its owner and mode", path);
  }
  try {
    Section root(YAML::Load(text.str()), path);
    if (!root.present()) return {};
    if (!root.is_map()) return fail("{}: not a kubeconfig: the document is no map", path);
    into.add(root);
  } catch (const YAML::Exception& e) {
    return fail("{}:{}:{}: {}", path, e.mark.line + 1, e.mark.column + 1, e.msg);
  }
  return {};
}

Result<ExecPlugin> read_exec(const Section& exec, const std::string& user) {
  ExecPlugin plugin;
  plugin.command = exec.text("command");
  if (plugin.command.empty()) return fail("{}user '{}': exec has no command", exec.place(), user);
  if (plugin.command.find('/') != std::string::npos) plugin.command = exec.path("command");
  plugin.api_version = exec.text("apiVersion");
  if (plugin.api_version != "client.authentication.k8s.io/v1" &&
      plugin.api_version != "client.authentication.k8s.io/v1beta1") {
    return fail(
        "{}user '{}': exec apiVersion '{}' is not supported; client.authentication.k8s.io/v1 and "
        "v1beta1 are: update the plugin that wrote it",
        exec.place_of("apiVersion"), user, printable(plugin.api_version));
  }
  if (exec.text("interactiveMode") == "Always") {
    return fail(
        "{}user '{}': '{}' wants to ask on the terminal (interactiveMode: Always); log in "
        "by another means that needs no questions, for example a service account's token",
        exec.place_of("interactiveMode"), user, printable(plugin.command));
  }
  for (const auto& arg : exec.at("args").items()) plugin.args.push_back(arg.scalar());
  for (const auto& entry : exec.at("env").items()) {
    plugin.env.emplace_back(entry.text("name"), entry.text("value"));
  }
  plugin.install_hint = exec.text("installHint");
  plugin.provide_cluster_info = exec.flag("provideClusterInfo");
  return plugin;
}

std::string replacement_for(const std::string& provider) {
  if (provider == "gcp") return "install gke-gcloud-auth-plugin and fetch the credentials again";
  if (provider == "azure") return "run kubelogin convert-kubeconfig";
  if (provider == "oidc") return "set up the exec plugin kubectl oidc-login";
  return "use an exec plugin or a token";
}

void read_impersonation(const Section& s, User& user) {
  if (auto as = s.text("as"); !as.empty()) user.impersonation.push_back("Impersonate-User: " + as);
  if (auto uid = s.text("as-uid"); !uid.empty()) {
    user.impersonation.push_back("Impersonate-Uid: " + uid);
  }
  for (const auto& group : s.at("as-groups").items()) {
    user.impersonation.push_back("Impersonate-Group: " + group.scalar());
  }
  for (const auto& [key, values] : s.at("as-user-extra").entries()) {
    for (const auto& value : values.items()) {
      user.impersonation.push_back("Impersonate-Extra-" + key + ": " + value.scalar());
    }
  }
}

Result<User> read_user(const Section& s, const std::string& name) {
  User user;
  if (s.at("auth-provider").present()) {
    auto provider = s.at("auth-provider").text("name");
    return fail("{}user '{}': auth-provider '{}' was removed from Kubernetes clients; {}",
                s.place_of("auth-provider"), name, printable(provider), replacement_for(provider));
  }
  auto certificate = s.text_or_file("client-certificate");
  if (!certificate) return fail(certificate.error());
  auto key = s.text_or_file("client-key");
  if (!key) return fail(key.error());
  if (certificate->empty() != key->empty()) {
    return fail("{}user '{}': {} is given without {}; both are needed", s.place(), name,
                key->empty() ? "client-certificate" : "client-key",
                key->empty() ? "client-key" : "client-certificate");
  }
  user.client_certificate = std::move(*certificate);
  user.client_key = std::move(*key);
  user.token.text = s.text("token");
  user.token.file = s.path("tokenFile");
  user.username = s.text("username");
  user.password = s.text("password");
  read_impersonation(s, user);
  // Whoever has a token already need not ask for one.
  if (s.at("exec").present() && user.token.empty()) {
    auto plugin = read_exec(s.at("exec"), name);
    if (!plugin) return fail(plugin.error());
    user.exec = std::move(*plugin);
  }
  return user;
}

Result<Cluster> read_cluster(const Section& s, const std::string& name) {
  Cluster cluster;
  cluster.server = s.text("server");
  if (cluster.server.empty()) {
    return fail("{}cluster '{}' has no server; give its URL, for example https://k8s.example:6443",
                s.place(), name);
  }
  auto ca = s.text_or_file("certificate-authority");
  if (!ca) return fail(ca.error());
  cluster.ca = std::move(*ca);
  cluster.tls_server_name = s.text("tls-server-name");
  cluster.insecure = s.flag("insecure-skip-tls-verify");
  if (cluster.insecure && !cluster.ca.empty()) {
    return fail(
        "{}cluster '{}' names a certificate authority and insecure-skip-tls-verify; remove "
        "one of them",
        s.place(), name);
  }
  cluster.proxy_url = s.text("proxy-url");
  cluster.compressed = !s.flag("disable-compression");
  return cluster;
}

void complete_server(Access& access) {
  auto& server = access.cluster.server;
  if (server.find("://") == std::string::npos) {
    bool tls = !access.cluster.ca.empty() || access.cluster.insecure ||
               !access.user.client_certificate.empty();
    server = (tls ? "https://" : "http://") + server;
  }
  while (server.ends_with('/')) server.pop_back();
}

// The context that is asked for, the current one, or the only one.
Result<std::string> choose_context(const Merged& all, const Choice& choice) {
  auto where = all.files.empty() ? std::string("kubeconfig") : all.files.front();
  if (!choice.context.empty()) {
    if (all.contexts.contains(choice.context)) return choice.context;
    return fail("{}: there is no context '{}'; known contexts: {}", where,
                printable(choice.context), names(all.contexts));
  }
  auto current = all.current_context.scalar();
  if (!current.empty()) {
    if (all.contexts.contains(current)) return current;
    return fail("{}current-context: there is no context '{}'; known contexts: {}",
                all.current_context.place(), printable(current), names(all.contexts));
  }
  if (all.contexts.size() == 1) return all.contexts.begin()->first;
  return fail("{}: current-context is not set; name one of these contexts: {}", where,
              names(all.contexts));
}

Result<Access> of_context(const Merged& all, const std::string& name) {
  Access access;
  access.context = name;
  const auto& context = all.contexts.at(name);
  if (auto ns = context.text("namespace"); !ns.empty()) access.ns = ns;
  auto cluster_name = context.text("cluster");
  auto cluster = all.clusters.find(cluster_name);
  if (cluster == all.clusters.end()) {
    return fail("{}context '{}': there is no cluster '{}'; known clusters: {}",
                context.place_of("cluster"), printable(name), printable(cluster_name),
                names(all.clusters));
  }
  auto read = read_cluster(cluster->second, printable(cluster_name));
  if (!read) return fail(read.error());
  access.cluster = std::move(*read);
  if (auto user_name = context.text("user"); !user_name.empty()) {
    auto user = all.users.find(user_name);
    if (user == all.users.end()) {
      return fail("{}context '{}': there is no user '{}'; known users: {}",
                  context.place_of("user"), printable(name), printable(user_name),
                  names(all.users));
    }
    auto who = read_user(user->second, printable(user_name));
    if (!who) return fail(who.error());
    access.user = std::move(*who);
  }
  complete_server(access);
  return access;
}

bool in_pod(const Surroundings& around) {
  return !around.service_host.empty() && !around.service_port.empty();
}

Result<Access> of_service_account(const Surroundings& around) {
  Access access;
  bool ipv6 = around.service_host.find(':') != std::string::npos;
  auto host = ipv6 ? "[" + around.service_host + "]" : around.service_host;
  access.cluster.server = fmt::format("https://{}:{}", host, around.service_port);
  access.user.token.file = around.service_account + "/token";
  access.cluster.ca.file = around.service_account + "/ca.crt";
  for (const auto& file : {access.user.token.file, access.cluster.ca.file}) {
    if (!there(file)) {
      return fail(
          "{}: not there; the pod needs a service account with its token mounted "
          "(automountServiceAccountToken: true)",
          file);
    }
  }
  std::ifstream in(around.service_account + "/namespace");
  std::string ns;
  if (in >> ns) access.ns = ns;
  return access;
}

std::string default_file(const Surroundings& around) {
  return around.home.empty() ? "" : around.home + "/.kube/config";
}

}  // namespace

Surroundings Surroundings::of_process() {
  auto value = [](const char* name) {
    const char* text = std::getenv(name);
    return std::string(text ? text : "");
  };
  Surroundings around;
  around.kubeconfig = value("KUBECONFIG");
  around.home = value("HOME");
  around.service_host = value("KUBERNETES_SERVICE_HOST");
  around.service_port = value("KUBERNETES_SERVICE_PORT");
  return around;
}

Result<Access> find_access(const Choice& choice, const Surroundings& around) {
  bool asked_for = !choice.kubeconfig.empty() || !around.kubeconfig.empty();
  auto list = !choice.kubeconfig.empty() ? choice.kubeconfig
              : asked_for                ? around.kubeconfig
                                         : default_file(around);
  Merged all;
  std::vector<std::string> missing;
  for (auto part : split(list, ':')) {
    std::string file(part);
    if (file.empty()) continue;
    if (!there(file)) {
      missing.push_back(file);
      continue;
    }
    if (auto read = read_file(file, all); !read) return fail(read.error());
  }
  if (all.files.empty() || (all.contexts.empty() && !asked_for && in_pod(around))) {
    if (!asked_for && in_pod(around)) return of_service_account(around);
    if (!missing.empty()) {
      return fail("{}: no such file; give a kubeconfig, or set KUBECONFIG", missing.front());
    }
    return fail("no kubeconfig: ~/.kube/config says nothing and KUBECONFIG is not set");
  }
  auto context = choose_context(all, choice);
  if (!context) return fail(context.error());
  return of_context(all, *context);
}

bool access_seems_present(const Choice& choice, const Surroundings& around) {
  if (!choice.kubeconfig.empty() || !around.kubeconfig.empty() || in_pod(around)) return true;
  auto file = default_file(around);
  return !file.empty() && there(file);
}

}  // namespace schedlens::kube
