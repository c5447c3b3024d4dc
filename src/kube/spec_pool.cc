// SPDX-License-Identifier: Apache-2.0
#include "kube/spec_pool.h"
#include "model/pod.h"

#include <algorithm>
#include <functional>
#include <string_view>

namespace schedlens::kube {
namespace {

// Mixes in every field, so that specs which differ in one label's value do not share a bucket.
class Hash {
 public:
  void number(std::uint64_t value) {
    state_ ^= value + 0x9E3779B97F4A7C15 + (state_ << 6) + (state_ >> 2);
    state_ *= 0xFF51AFD7ED558CCD;
  }
  void add(Symbol name) { number(name.id()); }
  void add(std::string_view text) { number(std::hash<std::string_view>()(text)); }

  template <class T>
  void add(const std::vector<T>& items) {
    number(items.size());
    for (const auto& item : items) add(item);
  }
  template <class T>
  void add(const std::optional<T>& value) {
    number(value.has_value());
    if (value) add(*value);
  }

  void add(const model::Label& l) {
    add(l.key);
    add(l.value);
  }
  void add(const model::LabelExpression& e) {
    add(e.key);
    number(static_cast<std::uint64_t>(e.op));
    for (const auto& value : e.values) add(std::string_view(value));
  }
  void add(const model::LabelSelector& s) { add(s.all); }
  void add(const model::NodeSelectorTerm& t) {
    add(t.labels);
    add(t.fields);
  }
  void add(const model::Toleration& t) {
    add(t.key);
    number(static_cast<std::uint64_t>(t.op));
    add(std::string_view(t.value));
    number(static_cast<std::uint64_t>(t.effect));
  }
  void add(const model::PodAffinityTerm& t) {
    add(t.pods);
    add(t.namespaces);
    add(t.namespace_selector);
    add(t.topology_key);
  }
  void add(const model::SpreadConstraint& s) {
    number(static_cast<std::uint64_t>(s.max_skew));
    add(s.topology_key);
    add(s.pods);
    number(static_cast<std::uint64_t>(s.min_domains.value_or(0)));
    add(s.match_label_keys);
  }
  void add(const model::HostPort& p) {
    add(std::string_view(p.ip));
    number(static_cast<std::uint64_t>(p.port));
  }
  void add(const model::Quantities::Item& item) {
    add(item.name);
    number(static_cast<std::uint64_t>(item.amount));
  }

  std::size_t value() const { return state_; }

 private:
  std::uint64_t state_ = 0;
};

}  // namespace

std::size_t content_hash(const model::PodSpec& spec) {
  Hash hash;
  hash.add(spec.scheduler);
  hash.add(spec.priority_class);
  hash.add(spec.runtime_class);
  hash.number((spec.never_preempts ? 1 : 0) + (spec.host_network ? 2 : 0));
  hash.add(spec.node_selector);
  hash.add(spec.node_affinity);
  hash.add(spec.tolerations);
  hash.add(spec.affinity);
  hash.add(spec.anti_affinity);
  hash.add(spec.spread);
  hash.add(spec.host_ports);
  hash.add(spec.request.items());
  hash.add(spec.limit.items());
  return hash.value();
}

model::PodSpecPtr SpecPool::share(model::PodSpec spec) {
  const auto hash = content_hash(spec);
  const auto [begin, end] = specs_.equal_range(hash);
  for (auto at = begin; at != end; ++at) {
    auto known = at->second.lock();
    if (known && *known == spec) return known;
  }
  if (specs_.size() >= sweep_at_) {
    sweep();
    sweep_at_ = std::max<std::size_t>(64, specs_.size() * 2);
  }
  auto made = std::make_shared<const model::PodSpec>(std::move(spec));
  specs_.emplace(hash, made);
  return made;
}

void SpecPool::sweep() {
  std::erase_if(specs_, [](const auto& entry) { return entry.second.expired(); });
}

}  // namespace schedlens::kube
