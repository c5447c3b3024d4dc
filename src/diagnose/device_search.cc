// SPDX-License-Identifier: Apache-2.0
#include "diagnose/device_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

namespace schedlens::diagnose {

using model::NodeId;

namespace {

constexpr std::uint32_t kMostSteps = 20'000;
constexpr std::uint32_t kMostChoices = 64;
constexpr std::size_t kMostNotes = 5;

// A constraint that names a request concerns its alternatives too.
bool concerns(const model::DeviceConstraint& constraint, const DeviceWant& want) {
  if (constraint.requests.empty()) return true;
  return std::any_of(constraint.requests.begin(), constraint.requests.end(), [&](const auto& r) {
    if (want.within.empty()) return r == want.name;
    return r == want.within || r == want.within + "/" + want.name;
  });
}

const model::DeviceAttribute* attribute(const model::Device& device, Symbol name) {
  auto at = std::find_if(device.attributes.begin(), device.attributes.end(),
                         [&](const auto& a) { return a.name == name; });
  return at == device.attributes.end() ? nullptr : &*at;
}

}  // namespace

bool tolerates_device(const model::DeviceRequest& request, const model::Device& device) {
  return std::all_of(device.taints.begin(), device.taints.end(), [&](const model::Taint& t) {
    const bool keeps_away =
        t.effect == model::TaintEffect::kNoSchedule || t.effect == model::TaintEffect::kNoExecute;
    return !keeps_away || model::tolerates(request.tolerations, t);
  });
}

DeviceSearch::DeviceSearch(DeviceIndex& index,
                           const std::vector<const model::ResourceClaim*>& claims)
    : index_(index) {
  for (const auto* claim : claims) {
    for (const auto& request : claim->requests) {
      auto want = [&](const model::DeviceRequest& r, std::string within) {
        DeviceWant w{claim, &r, r.name, std::move(within), {}};
        if (const auto* c = index.device_class(r.device_class)) w.selectors = c->selectors;
        w.selectors.insert(w.selectors.end(), r.selectors.begin(), r.selectors.end());
        return w;
      };
      auto& alternatives = requests_.emplace_back();
      if (request.first_available.empty()) alternatives.push_back(want(request, ""));
      for (const auto& sub : request.first_available) {
        alternatives.push_back(want(sub, request.name));
      }
    }
    constrained_ |= !claim->constraints.empty();
    for (const auto& c : claim->constraints) {
      if (c.different.empty()) continue;
      // Of several devices of one request the scheduler remembers the last one's value only.
      for (const auto& alternatives : requests_) {
        for (const auto& w : alternatives) {
          const bool several = w.request->all || w.request->count != 1;
          if (w.claim == claim && concerns(c, w) && several) inexact_ = true;
        }
      }
    }
  }
  std::size_t with_admin = 0;
  for (const auto* claim : claims) {
    with_admin += std::any_of(claim->requests.begin(), claim->requests.end(),
                              [](const model::DeviceRequest& r) { return r.admin; })
                      ? 1
                      : 0;
  }
  if (with_admin > 1) {
    inexact_ = true;
    note("access for administration by several claims");
  } else if (inexact_) {
    note("a constraint that attributes differ among several devices of one request");
  }
}

void DeviceSearch::note(std::string text) {
  if (not_evaluated_.size() >= kMostNotes) return;
  if (std::find(not_evaluated_.begin(), not_evaluated_.end(), text) == not_evaluated_.end()) {
    not_evaluated_.push_back(std::move(text));
  }
}

DeviceSearch::Counts DeviceSearch::counts(NodeId node, const DeviceWant& want) {
  Counts counts;
  for (auto d : index_.on(node).devices) {
    const auto& e = index_.entry(d);
    const auto selection = index_.selects(want.selectors, d);
    if (selection == Selection::kNo) continue;
    if (selection != Selection::kYes) {
      ++counts.unknown;
      continue;
    }
    ++counts.matching;
    if (e.holder && !want.request->admin) continue;
    if (tolerates_device(*want.request, *e.device)) {
      ++counts.free;
    } else {
      ++counts.tainted;
    }
  }
  return counts;
}

bool DeviceSearch::slot(NodeId node, const DeviceWant& want, DeviceWishes wishes, bool hopeful,
                        std::vector<Slot>& slots) {
  const auto& request = *want.request;
  Slot slot{&want, static_cast<std::uint32_t>(std::max<std::int64_t>(0, request.count)), {}};
  const auto& here = index_.on(node);
  if (request.all && !here.incomplete_pool.empty()) {
    note(fmt::format("all devices are asked for while pool {} is being written",
                     here.incomplete_pool));
    return hopeful;
  }
  if (request.takes_capacity && !hopeful) {
    note("a request for a share of a device's capacity");
    return false;
  }
  for (auto d : here.devices) {
    const auto& e = index_.entry(d);
    std::string why;
    const auto selection = index_.selects(want.selectors, d, &why);
    if (selection == Selection::kNo) continue;
    if (selection != Selection::kYes) {
      note(selection == Selection::kError
               ? fmt::format("a selector fails on device {} ({}), for which the scheduler gives up "
                             "the whole pod",
                             e.device->name, why)
               : fmt::format("a selector: {}", why));
      if (!hopeful) {
        if (request.all) return false;
        continue;
      }
    }
    const bool in_use = e.holder && !request.admin && !wishes.all_free;
    const bool tainted = !wishes.no_taints && !tolerates_device(request, *e.device);
    if (in_use || tainted) {
      if (request.all && selection == Selection::kYes) return false;
      continue;
    }
    if (e.device->several_claims && !hopeful) {
      note(fmt::format("device {}, which several claims may have a share of", e.device->name));
      continue;
    }
    slot.candidates.push_back(d);
  }
  if (request.all) {
    slot.count = static_cast<std::uint32_t>(slot.candidates.size());
    if (slot.count == 0) return false;
  }
  if (slot.candidates.size() < slot.count) return false;
  slots.push_back(std::move(slot));
  return true;
}

namespace {

// Wanted devices to devices, each to one at most: the claims without constraints and counters.
bool matching(
    const std::vector<std::pair<std::uint32_t, const std::vector<DeviceNumber>*>>& wants) {
  std::vector<const std::vector<DeviceNumber>*> units;
  for (const auto& [count, candidates] : wants) units.insert(units.end(), count, candidates);
  std::map<DeviceNumber, std::size_t> owner;
  std::vector<DeviceNumber> seen;
  auto place = [&](auto&& self, std::size_t unit) -> bool {
    for (auto d : *units[unit]) {
      if (std::find(seen.begin(), seen.end(), d) != seen.end()) continue;
      seen.push_back(d);
      const auto at = owner.find(d);
      if (at == owner.end() || self(self, at->second)) {
        owner[d] = unit;
        return true;
      }
    }
    return false;
  };
  for (std::size_t unit = 0; unit < units.size(); ++unit) {
    seen.clear();
    if (!place(place, unit)) return false;
  }
  return true;
}

}  // namespace

// One search with constraints and counters.
struct DeviceSearch::Attempt {
  DeviceIndex& index;
  const std::vector<Slot>& slots;
  DeviceWishes wishes;
  std::uint32_t steps = 0;
  std::vector<std::pair<const DeviceWant*, DeviceNumber>> taken;

