// SPDX-License-Identifier: Apache-2.0
#include "diagnose/account_limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "base/text.h"
#include "diagnose/limit_use.h"
#include "diagnose/reservation_tests.h"

namespace schedlens::diagnose {

using model::Association;
using model::Limit;
using model::LimitKind;
using model::Qos;
using model::Workload;

namespace {

bool is_per_user(LimitKind k) {
  return k == LimitKind::kMaxJobsPerUser || k == LimitKind::kMaxTresPerUser ||
         k == LimitKind::kMaxTresRunMinsPerUser;
}

bool is_per_account(LimitKind k) {
  return k == LimitKind::kMaxJobsPerAccount || k == LimitKind::kMaxTresPerAccount ||
         k == LimitKind::kMaxTresRunMinsPerAccount;
}

bool is_group(LimitKind k) {
  return k == LimitKind::kGrpJobs || k == LimitKind::kGrpWall || k == LimitKind::kGrpTres ||
         k == LimitKind::kGrpTresMins || k == LimitKind::kGrpTresRunMins;
}

bool is_per_job(LimitKind k) {
  return k == LimitKind::kMaxWallPerJob || k == LimitKind::kMaxTresPerJob ||
         k == LimitKind::kMaxTresPerNode || k == LimitKind::kMaxTresMinsPerJob ||
         k == LimitKind::kMinTresPerJob;
}

// Bounds on submitting and on accruing priority never keep a waiting job from starting.
bool bounds_starting(LimitKind k) {
  return is_group(k) || is_per_job(k) || is_per_user(k) || is_per_account(k) ||
         k == LimitKind::kMaxJobs;
}

std::vector<const Limit*> bounding(const std::vector<Limit>& limits) {
  std::vector<const Limit*> bounds;
  for (const auto& l : limits) {
    if (l.limit && bounds_starting(l.kind)) bounds.push_back(&l);
  }
  return bounds;
}

const Limit* find(const std::vector<Limit>& limits, LimitKind kind, Symbol resource) {
  for (const auto& l : limits) {
    if (l.kind == kind && l.resource == resource) return &l;
  }
  return nullptr;
}

// "user alice in QOS high", "account llm".
std::string holder_name(const LimitScope& scope) {
  if (scope.kind == LimitScope::Kind::kAssociation) {
    return scope.user.empty()
               ? fmt::format("account {}", scope.account.view())
               : fmt::format("user {} in account {}", scope.user.view(), scope.account.view());
  }
  const auto qos = fmt::format("QOS {}", scope.qos.view());
  if (!scope.user.empty()) return fmt::format("user {} in {}", scope.user.view(), qos);
  if (!scope.account.empty()) return fmt::format("account {} in {}", scope.account.view(), qos);
  return qos;
}

bool over_partition_qos(const Qos& qos) {
  return qos.flags && std::any_of(qos.flags->begin(), qos.flags->end(), [](const auto& f) {
           return equal_ignoring_case(f, "OverPartQOS");
         });
}

}  // namespace

const Association* parent(const model::Snapshot& snapshot, const Association& a) {
  if (a.parent_id) return snapshot.find_association(*a.parent_id);
  if (a.user.empty()) return nullptr;
  return snapshot.find_association(a.account, Symbol(), Symbol());
}

std::string limit_unit(LimitKind kind, Symbol resource) {
  switch (kind) {
    case LimitKind::kGrpJobs:
    case LimitKind::kMaxJobs:
    case LimitKind::kMaxJobsPerUser:
    case LimitKind::kMaxJobsPerAccount:
      return "jobs";
    case LimitKind::kGrpWall:
    case LimitKind::kMaxWallPerJob:
      return "minutes";
    default:
      return resource == model::names::kMemory ? "bytes" : "";
  }
}

AccountLimits::AccountLimits(const model::Snapshot& snapshot) : snapshot_(snapshot) {
  if (snapshot.config && snapshot.config->get("AccountingStorageEnforce")) {
    safe_ = snapshot.config->has_word("AccountingStorageEnforce", "safe");
    enforced_ = safe_ || snapshot.config->has_word("AccountingStorageEnforce", "limits") ||
                snapshot.config->has_word("AccountingStorageEnforce", "all");
  }
  for (const auto& queue : snapshot.queues) fewest_cpus_.push_back(fewest_cpus(snapshot, queue));
  for (const auto& qos : snapshot.qos) {
    auto& bounds = qos_[&qos];
    bounds.own = bounding(qos.limits);
    bounds.each_user = bounding(qos.each_user);
    bounds.each_account = bounding(qos.each_account);
    for (const auto& u : qos.users) bounds.users.emplace(u.name, &u);
    for (const auto& a : qos.accounts) bounds.accounts.emplace(a.name, &a);
  }
  for (const auto& a : snapshot.associations) {
    auto bounds = bounding(a.limits);
    if (!bounds.empty()) associations_.emplace(a.id, std::move(bounds));
  }
}

// The walk over all bounds of one workload.
class AccountLimits::Walk {
 public:
  // unmet: those that do not keep it from starting are listed, too, and none has names.
  Walk(const AccountLimits& limits, const Workload& w, const Shape& shape, bool unmet)
      : limits_(limits),
        snapshot_(limits.snapshot_),
        w_(w),
        wants_(w, shape, limits.fewest_cpus_[shape.queue.index]),
        run_(run_limit(limits.snapshot_, w)),
        unmet_(unmet) {}

