// SPDX-License-Identifier: Apache-2.0
#include "kube/kubelets.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "kube/kubelet_metrics.h"
#include "model/node_object.h"

namespace schedlens::kube {
namespace {

// "[fd00::5]:10250"
std::string host_and_port(const std::string& address, std::int32_t port) {
  const bool v6 = address.find(':') != std::string::npos;
  return v6 ? fmt::format("[{}]:{}", address, port) : fmt::format("{}:{}", address, port);
}

std::string right_for(KubeletReach reach) {
  return reach == KubeletReach::kProxy ? "`get` on nodes/proxy" : "`get` on nodes/metrics";
}

}  // namespace

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
      fmt::format("https://{}{}", host_and_port(node.address, node.object->kubelet_port), path);
  address.ca_file = options.ca_file;
  address.insecure = options.insecure;
  return page_request(address, credentials);
}

Kubelets::Kubelets(KubeletOptions options, CredentialsPtr credentials, const os::Clock& clock)
    : options_(std::move(options)), credentials_(std::move(credentials)), clock_(clock) {
  status_.name = "kubelets";
  status_.feeds = "kubelets";
}

void Kubelets::read(const std::vector<model::Node>& nodes, const std::stop_token& token) {
  if (status_.last_attempt && clock_.now() - *status_.last_attempt < options_.interval) return;
  const auto begin = clock_.steady();
  status_.last_attempt = clock_.now();
  ++status_.reads;

  std::size_t failed = 0, bytes = 0;
  std::string first_error;
  const auto failing = [&](const model::Node& node, const Error& error) {
    if (failed++ == 0) first_error = fmt::format("{}: {}", node.name.view(), error.message());
  };
  std::set<Symbol> there;
  std::vector<net::StreamRequest> requests;
  std::vector<const model::Node*> asked;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto& node = nodes[(first_ + i) % nodes.size()];
    there.insert(node.name);
    auto request = kubelet_request(node, "/metrics", options_, *credentials_);
    if (!request) {
      failing(node, request.error());
      continue;
    }
    requests.push_back(std::move(*request));
    asked.push_back(&node);
  }
  std::erase_if(by_node_, [&](const auto& entry) { return !there.contains(entry.first); });

  PageOptions page;
  page.at_once = 16;
  page.whole_patience = std::chrono::seconds(10);
  page.right = right_for(options_.reach);
  std::size_t answered = 0;
  const auto all = requests.size();
  const auto reached = read_pages(std::move(requests), page, clock_, token,
                                  [&](std::size_t place, Result<std::string> text) {
                                    const auto& node = *asked[place];
                                    if (!text) return failing(node, text.error());
                                    bytes += text->size();
                                    auto vitals = read_kubelet_metrics(*text);
                                    if (!vitals) return failing(node, vitals.error());
                                    vitals->address = node.address;
                                    vitals->time = clock_.now();
                                    vitals->node = node.name;
                                    by_node_[node.name] = std::move(*vitals);
                                    ++answered;
                                  });

  first_ = reached == all ? 0 : (first_ + reached) % nodes.size();

  status_.seconds = std::chrono::duration<double>(clock_.steady() - begin).count();
  status_.bytes = bytes;
  status_.records = answered;
  status_.unreadable_records = failed;
  status_.error = failed == 0 ? ""
                              : fmt::format("{} of {} kubelets gave no metrics; {}", failed,
                                            nodes.size(), first_error);
  if (answered > 0 || failed == 0) {
    status_.last_success = clock_.now();
    status_.state = failed == 0 ? model::SourceState::kFresh : model::SourceState::kPartial;
    return;
  }
  ++status_.failures;
  status_.state = status_.last_success ? model::SourceState::kFailed : model::SourceState::kNever;
}

std::vector<model::KubeletVitals> Kubelets::last() const {
  std::vector<model::KubeletVitals> all;
  all.reserve(by_node_.size());
  for (const auto& [name, vitals] : by_node_) all.push_back(vitals);
  return all;
}

}  // namespace schedlens::kube
