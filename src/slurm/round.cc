// SPDX-License-Identifier: Apache-2.0
#include "slurm/round.h"

#include <algorithm>
#include <cmath>

#include "slurm/assoc_mgr.h"
#include "slurm/config.h"
#include "slurm/exclusions.h"
#include "slurm/jobs.h"
#include "slurm/nodes.h"
#include "slurm/partitions.h"
#include "slurm/reservations.h"
#include "slurm/rows.h"
#include "slurm/sdiag.h"
#include "slurm/sprio.h"
#include "slurm/value_text.h"

namespace schedlens::slurm {
namespace {

using model::SourceState;

// A controller that did not answer so often is not asked again in the same round: every question
// would wait for its time limit, and a controller in trouble needs no more of them.
constexpr int kPatience = 2;

template <class T>
std::uint64_t take(Result<Parsed<T>>& parsed, auto& into, Complaints& complaints) {
  into = std::move(parsed->records);
  complaints = std::move(parsed->complaints);
  return into.size();
}

std::string list_of(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < 5; ++i) {
    text += (i ? ", " : "") + printable(names[i]);
  }
  return names.size() > 5 ? fmt::format("{}, ... ({} in all)", text, names.size()) : text;
}

double sum(const model::PriorityFactors& f) {
  return f.age + f.association + f.fair_share + f.job_size + f.queue + f.qos + f.site + f.tres -
         f.nice;
}

// Points that a priority may have gained or lost between two commands.
constexpr double kDrift = 0.02;

bool has_database(const model::Snapshot& snapshot) {
  return !snapshot.config || snapshot.config->has_word("AccountingStorageType", "slurmdbd");
}

}  // namespace

int Memory::squeue_version(std::string_view controller) const {
  auto version = version_number(controller);
  return squeue_is_older ? std::min(version, kExclusiveColumnSince - 1) : version;
}

Round::Round(const Options& options, os::ProcessRunner& runner, const os::Clock& clock,
             Memory& memory, std::stop_token stop)
    : options_(options),
      runner_(runner),
      clock_(clock),
      memory_(memory),
      stop_(std::move(stop)),
      next_(std::make_shared<model::Snapshot>()),
      nodes_(memory.last ? memory.last->nodes : std::vector<model::Node>{}),
      nonce_(draw_nonce()) {}

bool Round::due(SourceId id) const {
  const auto& source = memory_.sources[static_cast<std::size_t>(id)];
  if (!source.attempted) return true;
  bool slow = source_kind(id).slow && source.status.state != SourceState::kFailed;
  auto interval = slow ? options_.slow_interval : options_.interval;
  return clock_.steady() - *source.attempted >= std::chrono::seconds(interval.value);
}

bool Round::anything_due() const {
  for (std::size_t i = 0; i < kSources; ++i) {
    if (due(static_cast<SourceId>(i))) return true;
  }
  return false;
}

bool Round::applies(SourceId id) const {
  if (id == SourceId::kQos) return has_database(*next_);
  if (id == SourceId::kPriorities) {
    return !next_->config || next_->config->has_word("PriorityType", "multifactor");
  }
  return true;
}

Result<model::SnapshotPtr> Round::run() {
  if (!memory_.last && named_conf_is_missing(options_)) return nothing_read();
  if (memory_.last) {
    next_->cluster = memory_.last->cluster;
    next_->scheduler_version = memory_.last->scheduler_version;
  }
  for (std::size_t i = 0; i < kSources; ++i) {
    auto id = static_cast<SourceId>(i);
    if (!applies(id)) {
      memory_.source(id) = {};
      memory_.source(id).attempted = clock_.steady();
    } else if (due(id) && !stop_.stop_requested()) {
      read(id);
    } else {
      keep(id);
    }
  }
  bool ever = std::any_of(memory_.sources.begin(), memory_.sources.end(),
                          [](const Source& s) { return s.succeeded(); });
  if (!ever && stop_.stop_requested()) return fail("slurm: stopped before anything was read");
  if (!ever && !slurm_seems_installed(options_)) return nothing_read();
  const auto exempt = next_->config ? next_->config->get("PreemptExemptTime") : std::nullopt;
  merge_qos_records(memory_.qos_records, exempt ? parse_duration(*exempt) : std::nullopt,
                    next_->qos);
  complete_jobs();
  compare_job_counts();
  next_->time = clock_.now();
  fill_statuses();
  next_->build_index();
  memory_.last = next_;
  return memory_.last;
}