  std::vector<LimitHit> run(const Shape& shape) {
    const auto* job_qos = snapshot_.find_qos(w_.qos);
    auto partition_name = snapshot_.queue(shape.queue).qos;
    const auto* partition_qos =
        partition_name.empty() ? nullptr : snapshot_.find_qos(partition_name);
    if (partition_qos && job_qos && over_partition_qos(*job_qos)) {
      std::swap(partition_qos, job_qos);
    }
    if (partition_qos) qos(*partition_qos);
    if (job_qos && job_qos != partition_qos) qos(*job_qos);
    associations(snapshot_.queue(shape.queue).name);
    return std::move(hits_);
  }

 private:
  void qos(const Qos& q) {
    const auto& bounds = limits_.qos_.at(&q);
    LimitScope whole{LimitScope::Kind::kQos, q.name, {}, {}, 0};
    LimitScope user{LimitScope::Kind::kQos, q.name, w_.user, {}, 0};
    LimitScope account{LimitScope::Kind::kQos, q.name, {}, w_.account, 0};
    std::vector<std::pair<LimitKind, Symbol>> bounded;
    auto test = [&](const Limit& l, const LimitScope& scope, const std::vector<Limit>* use) {
      auto key = std::pair(l.kind, l.resource);
      if (hidden(key)) return;
      if (std::find(bounded.begin(), bounded.end(), key) != bounded.end()) return;
      bounded.push_back(key);
      const auto* used = use ? find(*use, l.kind, l.resource) : &l;
      compare(l, used, scope, use ? *use : q.limits);
    };
    for (const auto* l : bounds.own) {
      if (is_per_user(l->kind) || is_per_account(l->kind)) continue;
      test(*l, whole, nullptr);
    }
    holder_limits(bounds.users, w_.user, bounds.each_user,
                  [&](const Limit& l, const auto* use) { test(l, user, use); });
    holder_limits(bounds.accounts, w_.account, bounds.each_account,
                  [&](const Limit& l, const auto* use) { test(l, account, use); });
    hidden_.insert(hidden_.end(), bounded.begin(), bounded.end());
  }

  // The bounds of one user (or account) of a QOS: its own where it has use, then everybody's.
  template <class Callback>
  void holder_limits(const std::unordered_map<Symbol, const model::LimitHolder*>& holders,
                     Symbol name, const Bounds& each, const Callback& test) {
    static const std::vector<Limit> kNoUse;
    auto it = holders.find(name);
    const auto* use = it == holders.end() ? &kNoUse : &it->second->limits;
    for (const auto& l : *use) {
      if (l.limit && bounds_starting(l.kind)) test(l, use);
    }
    for (const auto* l : each) test(*l, use);
  }

