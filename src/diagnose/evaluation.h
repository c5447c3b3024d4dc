// SPDX-License-Identifier: Apache-2.0
#pragma once
// Shapes against node classes, each pair tested once. What depends on one workload alone (the
// nodes it insists on or refuses) is applied on top.

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "diagnose/feature_expression.h"
#include "diagnose/node_class.h"
#include "diagnose/node_tests.h"
#include "diagnose/placement.h"
#include "diagnose/reservation_tests.h"
#include "diagnose/shape.h"
#include "model/snapshot.h"

namespace schedlens::diagnose {

// Tests that more free resources on the same nodes would pass.
constexpr Tests kResourceTests{Tests::of(Test::kExclusive).bits | Tests::of(Test::kSharing).bits |
                               Tests::of(Test::kCpus).bits | Tests::of(Test::kMaxCpusPerNode).bits |
                               Tests::of(Test::kMemory).bits | Tests::of(Test::kCompleting).bits |
                               Tests::of(Test::kPoweringDown).bits |
                               ~(Tests::of(Test::kFirstDevice).bits - 1)};
// Tests that the workload brought upon itself by naming features or nodes.
constexpr Tests kOwnChoiceTests{Tests::of(Test::kFeatures).bits | Tests::of(Test::kExcluded).bits |
                                Tests::of(Test::kRequired).bits};

// What is free on the nodes that a workload is allowed to use, that are in service and that could
// ever hold its share.
struct Sums {
  std::uint32_t nodes = 0;
  std::uint64_t cpus = 0;
  Bytes memory;
  FreeGpus gpus;
  std::uint64_t largest_hole = 0;
  std::array<std::uint64_t, kMostDeviceKinds> devices{};
  std::uint32_t fewest_cpus = 0;  // in all on one of the nodes
  // Likewise on the nodes that are only out of service.
  std::uint32_t nodes_out = 0;
  std::uint64_t gpus_out = 0;
};

// A set of node classes.
struct ClassSet {
  std::vector<std::uint64_t> words;
  void add(std::size_t c) { words[c / 64] |= std::uint64_t{1} << c % 64; }
  bool intersects(const ClassSet& other) const;
};

struct ShapeAnswer {
  Shape shape;
  const FeatureExpression* features = nullptr;
  const std::vector<std::uint32_t>* feature_masks = nullptr;  // by class
  // By class, now; of nodes outside the partition no other test is listed.
  std::vector<Tests> failed;
  std::vector<Tests> failed_when_empty;  // likewise; filled when asked for

  // Answers for workloads without node lists of their own.
  std::vector<std::pair<std::uint32_t, Placement>> placements;  // by ignored tests
  std::optional<bool> possible;
  std::optional<Sums> sums;
  std::optional<ClassSet> allowed;
};

class Evaluation {
 public:
  explicit Evaluation(const model::Snapshot& snapshot);

  const model::Snapshot& snapshot() const { return snapshot_; }
  const NodeClasses& nodes() const { return nodes_; }
  const ReservationTests& reservations() const { return reservations_; }
  std::size_t shapes() const { return answers_.size(); }

  // Stays valid as long as the Evaluation.
  ShapeAnswer& answer(const model::Workload& w, model::QueueId queue);

  // Where the workload would go now if some tests did not count.
  Placement fit(ShapeAnswer& answer, const model::Workload& w, Tests ignoring = {});
  // It could start if nothing ran and every node were in service.
  bool possible(ShapeAnswer& answer, const model::Workload& w);
  Sums sums(ShapeAnswer& answer, const model::Workload& w);
  // Classes that the shape may use, whatever is free there.
  const ClassSet& allowed_classes(ShapeAnswer& answer) const;
  // The tests that one node fails, those of the workload's node lists included.
  Tests failed_on(const ShapeAnswer& answer, const model::Workload& w, model::NodeId node) const;
  // Likewise, and of a node outside the partition all others too.
  Tests all_failed_on(const ShapeAnswer& answer, const model::Workload& w,
                      model::NodeId node) const;
  // The nodes behind a placement's classes, not those the workload refuses.
  std::vector<model::NodeId> nodes_of(const Placement& placement, const model::Workload& w,
                                      Tests ignoring = {}) const;

 private:
  Placement place_with(ShapeAnswer& answer, const model::Workload& w, Tests ignoring, Use use);
  const std::vector<Tests>& when_empty(ShapeAnswer& answer);
  std::vector<Tests> test_classes(const ShapeAnswer& answer, Use use) const;
  std::vector<std::uint32_t> counts(const model::Workload& w, Tests ignoring) const;
  struct Features {
    FeatureExpression expression;
    std::vector<std::uint32_t> masks;
  };
  const Features& features(const std::string& text);

  const model::Snapshot& snapshot_;
  NodeClasses nodes_;
  ReservationTests reservations_;
  bool nodes_have_owners_ = false;
  std::vector<std::uint32_t> class_sizes_;
  std::vector<std::vector<std::uint32_t>> classes_of_queue_;
  std::unordered_map<std::string, Features> features_;
  std::unordered_map<std::string, std::unique_ptr<ShapeAnswer>> answers_;
};

// The workload names nodes it insists on or refuses.
bool has_node_lists(const model::Workload& w);

}  // namespace schedlens::diagnose
