// SPDX-License-Identifier: Apache-2.0
#include "slurm/jobs.h"

#include <array>
#include <cmath>
#include <span>

#include "slurm/gres.h"
#include "slurm/job_words.h"
#include "slurm/rows.h"

namespace schedlens::slurm {
namespace {

// In the order in which they are asked for; the name stands alone at the end.
enum class Column : std::size_t {
  kArrayId,
  kJobId,
  kPartition,
  kUser,
  kAccount,
  kQos,
  kState,
  kReason,
  kPriority,
  kNice,
  kSubmit,
  kEligible,
  kAccrue,
  kStart,
  kEnd,
  kTimeLimit,
  kTimeMin,
  kDeadline,
  kLastSched,
  kPreempt,
  kNodes,
  kMaxNodes,
  kCpus,
  kTasks,
  kCpusPerTask,
  kMinCpus,
  kMemory,
  kTmpDisk,
  kTasksPerNode,
  kTres,
  kTresPerJob,
  kTresPerNode,
  kTresPerTask,
  kTresPerSocket,
  kCpusPerTres,
  kMemoryPerTres,
  kNodeList,
  kPlannedNodes,
  kRequiredNodes,
  kFeatures,
  kDependency,
  kReservation,
  kLicences,
  kRestarts,
  kExit,
  kSharing,
  kContiguous,
  kCoreSpec,
  kSockets,
  kCores,
  kThreads,
  kExclusive,  // only in later versions
  kCount
};
constexpr auto kColumns = static_cast<std::size_t>(Column::kCount);
constexpr std::array<std::string_view, kColumns> kFields = {
    "jobarrayid",    "jobid",         "partition",     "username",        "account",
    "qos",           "state",         "reason",        "prioritylong",    "nice",
    "submittime",    "eligibletime",  "accruetime",    "starttime",       "endtime",
    "timelimit",     "mintime",       "deadline",      "lastschedeval",   "preempttime",
    "numnodes",      "maxnodes",      "numcpus",       "numtasks",        "cpus-per-task",
    "mincpus",       "minmemory",     "mintmpdisk",    "ntpernode",       "tres-alloc",
    "tres-per-job",  "tres-per-node", "tres-per-task", "tres-per-socket", "cpus-per-tres",
    "mem-per-tres",  "nodelist",      "schednodes",    "reqnodes",        "feature",
    "dependency",    "reservation",   "licenses",      "restartcnt",      "exit_code",
    "oversubscribe", "contiguous",    "corespec",      "sockets",         "cores",
    "threads",       "exclusive"};

std::size_t columns(int version) {
  return version >= kExclusiveColumnSince ? kColumns : kColumns - 1;
}

struct Row {
  std::array<std::string_view, kColumns> fields;
  std::string_view name;
  std::string_view operator[](Column c) const { return fields[static_cast<std::size_t>(c)]; }
};

std::optional<std::uint32_t> positive(std::string_view text) {
  auto count = parse_count32(text);
  return count && *count > 0 ? count : std::nullopt;
}

void read_names(const Row& row, model::Workload& w) {
  w.name = row.name;
  w.user = symbol_or_empty(row[Column::kUser]);
  w.account = symbol_or_empty(row[Column::kAccount]);
  w.qos = symbol_or_empty(row[Column::kQos]);
  w.queues = symbol_list(row[Column::kPartition]);
  w.reservation = symbol_or_empty(row[Column::kReservation]);
  w.dependency = text_or_empty(row[Column::kDependency]);
  w.restarts = parse_count32(row[Column::kRestarts]).value_or(0);
  w.nice = parse_number<std::int64_t>(row[Column::kNice]).value_or(0);
  w.priority = parse_count(row[Column::kPriority]);
}

void read_times(const Row& row, TimeReader& time, model::Workload& w) {
  w.submitted = time(row[Column::kSubmit]);
  w.eligible = time(row[Column::kEligible]);
  w.accrue_start = time(row[Column::kAccrue]);
  w.start = time(row[Column::kStart]);
  w.end = time(row[Column::kEnd]);
  w.deadline = time(row[Column::kDeadline]);
  w.last_evaluated = time(row[Column::kLastSched]);
  w.preempted = time(row[Column::kPreempt]);
  w.time_limit = parse_time_limit(row[Column::kTimeLimit]);
  w.time_min = parse_duration(row[Column::kTimeMin]);
  if (w.time_min && w.time_min->value == 0) w.time_min.reset();
}

Status read_gres(const Row& row, model::Request& request) {
  struct Target {
    Column column;
    std::vector<model::GresCount>* list;
  };
  const std::array<Target, 4> targets = {{{Column::kTresPerJob, &request.gres_per_job},
                                          {Column::kTresPerNode, &request.gres_per_node},
                                          {Column::kTresPerTask, &request.gres_per_task},
                                          {Column::kTresPerSocket, &request.gres_per_socket}}};
  for (const auto& target : targets) {
    auto list = parse_gres_request(row[target.column]);
    if (!list) return fail(list.error());
    *target.list = std::move(*list);
  }
  auto cpus = parse_gres_request(row[Column::kCpusPerTres]);
  auto memory = parse_gres_request(row[Column::kMemoryPerTres]);
  if (!cpus || !memory) return fail((cpus ? memory : cpus).error());
  for (const auto& item : *cpus) {
    if (item.name == model::names::kGpu) {
      request.cpus_per_gpu = static_cast<std::uint32_t>(item.count);
    }
  }
  constexpr std::uint64_t kMost = std::uint64_t{1} << 40;  // MiB: more is no memory
  for (const auto& item : *memory) {
    if (item.name == model::names::kGpu && item.count < kMost) {
      request.memory_per_gpu = mebibytes(static_cast<std::int64_t>(item.count));
    }
  }
  return {};
}

// squeue prints one memory figure and not what it is for. The sum over the whole job tells: it is
// the figure times CPUs or times nodes. Where both fit, both mean the same for the job.
void read_memory(const Row& row, model::Request& request) {
  auto figure = parse_mebibytes(row[Column::kMemory]);
  request.memory = figure.value_or(Bytes{});
  if (request.memory_per_gpu) {
    request.memory_per = model::MemoryPer::kGpu;
    request.memory = *request.memory_per_gpu;
    return;
  }
  auto total = request.totals.get(model::names::kMemory);
  if (!figure) return;
  if (figure->value == 0 || !total) {
    request.memory_per = model::MemoryPer::kNode;
    return;
  }
  auto distance = [&](double count) {
    return std::abs(static_cast<double>(figure->value) * count - *total);
  };
  double nodes = request.totals.get(model::names::kNode).value_or(request.min_nodes);
  double cpus = request.totals.get(model::names::kCpu).value_or(request.cpus);
  request.memory_per =
      distance(cpus) < distance(nodes) ? model::MemoryPer::kCpu : model::MemoryPer::kNode;
}

// For a job that did not say how many nodes it wants, squeue prints the scheduler's estimate twice,
// as the least and as the most. The TRES know the least that was asked for. A most that differs
// from the estimate was asked for; of one that equals it that cannot be told, so a request that
// could spread over more nodes keeps none here.
void read_node_range(const Row& row, bool pending, model::Request& request) {
  auto printed = parse_count32(row[Column::kNodes]).value_or(1);
  auto most = positive(row[Column::kMaxNodes]);
  auto asked = request.totals.get(model::names::kNode);
  request.min_nodes = pending && asked && *asked >= 1 && *asked < printed
                          ? static_cast<std::uint32_t>(*asked)
                          : printed;
  if (!most) return;
  bool may_spread = !request.gres_per_job.empty() || !request.gres_per_task.empty() ||
                    (!request.tasks_per_node && request.tasks.value_or(1) > printed);
  if (*most != printed || !may_spread) request.max_nodes = most;
}

model::Sharing read_sharing(const Row& row, int version) {
  auto sharing = row[Column::kSharing];
  if (version < kExclusiveColumnSince) {
    return version == 0 && sharing == "NO" ? model::Sharing::kUnspecified : parse_sharing(sharing);
  }
  auto exclusive = row[Column::kExclusive];
  if (exclusive != "NO") return parse_sharing(exclusive);
  return sharing == "NO" ? model::Sharing::kShareable : parse_sharing(sharing);
}

Status read_request(const Row& row, const JobContext& context, model::Workload& w) {
  auto& request = w.request;
  request.cpus = parse_count32(row[Column::kCpus]).value_or(1);
  request.tasks = parse_count32(row[Column::kTasks]);
  request.cpus_per_task = positive(row[Column::kCpusPerTask]);
  request.tasks_per_node = positive(row[Column::kTasksPerNode]);
  request.min_cpus_per_node = positive(row[Column::kMinCpus]);
  request.sockets_per_node = positive(row[Column::kSockets]);
  request.cores_per_socket = positive(row[Column::kCores]);
  request.threads_per_core = positive(row[Column::kThreads]);
  request.tmp_disk = parse_mebibytes(row[Column::kTmpDisk]).value_or(Bytes{});
  request.contiguous = row[Column::kContiguous] != "0" && !says_nothing(row[Column::kContiguous]);
  request.core_spec = positive(row[Column::kCoreSpec]);
  request.features = text_or_empty(row[Column::kFeatures]);
  request.sharing = read_sharing(row, context.version);
  auto totals = parse_tres(row[Column::kTres]);
  if (!totals) return fail(totals.error());
  request.totals = std::move(*totals);
  if (auto done = read_gres(row, request); !done) return done;
  read_memory(row, request);
  read_node_range(row, model::is_pending(w), request);
  auto licences = parse_licences(row[Column::kLicences]);
  if (!licences) return fail(licences.error());
  request.licences = std::move(*licences);
  request.any_licence = row[Column::kLicences].find('|') != std::string_view::npos;
  auto required = context.nodes.resolve(row[Column::kRequiredNodes]);
  if (!required) return fail(required.error());
  request.required_nodes = std::move(*required);
  return {};
}

Status read_nodes(const Row& row, const JobContext& context, model::Workload& w) {
  auto held = context.nodes.resolve(row[Column::kNodeList]);
  if (!held) return fail(held.error());
  w.allocation.nodes = std::move(*held);
  // The TRES of a job that has been given nodes are those of its allocation.
  if (!w.allocation.nodes.empty()) w.allocation.totals = w.request.totals;
  auto planned = context.nodes.resolve(row[Column::kPlannedNodes]);
  if (!planned) return fail(planned.error());
  w.planned_nodes = std::move(*planned);
  return {};
}

Result<model::Workload> read_job(std::string_view record, const JobContext& context) {
  Row row;
  auto fields = std::span(row.fields).first(columns(context.version));
  if (!split_row(record, fields, row.name)) return fail("too few columns");
  model::Workload w;
  auto id = parse_count32(row[Column::kJobId]);
  if (!id) return fail("'{}' is no job id", printable(row[Column::kJobId].substr(0, 40)));
  w.job_id = *id;
  if (auto done = parse_job_id(row[Column::kArrayId], w); !done) return fail(done.error());
  read_names(row, w);
  parse_job_state(row[Column::kState], w);
  parse_job_reason(row[Column::kReason], w);
  read_times(row, context.time, w);
  if (auto done = read_request(row, context, w); !done) return fail(done.error());
  if (auto done = read_nodes(row, context, w); !done) return fail(done.error());
  if (model::is_finished(w)) w.exit = parse_exit(row[Column::kExit]);
  return w;
}

}  // namespace

std::string job_format(std::string_view nonce, int version) {
  return row_format(std::span(kFields).first(columns(version)), "name", nonce);
}

Result<Parsed<model::Workload>> parse_jobs(std::string_view text, const JobContext& context) {
  Parsed<model::Workload> parsed;
  parsed.records.reserve(text.size() / 400);
  auto done = for_each_row(text, context.nonce, [&](std::string_view record) {
    auto job = read_job(record, context);
    if (job) {
      parsed.records.push_back(std::move(*job));
    } else {
      parsed.complaints.unreadable(record, job.error().message());
    }
  });
  if (!done) return fail(done.error());
  return unless_all_unreadable(std::move(parsed));
}

}  // namespace schedlens::slurm