void Round::read(SourceId id) {
  const auto& kind = source_kind(id);
  auto& source = memory_.source(id);
  auto& status = source.status;
  auto before = source;
  status.name = kind.name;
  status.feeds = kind.feeds;
  source.attempted = clock_.steady();
  if (kind.asks_controller && controller_failures_ >= kPatience) {
    status.state = SourceState::kFailed;
    status.error = fmt::format("not asked in this round, after {}", controller_error_);
    return keep(id);
  }
  status.last_attempt = clock_.now();
  ++status.reads;
  auto output = run_command(id);
  if (!output && stop_.stop_requested()) {
    source = std::move(before);
    return keep(id);
  }
  status.seconds = std::chrono::duration<double>(clock_.steady() - *source.attempted).count();
  if (kind.asks_controller) controller_failures_ = output ? 0 : controller_failures_ + 1;
  if (!output) controller_error_ = output.error().message();

  Complaints complaints;
  auto count = output ? parse(id, output->out, complaints) : fail(output.error());
  if (!count) {
    ++status.failures;
    status.state = SourceState::kFailed;
    // A runner's error names the program already; ours about its output do not.
    status.error = (output ? count.error().within(kind.name) : count.error()).message();
    if (tell_) tell_(output ? status.error : fmt::format("{}: {}", kind.name, status.error));
    return keep(id);
  }
  if (auto unknown = nodes_.take_unknown(); !unknown.empty()) {
    complaints.say("names nodes that scontrol show node does not list: " + list_of(unknown));
  }
  status.error.clear();
  status.last_success = clock_.now();
  status.records = *count;
  status.bytes = output->out.size();
  status.unreadable_records = complaints.unreadable_records();
  status.warnings = complaints.examples();
  status.state = status.warnings.empty() ? SourceState::kFresh : SourceState::kPartial;
}

Result<os::Output> Round::run_command(SourceId id) {
  auto run = [&] {
    auto version = memory_.squeue_version(next_->scheduler_version);
    auto command = make_command(id, options_, nonce_, version);
    command.stop = stop_;
    return runner_.run(command);
  };
  // Programs may be updated while we run.
  if (id == SourceId::kConfig) memory_.squeue_is_older = false;
  auto output = run();
  if (output || id != SourceId::kJobs || memory_.squeue_is_older) return output;
  if (output.error().message().find("format specification") == std::string::npos) return output;
  memory_.squeue_is_older = true;
  return run();
}

Result<std::uint64_t> Round::parse(SourceId id, std::string_view text, Complaints& complaints) {
  auto into = [&](auto parsed, auto& list) -> Result<std::uint64_t> {
    if (!parsed) return fail(parsed.error());
    return take(parsed, list, complaints);
  };
  switch (id) {
    case SourceId::kConfig: {
      auto config = parse_config(text);
      if (!config) return fail(config.error());
      next_->config = std::move(*config);
      next_->cluster = next_->config->get("ClusterName").value_or("");
      next_->scheduler_version = next_->config->get("SLURM_VERSION").value_or("");
      return next_->config->entries.size();
    }
    case SourceId::kNodes:
      return take_nodes(text, complaints);
    case SourceId::kPartitions:
      return into(parse_partitions(text, nodes_), next_->queues);
    case SourceId::kJobs:
      return take_jobs(text, complaints);
    case SourceId::kExclusions:
      return take_exclusions(text, complaints);
    case SourceId::kReservations:
      return into(parse_reservations(text, nodes_, memory_.time), next_->reservations);
    case SourceId::kLicences:
      return into(parse_licence_pool(text), next_->licences);
    case SourceId::kAssociations: {
      auto parsed = parse_assoc_mgr(text);
      if (!parsed) return fail(parsed.error());
      next_->qos = std::move(parsed->qos);
      next_->associations = std::move(parsed->associations);
      next_->users = std::move(parsed->users);
      complaints = std::move(parsed->complaints);
      return next_->qos.size() + next_->associations.size() + next_->users.size();
    }
    case SourceId::kVitals: {
      auto vitals = parse_sdiag(text);
      if (!vitals) return fail(vitals.error());
      next_->vitals = std::move(*vitals);
      return 1;
    }
    case SourceId::kQos:
      return into(parse_qos_records(text), memory_.qos_records);
    case SourceId::kPriorities:
      return take_priorities(text, complaints);
    case SourceId::kCount:
      break;
  }
  return fail("no such source");
}

