// SPDX-License-Identifier: Apache-2.0
#include "diagnose/reservation_tests.h"

#include <algorithm>

namespace schedlens::diagnose {
namespace {

bool names(const std::vector<Symbol>& list, Symbol name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

}  // namespace

std::optional<Seconds> run_limit(const model::Snapshot& snapshot, const model::Workload& w) {
  if (w.time_limit.has_value()) return w.time_limit.value;
  if (w.time_limit.known()) return std::nullopt;
  for (auto name : w.queues) {
    auto queue = snapshot.find_queue(name);
    if (!queue) continue;
    const auto& q = snapshot.queue(*queue);
    if (q.default_time) return q.default_time;
    if (q.max_time.has_value()) return q.max_time.value;
  }
  return std::nullopt;
}

std::optional<Timestamp> end_if_started_now(const model::Snapshot& snapshot,
                                            const model::Workload& w) {
  auto limit = run_limit(snapshot, w);
  if (!limit) return std::nullopt;
  return snapshot.time + *limit;
}

ReservationTests::ReservationTests(const model::Snapshot& snapshot) : snapshot_(snapshot) {
  for (std::uint32_t i = 0; i < snapshot.reservations.size(); ++i) {
    const auto& r = snapshot.reservations[i];
    if (r.nodes.empty()) continue;
    std::uint64_t cores = 0;
    for (auto id : r.nodes) {
      const auto& node = snapshot.node(id);
      cores += std::uint64_t{node.sockets} * node.cores_per_socket;
    }
    (r.whole_nodes(cores) ? of_nodes_ : of_cores_only_).push_back(i);
  }
}

bool ReservationTests::closes(const model::Reservation& r, const model::Workload& w,
                              std::optional<Timestamp> end) const {
  bool begun = r.start ? *r.start <= snapshot_.time : r.active;
  bool over = r.end && *r.end <= snapshot_.time;
  bool begins_before_end = begun || (r.start && (!end || *r.start < *end));
  if (over || !begins_before_end) return false;
  // Nobody need ask for a magnetic reservation: those who may use it are tried in it.
  bool magnetic = r.has_flag("MAGNETIC");
  return !magnetic || !(names(r.users, w.user) || names(r.accounts, w.account));
}

// An end that never comes meets every reservation that is not over.
std::vector<std::uint32_t> ReservationTests::closed_at_some_time(const model::Workload& w) const {
  return view(w, std::nullopt).closed_by;
}

ReservationView ReservationTests::view(const model::Workload& w) const {
  return view(w, end_if_started_now(snapshot_, w));
}

ReservationView ReservationTests::view(const model::Workload& w,
                                       std::optional<Timestamp> end) const {
  ReservationView view;
  if (snapshot_.reservations.empty()) return view;
  bool overlaps_others = false;
  if (!w.reservation.empty()) {
    for (std::uint32_t i = 0; i < snapshot_.reservations.size(); ++i) {
      const auto& r = snapshot_.reservations[i];
      if (r.name != w.reservation) continue;
      if (!r.nodes.empty()) view.own = i;
      view.leaves_own = r.has_flag("FLEX");
      overlaps_others = r.has_flag("OVERLAP") || r.has_flag("MAINT");
    }
  }
  if (overlaps_others) return view;
  for (auto i : of_nodes_) {
    const auto& r = snapshot_.reservations[i];
    if (r.name != w.reservation && closes(r, w, end)) view.closed_by.push_back(i);
  }
  return view;
}

std::optional<Timestamp> ReservationTests::own_starts_later(const model::Workload& w) const {
  if (w.reservation.empty()) return std::nullopt;
  const auto* r = snapshot_.find_reservation(w.reservation);
  if (!r || r->active || !r->start || *r->start <= snapshot_.time) return std::nullopt;
  return r->start;
}

bool ReservationTests::own_is_gone(const model::Workload& w) const {
  if (w.reservation.empty()) return false;
  const auto* r = snapshot_.find_reservation(w.reservation);
  if (r) return r->end && *r->end <= snapshot_.time;
  // Absent from a list that was read is gone; absent because nothing was read is not known.
  const auto* source = snapshot_.find_source("scontrol show reservation");
  return !snapshot_.reservations.empty() || (source && source->state == model::SourceState::kFresh);
}

}  // namespace schedlens::diagnose
