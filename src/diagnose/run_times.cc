// SPDX-License-Identifier: Apache-2.0
#include "diagnose/run_times.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>

#include "diagnose/reservation_tests.h"
#include "model/started.h"

namespace schedlens::diagnose {

using model::Workload;

namespace {

constexpr std::size_t kKept = 100;  // of each kind
constexpr std::size_t kMostKinds = 5000;
constexpr std::ptrdiff_t kEnough = 5;  // fewer say too little of a kind

// FNV-1a.
std::uint64_t mixed(std::uint64_t hash, std::string_view text) {
  for (auto c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return (hash ^ 0xff) * 0x100000001b3;  // so that "ab", "c" is not "a", "bc"
}

// "train-7" and "train-8" are the same work.
std::string_view stem(std::string_view name) {
  const auto end = name.find_last_not_of("0123456789_-.");
  return end == std::string_view::npos ? name : name.substr(0, end + 1);
}

}  // namespace

std::vector<RunTimes::Kind> RunTimes::kinds_of(const Workload& w) {
  constexpr std::uint64_t kBasis = 0xcbf29ce484222325;
  auto hash = [](std::initializer_list<std::string_view> names) {
    auto kind = kBasis;
    for (auto name : names) kind = mixed(kind, name);
    return kind;
  };
  const auto queue = w.queues.empty() ? std::string_view() : w.queues.front().view();
  return {hash({"name", w.user.view(), stem(w.name)}), hash({"user", w.user.view(), queue}),
          hash({"queue", queue}), hash({"all"})};
}

void RunTimes::observe(const model::Snapshot& snapshot) {
  last_seen_ = std::exchange(seen_, {});
  for (const auto& w : snapshot.workloads) {
    if (!model::is_finished(w) || !model::has_started(w, snapshot.time)) continue;
    if (!w.end || *w.end <= *w.start) continue;
    const auto limit = run_limit(snapshot, w);
    if (!limit || limit->value <= 0) continue;
    const auto run = std::pair(w.job_id, w.start->unix_seconds);
    seen_.insert(run);
    if (last_seen_.contains(run)) continue;
    ++count_;
    const auto part =
        static_cast<double>((*w.end - *w.start).value) / static_cast<double>(limit->value);
    for (auto kind : kinds_of(w)) add(kind, static_cast<float>(std::min(part, 1.0)));
  }
}

void RunTimes::add(Kind kind, float part) {
  auto it = parts_.find(kind);
  if (it == parts_.end()) {
    if (parts_.size() >= kMostKinds) return;
    it = parts_.try_emplace(kind).first;
  }
  auto& [sorted, by_age] = it->second;
  if (by_age.size() == kKept) {
    sorted.erase(std::lower_bound(sorted.begin(), sorted.end(), by_age.front()));
    by_age.pop_front();
  }
  by_age.push_back(part);
  sorted.insert(std::lower_bound(sorted.begin(), sorted.end(), part), part);
}

RunTimes::Known RunTimes::known() const {
  Known known;
  for (const auto& [kind, parts] : parts_) {
    known.emplace_back(kind, std::vector<float>(parts.by_age.begin(), parts.by_age.end()));
  }
  std::sort(known.begin(), known.end());
  return known;
}

RunTimes RunTimes::of(const Known& known, std::uint64_t size) {
  RunTimes times;
  times.count_ = size;
  for (const auto& [kind, parts] : known) {
    for (auto part : parts) times.add(kind, part);
  }
  return times;
}

std::optional<Seconds> RunTimes::draw(const Workload& w, Seconds limit, Seconds elapsed,
                                      double draw) const {
  if (count_ == 0) return std::nullopt;
  const auto whole = static_cast<double>(std::max<std::int64_t>(1, limit.value));
  const auto so_far = std::clamp(static_cast<double>(elapsed.value) / whole, 0.0, 1.0);
  auto in_seconds = [&](double part) {
    return Seconds{std::max(elapsed.value, static_cast<std::int64_t>(part * whole))};
  };
  for (auto kind : kinds_of(w)) {
    const auto it = parts_.find(kind);
    if (it == parts_.end()) continue;
    const auto& sorted = it->second.sorted;
    // Those that had run as long as this one and were still running.
    const auto first = std::upper_bound(sorted.begin(), sorted.end(), static_cast<float>(so_far));
    const auto left = sorted.end() - first;
    if (left < kEnough) continue;
    return in_seconds(*(first + static_cast<std::ptrdiff_t>(draw * static_cast<double>(left))));
  }
  // It has outlived what is known: any moment until its limit is as good.
  return in_seconds(so_far + draw * (1 - so_far));
}

}  // namespace schedlens::diagnose
