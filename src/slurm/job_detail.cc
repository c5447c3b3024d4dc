// SPDX-License-Identifier: Apache-2.0
#include "slurm/job_detail.h"

#include "slurm/gres.h"
#include "slurm/hostlist.h"
#include "slurm/job_words.h"
#include "slurm/record.h"
#include "slurm/value_text.h"

namespace schedlens::slurm {
namespace {

using model::MemoryPer;
using model::NodeAllocation;
using model::Workload;

constexpr std::string_view kAfterReason[] = {"Dependency", "FailedNode"};
constexpr std::string_view kAfterFeatures[] = {"Prefer", "DelayBoot", "Reservation",
                                               "ClusterFeatures"};
constexpr FreeText kFreeTexts[] = {{"Reason", kAfterReason}, {"Features", kAfterFeatures}};

// The part of the workload's record between its name and the first free text after it; nothing
// when the output has no record of it.
std::string_view find_record(std::string_view text, const Workload& w) {
  auto begin = fmt::format("JobId={} ", w.job_id);
  auto name = fmt::format("JobName={} ", w.name);
  for (std::size_t at = 0; at < text.size(); ++at) {
    at = text.find(begin, at);
    if (at == std::string_view::npos) break;
    if (at > 0 && text[at - 1] != '\n') continue;
    // Only numbers of arrays and het jobs come between.
    auto named = text.find("JobName=", at);
    if (named == std::string_view::npos || named - at > 4096) continue;
    if (!text.substr(named).starts_with(name)) continue;
    auto record = text.substr(named + name.size());
    return record.substr(0, record.find(" Command="));
  }
  return {};
}

void read_node_range(std::string_view text, model::Request& request) {
  auto ends = cut(text, '-');
  auto least = parse_count32(ends ? ends->first : text);
  if (!least) return;
  if (ends) request.min_nodes = *least;
  request.max_nodes = ends ? parse_count32(ends->second) : std::nullopt;
}

void read_memory(const Record& r, model::Request& request) {
  struct Form {
    std::string_view key;
    MemoryPer per;
  };
  constexpr Form kForms[] = {{"MinMemoryCPU", MemoryPer::kCpu},
                             {"MinMemoryNode", MemoryPer::kNode},
                             {"MinMemoryTRES", MemoryPer::kGpu}};
  for (const auto& form : kForms) {
    auto amount = r.has(form.key) ? parse_mebibytes(r.get(form.key)) : std::nullopt;
    // Beside memory asked for per GPU stands "MinMemoryNode=0".
    if (!amount || (amount->value == 0 && request.memory_per_gpu)) continue;
    request.memory_per = form.per;
    request.memory = *amount;
    if (form.per == MemoryPer::kGpu) request.memory_per_gpu = *amount;
  }
}

// "ReqB:S:C:T=0:2:4:*"
void read_shape(const Record& r, model::Request& request) {
  auto parts = split(r.get("ReqB:S:C:T"), ':');
  auto wanted = [&](std::size_t i) -> std::optional<std::uint32_t> {
    auto count = i < parts.size() ? parse_count32(parts[i]) : std::nullopt;
    return count && *count > 0 && *count < 0xFFFE ? count : std::nullopt;
  };
  request.sockets_per_node = wanted(1);
  request.cores_per_socket = wanted(2);
  request.threads_per_core = wanted(3);
  auto tasks = split(r.get("NtasksPerN:B:S:C"), ':');
  if (!tasks.empty()) {
    auto count = parse_count32(tasks[0]);
    if (count && *count > 0) request.tasks_per_node = count;
  }
}

Status read_request(const Record& r, NodeTable& nodes, Workload& w) {
  auto& request = w.request;
  if (model::is_pending(w)) read_node_range(r.get("NumNodes"), request);
  read_memory(r, request);
  read_shape(r, request);
  if (auto count = parse_count32(r.get("MinCPUsNode")); count && *count > 0) {
    request.min_cpus_per_node = count;
  }
  if (auto spec = parse_count32(r.get("CoreSpec")); spec && *spec > 0) request.core_spec = spec;
  auto excluded = nodes.resolve(r.get("ExcNodeList"));
  if (!excluded) return fail(excluded.error().within("ExcNodeList"));
  request.excluded_nodes = std::move(*excluded);
  auto required = nodes.resolve(r.get("ReqNodeList"));
  if (!required) return fail(required.error().within("ReqNodeList"));
  request.required_nodes = std::move(*required);
  // From 24.11 on a waiting job's sum and a running job's are two keys.
  if (r.has("ReqTRES")) {
    auto totals = parse_tres(r.get("ReqTRES"));
    if (!totals) return fail(totals.error().within("ReqTRES"));
    request.totals = std::move(*totals);
  }
  if (r.has("AllocTRES")) {
    auto totals = parse_tres(r.get("AllocTRES"));
    if (!totals) return fail(totals.error().within("AllocTRES"));
    w.allocation.totals = std::move(*totals);
  }
  auto exclusive = r.get("Exclusive");
  if (r.has("Exclusive")) {
    request.sharing = exclusive == "NO" ? model::Sharing::kShareable : parse_sharing(exclusive);
  }
  return {};
}

std::vector<std::uint32_t> parse_cpu_ids(std::string_view text) {
  std::vector<std::uint32_t> ids;
  for (auto part : split(text, ',')) {
    auto ends = cut(part, '-');
    auto first = parse_number<std::uint32_t>(ends ? ends->first : part);
    auto last = parse_number<std::uint32_t>(ends ? ends->second : part);
    if (!first || !last || *last < *first || *last > 65535) continue;
    for (auto id = *first; id <= *last; ++id) ids.push_back(id);
  }
  return ids;
}

// Groups "Nodes=n[1-2] CPU_IDs=0-3 Mem=4000 GRES=gpu:a100:1(IDX:0)", each for one or more nodes.
Status read_allocation(const Record& r, NodeTable& nodes, Workload& w) {
  std::vector<NodeAllocation> all;
  std::size_t group = 0;  // where the current group begins
  auto each = [&](auto set) {
    for (auto i = group; i < all.size(); ++i) set(all[i]);
  };
  for (const auto& [key, value] : r.fields()) {
    if (key == "Nodes") {
      auto ids = nodes.resolve(value);
      if (!ids) return fail(ids.error().within("Nodes"));
      group = all.size();
      for (auto id : *ids) all.emplace_back().node = id;
    } else if (key == "CPU_IDs") {
      auto ids = parse_cpu_ids(value);
      each([&](NodeAllocation& a) {
        a.cpus = static_cast<std::uint32_t>(ids.size());
        a.cpu_ids = ids;
      });
    } else if (key == "Mem") {
      auto memory = parse_mebibytes(value);
      each([&](NodeAllocation& a) { a.memory = memory; });
    } else if (key == "GRES") {
      auto held = parse_gres_held(value);
      if (!held) return fail(held.error().within("GRES"));
      each([&](NodeAllocation& a) { a.gres = *held; });
    }
  }
  w.allocation.per_node = std::move(all);
  return {};
}

}  // namespace

Result<std::uint64_t> complete_with_details(std::string_view text,
                                            const std::vector<Workload*>& workloads,
                                            NodeTable& nodes, Complaints& complaints) {
  if (trim(text).empty()) return fail("no output");
  std::uint64_t completed = 0;
  for (auto* w : workloads) {
    auto record = find_record(text, *w);
    if (record.data() == nullptr) continue;
    Record r(record, kFreeTexts);
    // Read into a copy: a record that cannot be read to its end changes nothing.
    Workload changed = *w;
    auto done = read_request(r, nodes, changed);
    if (done) done = read_allocation(r, nodes, changed);
    if (!done) {
      complaints.unreadable(model::display_id(*w), done.error().message());
      continue;
    }
    changed.detailed = true;
    *w = std::move(changed);
    ++completed;
  }
  if (completed > 0) return completed;
  if (complaints.unreadable_records() > 0) return fail("{}", complaints.examples().front());
  return fail("its record is not in the output");
}

}  // namespace schedlens::slurm