  void associations(Symbol queue) {
    const auto* leaf = snapshot_.find_association(w_.account, w_.user, queue);
    const auto* a = leaf ? leaf : snapshot_.find_association(w_.account, Symbol(), Symbol());
    for (int depth = 0; a && depth < 64; ++depth, a = parent(snapshot_, *a)) {
      auto it = limits_.associations_.find(a->id);
      if (it == limits_.associations_.end()) continue;
      for (const auto* l : it->second) {
        if (!is_group(l->kind) && a != leaf) continue;
        if (hidden_by_qos(*l)) continue;
        LimitScope scope{LimitScope::Kind::kAssociation, {}, a->user, a->account, a->id};
        compare(*l, l, scope, a->limits);
      }
    }
  }

  bool hidden(const std::pair<LimitKind, Symbol>& key) const {
    return std::find(hidden_.begin(), hidden_.end(), key) != hidden_.end();
  }

  bool hidden_by_qos(const Limit& l) const {
    if (l.kind == LimitKind::kMaxJobs) {
      return hidden({LimitKind::kMaxJobsPerUser, {}}) ||
             hidden({LimitKind::kMaxJobsPerAccount, {}});
    }
    return hidden({l.kind, l.resource});
  }

  double minutes() const {
    if (run_) return static_cast<double>(run_->value) / 60;
    return w_.time_limit.known() ? std::numeric_limits<double>::infinity() : 0;
  }

  // Adds a hit when the bound keeps the workload from starting. siblings: the limits beside this
  // one, for what counts together with it.
  void compare(const Limit& l, const Limit* with_use, const LimitScope& scope,
               const std::vector<Limit>& siblings) {
    LimitHit hit;
    hit.kind = l.kind;
    hit.scope = scope;
    auto& r = hit.limit;
    r.limit = *l.limit;
    r.requested = wanted(l);
    bool met = false;
    if (is_per_job(l.kind)) {
      met = l.kind == LimitKind::kMinTresPerJob ? r.requested < r.limit : r.requested > r.limit;
      r.request_alone_exceeds = met;
    } else {
      auto use = with_use ? with_use->used : std::nullopt;
      r.used = use ? *use : limits_.used_by_running(scope, l.kind, l.resource);
      if (l.kind == LimitKind::kGrpTresMins && limits_.safe_) {
        if (const auto* running = find(siblings, LimitKind::kGrpTresRunMins, l.resource)) {
          r.used = *r.used + running->used.value_or(0);
        }
      }
      met = meets(l.kind, *r.used, r.requested, r.limit);
      // What is spent decays, but a job larger than the whole bound never starts.
      r.request_alone_exceeds = met && r.requested > r.limit && !only_past_use(l.kind);
    }
    if (!met && !(unmet_ && r.requested > 0)) return;
    r.resource = l.resource;
    if (!unmet_) {
      r.holder = holder_name(scope);
      r.name = std::string(model::limit_name(l.kind));
      r.unit = limit_unit(l.kind, l.resource);
    }
    hits_.push_back(std::move(hit));
  }

  bool only_past_use(LimitKind kind) const {
    return !limits_.safe_ && (kind == LimitKind::kGrpTresMins || kind == LimitKind::kGrpWall);
  }

  bool meets(LimitKind kind, double used, double requested, double limit) const {
    if (only_past_use(kind)) return used >= limit;
    return requested > 0 && used + requested > limit;
  }

  // What the workload would add to the quantity that the limit bounds.
  double wanted(const Limit& l) const {
    switch (l.kind) {
      case LimitKind::kGrpJobs:
      case LimitKind::kMaxJobs:
      case LimitKind::kMaxJobsPerUser:
      case LimitKind::kMaxJobsPerAccount:
        return 1;
      case LimitKind::kGrpWall:
      case LimitKind::kMaxWallPerJob:
        return minutes();
      case LimitKind::kGrpTresMins:
      case LimitKind::kGrpTresRunMins:
      case LimitKind::kMaxTresMinsPerJob:
      case LimitKind::kMaxTresRunMinsPerUser:
      case LimitKind::kMaxTresRunMinsPerAccount:
        return wants_.in_all(l.resource) * minutes();
      case LimitKind::kMaxTresPerNode:
        return wants_.on_one_node(l.resource);
      default:
        return wants_.in_all(l.resource);
    }
  }

