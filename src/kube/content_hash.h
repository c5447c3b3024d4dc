// SPDX-License-Identifier: Apache-2.0
#pragma once
// Hashes of what pods have in common, so that equal parts are found again. Every field is mixed in:
// parts that differ in one label's value do not share a bucket.

#include <bit>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/pod.h"
#include "model/resources.h"

namespace schedlens::kube {

class ContentHash {
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
  template <class T>
  void add(const model::SharedOptional<T>& value) {
    number(value.has_value());
    if (value) add(*value);
  }
  void add(const model::Shared<std::string>& text) { add(std::string_view(*text)); }

  void add(const model::Label& l) {
    add(l.key);
    add(std::string_view(l.value));
  }
  void add(const model::Labels& labels) { add(labels.items()); }
  void add(const model::OwnerReference& o) {
    add(o.kind);
    add(std::string_view(o.name));
    add(std::string_view(o.uid));
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

  void add(const model::ResourceCounts& counts) {
    for (const auto& item : counts.items()) {
      add(item.name);
      number(std::bit_cast<std::uint64_t>(item.count));
    }
  }

  std::size_t value() const { return state_; }

 private:
  std::uint64_t state_ = 0;
};

}  // namespace schedlens::kube
