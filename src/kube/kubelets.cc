// SPDX-License-Identifier: Apache-2.0
#include "kube/kubelets.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "kube/kubelet_metrics.h"
#include "model/node_object.h"

namespace schedlens::kube {
namespace {

std::string right_for(KubeletReach reach) {
  return reach == KubeletReach::kProxy ? "`get` on nodes/proxy" : "`get` on nodes/metrics";
}

}  // namespace

std::string host_of(const std::string& address) {
  return address.find(':') == std::string::npos ? address : '[' + address + ']';
}

Result<net::StreamRequest> kubelet_request(const model::Node& node, const std::string& path,
                                           const KubeletOptions& options,
                                           Credentials& credentials) {
  if (options.reach == KubeletReach::kProxy) {
    return credentials.request(fmt::format("/api/v1/nodes/{}/proxy{}", node.name.view(), path));
  }
  if (node.address.empty() || !node.object || node.object->kubelet_port == 0) {
    return fail("the node does not say where its kubelet listens");
  }
  PageAddress address;
  address.url =
      fmt::format("https://{}:{}{}", host_of(node.address), node.object->kubelet_port, path);
  address.ca_file = options.ca_file;
  address.insecure = options.insecure;
  return page_request(address, credentials);
}

std::vector<PageQuestion> ask_kubelets(const std::vector<model::Node>& nodes,
                                       const std::string& path, const KubeletOptions& options,
                                       Credentials& credentials) {
  std::vector<PageQuestion> questions;
  questions.reserve(nodes.size());
  for (const auto& node : nodes) {
    questions.push_back({node.name.str(), kubelet_request(node, path, options, credentials)});
  }
  return questions;
}

Kubelets::Kubelets(KubeletOptions options, CredentialsPtr credentials, const os::Clock& clock)
    : options_(std::move(options)),
      credentials_(std::move(credentials)),
      clock_(clock),
      round_("kubelets", "kubelets", "kubelets", right_for(options_.reach), clock) {}

void Kubelets::read(const std::vector<model::Node>& nodes, const std::stop_token& token) {
  const auto& last = status().last_attempt;
  if (last && clock_.now() - *last < options_.interval) return;
  std::set<Symbol> there;
  for (const auto& node : nodes) there.insert(node.name);
  std::erase_if(by_node_, [&](const auto& entry) { return !there.contains(entry.first); });
  round_.ask(ask_kubelets(nodes, "/metrics", options_, *credentials_), token,
             [&](std::size_t place, const std::string& page) -> Status {
               auto vitals = read_kubelet_metrics(page);
               if (!vitals) return fail(vitals.error());
               const auto& node = nodes[place];
               vitals->address = node.address;
               vitals->time = clock_.now();
               vitals->node = node.name;
               by_node_[node.name] = std::move(*vitals);
               return {};
             });
}

std::vector<model::KubeletVitals> Kubelets::last() const {
  std::vector<model::KubeletVitals> all;
  all.reserve(by_node_.size());
  for (const auto& [name, vitals] : by_node_) all.push_back(vitals);
  return all;
}

}  // namespace schedlens::kube
