// SPDX-License-Identifier: Apache-2.0
#pragma once
// A Snapshot as kube-scheduler's cache holds it: for every node what it has, what the pods bound to
// it take, their number and ports, and which pods are nominated to it. Nodes with equal taints and
// equal labels (of those that waiting pods ask about) form one class.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/kubernetes.h"
#include "model/node_object.h"
#include "model/pod.h"
#include "model/snapshot.h"

namespace schedlens::diagnose {

struct AssignedPod {
  model::NodeId node;
  model::WorkloadId id;
};

// Bound to a node name and neither succeeded nor failed; one that is being deleted counts.
bool is_assigned(const model::Workload& w);
// The scheduler counts it: "cpu", "vendor.com/device", "hugepages-2Mi", but not "foo".
bool is_scheduled_resource(Symbol name);

// The values of one label, numbered, and the number of each node's value (-1: without the label).
struct Topology {
  Symbol key;
  std::vector<std::int32_t> of_node;
  std::vector<std::string> values;
};

class PodCluster {
 public:
  // The Snapshot must outlive it.
  explicit PodCluster(const model::Snapshot& snapshot);

  const model::Snapshot& snapshot() const { return snapshot_; }
  const model::Kubernetes& kubernetes() const { return *kubernetes_; }
  std::size_t node_count() const { return snapshot_.nodes.size(); }
  const model::NodeObject& object(model::NodeId node) const;
  std::string_view name(model::NodeId node) const { return snapshot_.node(node).name.view(); }

  // Amounts of one resource by node; null when no node has and no pod takes it.
  struct Column {
    std::vector<std::int64_t> allocatable;
    std::vector<std::int64_t> used;
  };
  const Column* column(Symbol resource) const;
  std::uint32_t pods_on(model::NodeId node) const {
    return first_[node.index + 1] - first_[node.index];
  }

  // Of all nodes, ascending by node.
  std::span<const AssignedPod> assigned() const { return assigned_; }
  std::span<const AssignedPod> assigned_on(model::NodeId node) const;
  std::span<const model::HostPort> ports_on(model::NodeId node) const;
  // Waiting pods with a nominated node that exists, highest priority first.
  std::span<const AssignedPod> nominees() const { return nominees_; }
  const model::Pod& pod(const AssignedPod& p) const { return *snapshot_.workload(p.id).pod; }

  // Nodes alike in taints, cordon and labels that count.
  std::size_t class_count() const { return representatives_.size(); }
  std::uint32_t class_of(model::NodeId node) const { return class_of_[node.index]; }
  model::NodeId representative(std::size_t c) const { return representatives_[c]; }

  const Topology& topology(Symbol key);

 private:
  void index_pods();
  void index_resources();
  void index_classes();

  const model::Snapshot& snapshot_;
  std::shared_ptr<const model::Kubernetes> kubernetes_;  // an empty one where there is none
  std::unordered_map<Symbol, Column> columns_;
  std::vector<AssignedPod> assigned_;
  std::vector<std::uint32_t> first_;  // in assigned_, by node, one more than nodes
  std::vector<model::HostPort> ports_;
  std::vector<std::uint32_t> first_port_;
  std::vector<AssignedPod> nominees_;
  std::vector<std::uint32_t> class_of_;
  std::vector<model::NodeId> representatives_;
  std::unordered_map<Symbol, Topology> topologies_;
};

}  // namespace schedlens::diagnose