Result<std::uint64_t> Round::take_nodes(std::string_view text, Complaints& complaints) {
  auto parsed = parse_nodes(text, memory_.time);
  if (!parsed) return fail(parsed.error());
  std::uint64_t count = parsed->records.size();
  complaints = std::move(parsed->complaints);
  if (count == 0 && memory_.last && !memory_.last->nodes.empty()) {
    complaints.say(fmt::format("suddenly lists no nodes; the {} known ones are kept",
                               memory_.last->nodes.size()));
    keep(SourceId::kNodes);
    return count;
  }
  if (count == 0) complaints.say("lists no nodes");
  next_->nodes = std::move(parsed->records);
  nodes_ = NodeTable(next_->nodes);
  prepare_renumbering();
  return count;
}

Result<std::uint64_t> Round::take_jobs(std::string_view text, Complaints& complaints) {
  auto version = memory_.squeue_version(next_->scheduler_version);
  auto parsed = parse_jobs(text, {nodes_, memory_.time, nonce_, version});
  if (!parsed) return fail(parsed.error());
  return take(parsed, next_->workloads, complaints);
}

Result<std::uint64_t> Round::take_exclusions(std::string_view text, Complaints& complaints) {
  auto parsed = parse_exclusions(text, nodes_, nonce_);
  if (!parsed) return fail(parsed.error());
  memory_.exclusions.clear();
  for (auto& job : parsed->records) memory_.exclusions[job.job_id] = std::move(job.nodes);
  complaints = std::move(parsed->complaints);
  return memory_.exclusions.size();
}

Result<std::uint64_t> Round::take_priorities(std::string_view text, Complaints& complaints) {
  auto parsed = parse_sprio(text);
  if (!parsed) return fail(parsed.error());
  memory_.priorities.clear();
  for (const auto& job : parsed->records) memory_.priorities[job.job_id].push_back(job);
  complaints = std::move(parsed->complaints);
  return memory_.priorities.size();
}

void Round::keep(SourceId id) {
  if (!memory_.last) return;
  const auto& last = *memory_.last;
  switch (id) {
    case SourceId::kConfig:
      next_->config = last.config;
      break;
    case SourceId::kNodes:
      next_->nodes = last.nodes;
      break;
    case SourceId::kPartitions:
      next_->queues = last.queues;
      for (auto& queue : next_->queues) renumber(queue.nodes);
      break;
    case SourceId::kJobs:
      next_->workloads = last.workloads;
      if (new_ids_.empty()) break;
      for (auto& w : next_->workloads) {
        renumber(w.allocation.nodes);
        renumber(w.planned_nodes);
        renumber(w.request.required_nodes);
        w.allocation.per_node.clear();
        w.detailed = false;
      }
      break;
    case SourceId::kReservations:
      next_->reservations = last.reservations;
      for (auto& reservation : next_->reservations) renumber(reservation.nodes);
      break;
    case SourceId::kLicences:
      next_->licences = last.licences;
      break;
    case SourceId::kAssociations:
      next_->qos = last.qos;
      next_->associations = last.associations;
      next_->users = last.users;
      break;
    case SourceId::kVitals:
      next_->vitals = last.vitals;
      break;
    case SourceId::kExclusions:
    case SourceId::kQos:
    case SourceId::kPriorities:
    case SourceId::kCount:
      break;
  }
}

void Round::prepare_renumbering() {
  if (!memory_.last) return;
  const auto& before = memory_.last->nodes;
  bool same = std::equal(before.begin(), before.end(), next_->nodes.begin(), next_->nodes.end(),
                         [](const auto& a, const auto& b) { return a.name == b.name; });
  if (same) return;
  new_ids_.resize(before.size());
  for (std::size_t i = 0; i < before.size(); ++i) new_ids_[i] = nodes_.find(before[i].name);
  for (auto& [job, excluded] : memory_.exclusions) renumber(excluded);
}

