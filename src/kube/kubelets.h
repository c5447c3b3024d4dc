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
#include "kube/pages.h"
#include "model/control_plane.h"
#include "model/node.h"
#include "model/source.h"

namespace schedlens::kube {

// The request for a page ("/metrics", "/stats/summary") of a node's kubelet. Fails for a node that
// has not said where its kubelet listens.
Result<net::StreamRequest> kubelet_request(const model::Node& node, const std::string& path,
                                           const KubeletOptions& options, Credentials& credentials);

// One thread at a time.
class Kubelets {
 public:
  // The clock must outlive it.
  Kubelets(KubeletOptions options, CredentialsPtr credentials, const os::Clock& clock);

  // Asks every node's, unless that was done less than an interval ago, for ten seconds at most:
  // then the next time begins where this one ended. Those of nodes that are gone are forgotten.
  void read(const std::vector<model::Node>& nodes, const std::stop_token& token);

  // Partial where some did not answer; the error says how many, and the first reason.
  const model::SourceStatus& status() const { return status_; }
  std::vector<model::KubeletVitals> last() const;

 private:
  KubeletOptions options_;
  CredentialsPtr credentials_;
  const os::Clock& clock_;
  model::SourceStatus status_;
  std::map<Symbol, model::KubeletVitals> by_node_;
  std::size_t first_ = 0;  // the place of the node that is asked first
};

}  // namespace schedlens::kube