  const AccountLimits& limits_;
  const model::Snapshot& snapshot_;
  const Workload& w_;
  Wants wants_;
  std::optional<Seconds> run_;
  bool unmet_;
  std::vector<std::pair<LimitKind, Symbol>> hidden_;
  std::vector<LimitHit> hits_;
};

std::vector<LimitHit> AccountLimits::reached(const Workload& w, const Shape& shape) const {
  if (!enforced_) return {};
  return Walk(*this, w, shape, false).run(shape);
}

std::vector<LimitHit> AccountLimits::counting(const Workload& w, const Shape& shape) const {
  if (!enforced_) return {};
  auto hits = Walk(*this, w, shape, true).run(shape);
  std::erase_if(hits, [](const LimitHit& hit) { return is_per_job(hit.kind); });
  return hits;
}

bool AccountLimits::under(std::uint32_t ancestor, const Association* association) const {
  for (int depth = 0; association && depth < 64; ++depth) {
    if (association->id == ancestor) return true;
    association = parent(snapshot_, *association);
  }
  return false;
}

bool AccountLimits::counts_for(const LimitScope& scope, const Workload& w) const {
  if (!model::holds_resources(w)) return false;
  auto queue = w.queues.empty() ? std::nullopt : snapshot_.find_queue(w.queues.front());
  if (scope.kind == LimitScope::Kind::kQos) {
    if (!scope.user.empty() && w.user != scope.user) return false;
    if (!scope.account.empty() && w.account != scope.account) return false;
    return w.qos == scope.qos || (queue && snapshot_.queue(*queue).qos == scope.qos);
  }
  if (scope.kind == LimitScope::Kind::kAssociation) {
    auto name = queue ? snapshot_.queue(*queue).name : Symbol();
    return under(scope.association, snapshot_.find_association(w.account, w.user, name));
  }
  return false;
}

double AccountLimits::used_by_running(const LimitScope& scope, LimitKind kind,
                                      Symbol resource) const {
  const auto key = limit_key(scope, kind, resource);
  auto [it, added] = running_use_.try_emplace(key, 0);
  if (!added) return it->second;
  for (const auto& w : snapshot_.workloads) {
    if (counts_for(scope, w)) it->second += running_use(snapshot_, w, kind, resource);
  }
  return it->second;
}

std::vector<model::NodeId> AccountLimits::nodes_used(const LimitHit& hit) const {
  std::set<model::NodeId> nodes;
  for (const auto& w : snapshot_.workloads) {
    if (!counts_for(hit.scope, w)) continue;
    nodes.insert(w.allocation.nodes.begin(), w.allocation.nodes.end());
  }
  return {nodes.begin(), nodes.end()};
}

std::vector<std::pair<model::WorkloadId, double>> AccountLimits::counted(
    const LimitHit& hit) const {
  std::vector<std::pair<model::WorkloadId, double>> uses;
  for (std::uint32_t i = 0; i < snapshot_.workloads.size(); ++i) {
    const auto& w = snapshot_.workload({i});
    if (!counts_for(hit.scope, w)) continue;
    const auto amount = running_use(snapshot_, w, hit.kind, hit.limit.resource);
    if (amount > 0) uses.emplace_back(model::WorkloadId{i}, amount);
  }
  return uses;
}

std::vector<LimitUse> AccountLimits::filled_by(const LimitHit& hit) const {
  std::map<std::string, double> sums;
  for (auto [id, amount] : counted(hit)) {
    const auto& w = snapshot_.workload(id);
    auto holder = hit.scope.user.empty() ? fmt::format("user {}", w.user.view())
                                         : fmt::format("job {}", model::display_id(w));
    sums[holder] += amount;
  }
  std::vector<LimitUse> uses;
  for (const auto& [holder, amount] : sums) uses.push_back({holder, amount});
  std::stable_sort(uses.begin(), uses.end(),
                   [](const LimitUse& a, const LimitUse& b) { return a.amount > b.amount; });
  return uses;
}

}  // namespace schedlens::diagnose
