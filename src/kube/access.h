// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where a cluster's API server is and how to prove who we are: what a kubeconfig says about one
// context, or what a pod finds in its file system.

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace schedlens::kube {

// A text that the kubeconfig holds itself or that stands in a file, which may be replaced while we
// run. The text wins.
struct TextOrFile {
  std::string text;
  std::string file;
  bool empty() const { return text.empty() && file.empty(); }
};

struct Cluster {
  std::string server;  // "https://k8s.example:6443", with a path where the server has one
  TextOrFile ca;       // PEM; empty: the system's certificates
  std::string tls_server_name;
  bool insecure = false;
  std::string proxy_url;
  bool compressed = true;
};

// A program that prints credentials (client.authentication.k8s.io).
struct ExecPlugin {
  std::string command;
  std::vector<std::string> args;
  std::vector<std::pair<std::string, std::string>> env;
  std::string api_version;
  std::string install_hint;
  bool provide_cluster_info = false;
};

struct User {
  TextOrFile token;
  TextOrFile client_certificate, client_key;  // PEM
  std::string username, password;
  std::vector<std::string> impersonation;  // headers
  std::optional<ExecPlugin> exec;
};

struct Access {
  std::string context;  // empty inside a pod
  std::string ns = "default";
  Cluster cluster;
  User user;
};

}  // namespace schedlens::kube
