// SPDX-License-Identifier: Apache-2.0
#pragma once
// Reads a page of metrics by a table that says where each name goes. Names change over the
// versions: where a page has both an old and a new name of one thing, the new one counts.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kube/metrics_text.h"
#include "model/component_facts.h"
#include "model/durations.h"

namespace schedlens::kube {

enum class Part : std::uint8_t { kValue, kSum, kCount, kBucket };
enum class Shape : std::uint8_t {
  kNumber,
  kTotals,    // a histogram or summary of which only sum and count are taken
  kHistogram  // with its buckets
};

template <class Vitals>
struct MetricName {
  std::string_view name;
  Shape shape = Shape::kNumber;
  void (*take)(Vitals&, const Sample&, Part) = nullptr;
  // Where the page has one of these newer names of the same thing, that counts instead.
  std::array<std::string_view, 2> replaced_by = {};
};

// Which part of a family of this shape a line's name is; nothing for lines that are of no interest.
std::optional<Part> part_of(std::string_view full, std::string_view name, Shape shape);
// Some line of the page begins with the family's name.
bool has_family(std::string_view text, std::string_view name);

struct PageFacts {
  std::uint64_t own = 0;    // lines taken whose name starts with the component's own prefix
  std::string first_error;  // of a line that could not be read
};

template <class Vitals>
PageFacts read_metrics(std::string_view text, std::span<const MetricName<Vitals>> names,
                       std::string_view prefix, Vitals& vitals) {
  std::vector<const MetricName<Vitals>*> counting;
  for (const auto& name : names) {
    if (std::none_of(name.replaced_by.begin(), name.replaced_by.end(),
                     [&](std::string_view newer) { return has_family(text, newer); })) {
      counting.push_back(&name);
    }
  }
  const MetricName<Vitals>* found = nullptr;
  auto part = Part::kValue;
  const auto wanted = [&](std::string_view full) {
    for (const auto* name : counting) {
      const auto fits = part_of(full, name->name, name->shape);
      if (!fits) continue;
      found = name;
      part = *fits;
      return true;
    }
    return false;
  };
  PageFacts page;
  const auto facts = read_metrics_text(text, wanted, [&](const Sample& sample) {
    // A value that is no number says that nothing was measured.
    if (!std::isfinite(sample.value)) return;
    page.own += sample.name.starts_with(prefix);
    found->take(vitals, sample, part);
  });
  page.first_error = facts.first_error;
  return page;
}

inline Symbol label(const Sample& s, std::string_view key) {
  return Symbol(s.label(key));
}

// The item of a list with these names, made when it is not there yet.
template <class Item, class Match>
Item& item(std::vector<Item>& items, const Match& match, Item made) {
  const auto found = std::find_if(items.begin(), items.end(), match);
  return found != items.end() ? *found : items.emplace_back(std::move(made));
}
template <class Item>
Item& named(std::vector<Item>& items, Symbol name) {
  return item(items, [&](const Item& i) { return i.name == name; }, {name, {}});
}

// What lines of one thing with labels of no interest add up to.
void add(model::Durations& durations, const Sample& s, Part part);
void add(model::DurationHistogram& histogram, const Sample& s, Part part);

// Every component of Kubernetes has these two.
void take_start(model::ComponentFacts& facts, const Sample& s);
void take_version(model::ComponentFacts& facts, const Sample& s);

}  // namespace schedlens::kube
