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

}  // namespace

std::vector<Quantities::Item>::iterator Quantities::place(Symbol name) {
  return std::lower_bound(items_.begin(), items_.end(), name,
                          [](const Item& item, Symbol n) { return item.name < n; });
}

std::optional<std::int64_t> Quantities::find(Symbol name) const {
  for (const auto& item : items_) {
    if (item.name == name) return item.amount;
  }
  return std::nullopt;
}

std::int64_t Quantities::get(Symbol name) const {
  return find(name).value_or(0);
}

void Quantities::set(Symbol name, std::int64_t amount) {
  const auto at = place(name);
  if (at != items_.end() && at->name == name) {
    at->amount = amount;
  } else {
    items_.insert(at, {name, amount});
  }
}

void Quantities::add(Symbol name, std::int64_t amount) {
  const auto at = place(name);
  if (at != items_.end() && at->name == name) {
    at->amount = saturating_sum(at->amount, amount);
  } else {
    items_.insert(at, {name, amount});
  }
}

void Quantities::add(const Quantities& other) {
  for (const auto& item : other.items_) add(item.name, item.amount);
}

void Quantities::subtract(const Quantities& other) {
  for (const auto& item : other.items_) add(item.name, negated(item.amount));
}

void Quantities::raise(const Quantities& other) {
  for (const auto& item : other.items_) {
    const auto at = place(item.name);
    if (at != items_.end() && at->name == item.name) {
      at->amount = std::max(at->amount, item.amount);
    } else {
      items_.insert(at, item);
    }
  }
}

}  // namespace schedlens::model
