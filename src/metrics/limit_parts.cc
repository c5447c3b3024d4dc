// SPDX-License-Identifier: Apache-2.0
// Limits with their use, reservations and licences.
#include "metrics/parts.h"

namespace schedlens::metrics {
namespace {

using model::Limit;
using model::LimitKind;
using model::Snapshot;

// Slurm counts these in minutes.
bool in_minutes(LimitKind kind) {
  switch (kind) {
    case LimitKind::kGrpWall:
    case LimitKind::kGrpTresMins:
    case LimitKind::kGrpTresRunMins:
    case LimitKind::kMaxWallPerJob:
    case LimitKind::kMaxTresMinsPerJob:
    case LimitKind::kMaxTresRunMinsPerUser:
    case LimitKind::kMaxTresRunMinsPerAccount:
      return true;
    default:
      return false;
  }
}

std::optional<double> in_base_unit(const Limit& limit, std::optional<double> amount) {
  return amount && in_minutes(limit.kind) ? *amount * 60 : amount;
}

// The limit itself or the use of it; what is used without a limit is not shown.
template <class... Labels>
void write(const std::vector<Limit>& limits, FamilyRef f, bool used, Exposition& out,
           const Labels&... labels) {
  for (const auto& limit : limits) {
    if (!limit.limit) continue;
    out.sample(f, in_base_unit(limit, used ? limit.used : limit.limit), labels...,
               limit_name(limit.kind), limit.resource);
  }
}

void write_qos(const Snapshot& s, FamilyRef f, bool used, Exposition& out) {
  for (const auto& q : s.qos) {
    write(q.limits, f, used, out, q.name, "qos", "");
    write(q.each_user, f, used, out, q.name, "each_user", "");
    write(q.each_account, f, used, out, q.name, "each_account", "");
    for (const auto& h : q.users) write(h.limits, f, used, out, q.name, "user", h.name);
    for (const auto& h : q.accounts) write(h.limits, f, used, out, q.name, "account", h.name);
  }
}

void write_associations(const Snapshot& s, FamilyRef f, bool used, Exposition& out) {
  for (const auto& a : s.associations) {
    write(a.limits, f, used, out, a.account, a.user, a.queue);
  }
}

}  // namespace

void write_limits(const Snapshot& s, Exposition& out) {
  write_qos(s, family("schedlens_qos_limit"), false, out);
  write_qos(s, family("schedlens_qos_limit_used"), true, out);
  write_associations(s, family("schedlens_association_limit"), false, out);
  write_associations(s, family("schedlens_association_limit_used"), true, out);
}

void write_reservations(const Snapshot& s, Exposition& out) {
  for (const auto& r : s.reservations) {
    out.sample(family("schedlens_reservation_active"), r.active ? 1 : 0, r.name);
  }
  for (const auto& r : s.reservations) {
    out.sample(family("schedlens_reservation_start_timestamp_seconds"), r.start, r.name);
  }
  for (const auto& r : s.reservations) {
    out.sample(family("schedlens_reservation_end_timestamp_seconds"), r.end, r.name);
  }
  for (const auto& r : s.reservations) {
    out.sample(family("schedlens_reservation_nodes"), r.node_count, r.name);
  }
  for (const auto& l : s.licences) out.sample(family("schedlens_licences"), l.total, l.name);
  for (const auto& l : s.licences) out.sample(family("schedlens_licences_used"), l.used, l.name);
  for (const auto& l : s.licences) {
    out.sample(family("schedlens_licences_reserved"), l.reserved, l.name);
  }
}

}  // namespace schedlens::metrics
