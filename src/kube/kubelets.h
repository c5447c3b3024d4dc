// SPDX-License-Identifier: Apache-2.0
#pragma once
// Asks the kubelets of all nodes for their metrics, some at a time, and keeps the last good answer
// of each.

#include <map>
#include <stop_token>
#include <string>
#include <vector>

#include "kube/components.h"
#include "kube/kubelet_options.h"
#include "kube/page_round.h"
#include "model/control_plane.h"
#include "model/node.h"
#include "model/source.h"

namespace schedlens::kube {

// "10.0.0.5", "[fd00::5]"
std::string host_of(const std::string& address);

// The request for a page ("/metrics", "/stats/summary") of a node's kubelet. Fails for a node that
// has not said where its kubelet listens.
Result<net::StreamRequest> kubelet_request(const model::Node& node, const std::string& path,
                                           const KubeletOptions& options, Credentials& credentials);

// That to each node's kubelet, in the order of the nodes.
std::vector<PageQuestion> ask_kubelets(const std::vector<model::Node>& nodes,
                                       const std::string& path, const KubeletOptions& options,
                                       Credentials& credentials);

// One thread at a time.
class Kubelets {
 public:
  // The clock must outlive it.
  Kubelets(KubeletOptions options, CredentialsPtr credentials, const os::Clock& clock);

  // Asks every node's, unless that was done less than an interval ago. Those of nodes that are gone
  // are forgotten.
  void read(const std::vector<model::Node>& nodes, const std::stop_token& token);

  const model::SourceStatus& status() const { return round_.status(); }
  std::vector<model::KubeletVitals> last() const;

 private:
  KubeletOptions options_;
  CredentialsPtr credentials_;
  const os::Clock& clock_;
  PageRound round_;
  std::map<Symbol, model::KubeletVitals> by_node_;
};

}  // namespace schedlens::kube
