// SPDX-License-Identifier: Apache-2.0
#include "model/quantities.h"

#include <algorithm>
#include <limits>

namespace schedlens::model {
namespace {

std::int64_t saturating_sum(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  using Limits = std::numeric_limits<std::int64_t>;
  return a > 0 ? Limits::max() : Limits::min();
}

std::int64_t negated(std::int64_t a) {
  using Limits = std::numeric_limits<std::int64_t>;
  return a == Limits::min() ? Limits::max() : -a;
}

// Where the name is, or would be.
std::vector<Quantities::Item>::iterator place(std::vector<Quantities::Item>& items, Symbol name) {
  return std::lower_bound(items.begin(), items.end(), name,
                          [](const auto& item, Symbol n) { return item.name < n; });
}

}  // namespace

std::optional<std::int64_t> Quantities::find(Symbol name) const {
  for (const auto& item : items()) {
    if (item.name == name) return item.amount;
  }
  return std::nullopt;
}

std::int64_t Quantities::get(Symbol name) const {
  return find(name).value_or(0);
}

void Quantities::set(Symbol name, std::int64_t amount) {
  auto& items = items_.edit();
  const auto at = place(items, name);
  if (at != items.end() && at->name == name) {
    at->amount = amount;
  } else {
    items.insert(at, {name, amount});
  }
}

void Quantities::add(Symbol name, std::int64_t amount) {
  auto& items = items_.edit();
  const auto at = place(items, name);
  if (at != items.end() && at->name == name) {
    at->amount = saturating_sum(at->amount, amount);
  } else {
    items.insert(at, {name, amount});
  }
}

void Quantities::add(const Quantities& other) {
  for (const auto& item : other.items()) add(item.name, item.amount);
}

void Quantities::subtract(const Quantities& other) {
  for (const auto& item : other.items()) add(item.name, negated(item.amount));
}

void Quantities::raise(const Quantities& other) {
  auto& items = items_.edit();
  for (const auto& item : other.items()) {
    const auto at = place(items, item.name);
    if (at != items.end() && at->name == item.name) {
      at->amount = std::max(at->amount, item.amount);
    } else {
      items.insert(at, item);
    }
  }
}

}  // namespace schedlens::model