  bool allowed(const DeviceWant& want, DeviceNumber d) const {
    const auto& device = *index.entry(d).device;
    if (std::any_of(taken.begin(), taken.end(), [&](const auto& t) { return t.second == d; })) {
      return false;
    }
    for (const auto& c : want.claim->constraints) {
      if (!concerns(c, want)) continue;
      const auto* mine = attribute(device, c.same.empty() ? c.different : c.same);
      if (!mine) return false;
      for (const auto& [other, number] : taken) {
        if (other->claim != want.claim || !concerns(c, *other)) continue;
        const auto* theirs = attribute(*index.entry(number).device, mine->name);
        const bool equal = theirs && theirs->kind == mine->kind && theirs->value == mine->value;
        if (equal == c.same.empty()) return false;
      }
    }
    return counters_suffice(d);
  }
  bool counters_suffice(DeviceNumber d) const {
    const auto& e = index.entry(d);
    for (const auto& set : e.device->consumes) {
      for (const auto& item : set.counters.items()) {
        auto left = index.counter_left(*e.slice, set.set, item.name, wishes.all_free) - item.amount;
        for (const auto& [want, number] : taken) {
          const auto& other = index.entry(number);
          if (other.slice->driver != e.slice->driver || other.slice->pool != e.slice->pool)
            continue;
          for (const auto& theirs : other.device->consumes) {
            if (theirs.set == set.set) left -= theirs.counters.get(item.name);
          }
        }
        if (left < 0) return false;
      }
    }
    return true;
  }
  // Nothing when it took too many steps.
  std::optional<bool> place(std::size_t slot, std::uint32_t nth, std::size_t from) {
    if (slot == slots.size()) return true;
    const auto& s = slots[slot];
    if (nth == s.count) return place(slot + 1, 0, 0);
    // Within one request the order means nothing, so that only the devices behind are tried.
    for (std::size_t i = from; i < s.candidates.size(); ++i) {
      if (++steps > kMostSteps) return std::nullopt;
      if (!allowed(*s.want, s.candidates[i])) continue;
      taken.emplace_back(s.want, s.candidates[i]);
      const auto done = place(slot, nth + 1, i + 1);
      if (!done || *done) return done;
      taken.pop_back();
    }
    return false;
  }
};

bool DeviceSearch::satisfy(const std::vector<Slot>& slots, DeviceWishes wishes) {
  std::vector<std::pair<std::uint32_t, const std::vector<DeviceNumber>*>> wants;
  bool counters = false;
  for (const auto& s : slots) {
    wants.emplace_back(s.count, &s.candidates);
    counters |= std::any_of(s.candidates.begin(), s.candidates.end(), [&](DeviceNumber d) {
      return !index_.entry(d).device->consumes.empty();
    });
  }
  if (!matching(wants)) return false;
  if (!constrained_ && !counters) return true;
  Attempt attempt{index_, slots, wishes, 0, {}};
  const auto done = attempt.place(0, 0, 0);
  if (done) return *done;
  gave_up_ = true;
  note("more combinations of devices than are tried");
  return false;
}

bool DeviceSearch::choose(NodeId node, std::size_t request, DeviceWishes wishes, bool hopeful,
                          std::vector<Slot>& slots, std::uint32_t& attempts) {
  if (request == requests_.size()) {
    if (++attempts > kMostChoices) {
      gave_up_ = true;
      return false;
    }
    return satisfy(slots, wishes);
  }
  for (const auto& want : requests_[request]) {
    const auto before = slots.size();
    if (slot(node, want, wishes, hopeful, slots) &&
        choose(node, request + 1, wishes, hopeful, slots, attempts)) {
      return true;
    }
    slots.erase(slots.begin() + static_cast<std::ptrdiff_t>(before), slots.end());
  }
  return false;
}

DeviceFit DeviceSearch::fit(NodeId node, DeviceWishes wishes) {
  for (const bool hopeful : {false, true}) {
    gave_up_ = false;
    std::vector<Slot> slots;
    std::uint32_t attempts = 0;
    const bool found = choose(node, 0, wishes, hopeful, slots, attempts);
    if (found && !hopeful && !inexact_) return DeviceFit::kYes;
    if (found || gave_up_) return DeviceFit::kUnknown;
    // Nothing was left out, so that hope adds nothing.
    if (!hopeful && not_evaluated_.empty()) return DeviceFit::kNo;
  }
  return DeviceFit::kNo;
}

}  // namespace schedlens::diagnose