void Round::renumber(std::vector<model::NodeId>& nodes) const {
  if (new_ids_.empty()) return;
  std::vector<model::NodeId> kept;
  for (auto id : nodes) {
    if (id.index < new_ids_.size() && new_ids_[id.index]) kept.push_back(*new_ids_[id.index]);
  }
  nodes = std::move(kept);
}

// What slower commands said about the jobs. A task that left its array has a number of its own, and
// inherits what its array asked for.
void Round::complete_jobs() {
  for (auto& w : next_->workloads) {
    auto about = [&](const auto& known) {
      auto it = known.find(w.job_id);
      if (it == known.end() && w.array) it = known.find(w.array->job_id);
      return it;
    };
    if (model::is_pending(w) && !w.detailed) {
      auto it = about(memory_.exclusions);
      w.request.excluded_nodes.reset();
      if (it != memory_.exclusions.end()) w.request.excluded_nodes = it->second;
    }
    if (auto it = about(memory_.priorities);
        it != memory_.priorities.end() && model::is_pending(w)) {
      take_priority(w, it->second);
    }
  }
}

// A job in several partitions has a priority in each, and squeue shows that of the one that the
// scheduler looked at last. What counts is the one where it stands first: of the highest tier.
void Round::take_priority(model::Workload& w, const std::vector<JobPriority>& all) const {
  auto tier = [&](const JobPriority& job) {
    for (const auto& queue : next_->queues) {
      if (queue.name == job.queue) return queue.priority_tier;
    }
    return 0u;
  };
  const auto& first = *std::max_element(all.begin(), all.end(), [&](const auto& a, const auto& b) {
    return std::pair(tier(a), sum(a.factors)) < std::pair(tier(b), sum(b.factors));
  });
  w.factors = first.factors;
  if (all.size() < 2 || !w.priority || *w.priority == 0) return;
  const auto shown = static_cast<double>(*w.priority);
  auto distance = [&](const JobPriority& job) { return std::abs(sum(job.factors) - shown); };
  const auto& last = *std::min_element(all.begin(), all.end(), [&](const auto& a, const auto& b) {
    return distance(a) < distance(b);
  });
  // A priority that somebody has set is the same everywhere, and no sum of factors.
  if (distance(last) > kDrift * shown) return;
  const auto here = shown + sum(first.factors) - sum(last.factors);
  if (here >= 1) w.priority = static_cast<std::uint64_t>(here + 0.5);
}

// With PrivateData a monitor without privileges sees only its own jobs, and everything looks fine.
void Round::compare_job_counts() {
  if (!next_->config || !next_->vitals || !next_->vitals->jobs_running) return;
  auto setting = next_->config->get("PrivateData").value_or("none");
  auto& status = memory_.source(SourceId::kJobs).status;
  if (says_nothing(setting) || status.state != SourceState::kFresh) return;
  std::uint64_t seen = 0;
  for (const auto& w : std::as_const(next_->workloads))
    seen += w.state == model::WorkloadState::kRunning;
  auto counted = *next_->vitals->jobs_running;
  // slurmctld counts at moments of its own: a few jobs of difference say nothing.
  if (seen + std::max<std::uint64_t>(5, counted / 10) >= counted) return;
  status.state = SourceState::kPartial;
  status.warnings.push_back(
      fmt::format("partial view: squeue shows {} running jobs, slurmctld counts {}: "
                  "PrivateData={} hides others",
                  seen, counted, setting));
}

void Round::fill_statuses() {
  for (const auto& source : memory_.sources) {
    if (source.status.name.empty()) continue;
    auto& status = next_->sources.emplace_back(source.status);
    auto until = fresh_until(status, options_);
    if (until && *until < next_->time) status.state = SourceState::kStale;
  }
}

Result<model::SnapshotPtr> Round::nothing_read() const {
  const auto& first = memory_.sources[static_cast<std::size_t>(SourceId::kNodes)].status;
  return fail(
      "slurm: nothing here answers as Slurm{}; {}. Install Slurm's commands, or name "
      "their folder or the slurm.conf of the cluster",
      first.error.empty() ? "" : " (" + first.error + ")", where_slurm_was_looked_for(options_));
}

}  // namespace schedlens::slurm
