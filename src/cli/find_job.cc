// SPDX-License-Identifier: Apache-2.0
#include "cli/find_job.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace schedlens::cli {
namespace {

std::string_view base_id(std::string_view id) {
  return id.substr(0, id.find_first_of("_+"));
}

}  // namespace

bool is_job_id(std::string_view text) {
  text = trim(text);
  if (!parse_number<std::uint32_t>(base_id(text))) return false;
  auto rest = text.substr(base_id(text).size());
  if (rest.empty()) return true;
  rest.remove_prefix(1);
  if (parse_number<std::uint32_t>(rest)) return true;
  return text[base_id(text).size()] == '_' && rest.starts_with('[') && rest.ends_with(']');
}

std::string not_a_job_id(std::string_view text) {
  return fmt::format(
      "{} is not a job id; ids look like 12, 12_3 (task of an array) or 12+1 (part of "
      "a het job)",
      printable(text));
}

bool could_be_name(const model::Snapshot& snapshot, std::string_view text) {
  return snapshot.kubernetes ? !trim(text).empty() : is_job_id(text);
}

Result<std::vector<std::string>> job_ids_of(const std::vector<std::string>& lists) {
  std::vector<std::string> ids;
  for (const auto& list : lists) {
    for (auto id : split_outside_brackets(list, ',')) {
      if (!is_job_id(id)) return fail("{}", not_a_job_id(id));
      ids.emplace_back(trim(id));
    }
  }
  return ids;
}

bool holds_task(std::string_view waiting_tasks, std::uint32_t task) {
  for (auto part : split(waiting_tasks, ',')) {
    if (part == "...") return true;
    std::uint32_t step = 1;
    if (auto stepped = cut(part, ':')) {
      part = stepped->first;
      step = std::max(1u, parse_number<std::uint32_t>(stepped->second).value_or(1));
    }
    auto range = cut(part, '-').value_or(std::pair(part, part));
    auto first = parse_number<std::uint32_t>(range.first);
    auto last = parse_number<std::uint32_t>(range.second);
    if (first && last && task >= *first && task <= *last && (task - *first) % step == 0) {
      return true;
    }
  }
  return false;
}

std::vector<model::WorkloadId> find_job(const model::Snapshot& snapshot, std::string_view id) {
  id = trim(id);
  auto found = snapshot.find_workloads(id);
  if (snapshot.kubernetes) return found;
  auto parts = cut(id, '_');
  if (!found.empty() || !parts) return found;
  auto task = parse_number<std::uint32_t>(parts->second);
  if (!task) return found;
  for (auto candidate : snapshot.find_workloads(parts->first)) {
    const auto& array = snapshot.workload(candidate).array;
    if (array && !array->task_id && holds_task(array->waiting_tasks, *task)) {
      found.push_back(candidate);
    }
  }
  return found;
}

namespace {

std::string unknown_pod(const model::Snapshot& snapshot, std::string_view id) {
  std::vector<std::string> names;
  for (const auto& w : snapshot.workloads) {
    names.push_back(id.find('/') == std::string_view::npos ? w.name : model::display_id(w));
  }
  auto near = nearest(id, names);
  return fmt::format("no pod is called {}{}", printable(id),
                     near ? fmt::format(", did you mean {}?", printable(*near)) : "");
}

}  // namespace

std::string unknown_job(const model::Snapshot& snapshot, std::string_view id) {
  id = trim(id);
  if (snapshot.kubernetes) return unknown_pod(snapshot, id);
  auto base = base_id(id);
  auto rest = base == id ? std::vector<model::WorkloadId>() : snapshot.find_workloads(base);
  if (!rest.empty()) {
    constexpr std::size_t kShown = 8;
    std::vector<std::string> ids;
    for (std::size_t i = 0; i < std::min(kShown, rest.size()); ++i) {
      ids.push_back(model::display_id(snapshot.workload(rest[i])));
    }
    return fmt::format("job {} is not in the queue, but of {} there {}: {}{}", printable(id), base,
                       rest.size() == 1 ? "is" : "are", fmt::join(ids, " "),
                       rest.size() > kShown ? " ..." : "");
  }
  return fmt::format(
      "job {} is not in the queue: it was never submitted here or has ended longer ago than the "
      "scheduler keeps jobs{}",
      printable(id),
      snapshot.scheduler == "slurm"
          ? fmt::format(" (MinJobAge); the accounting may know it: sacct -j {}", base)
          : "");
}

std::optional<model::NodeId> find_node(const model::Snapshot& snapshot, std::string_view name) {
  name = trim(name);
  for (std::uint32_t i = 0; i < snapshot.nodes.size(); ++i) {
    if (snapshot.nodes[i].name.view() == name) return model::NodeId{i};
  }
  return std::nullopt;
}

std::string unknown_node(const model::Snapshot& snapshot, std::string_view name) {
  std::vector<std::string> names;
  for (const auto& node : snapshot.nodes) names.push_back(node.name.str());
  auto near = nearest(name, names);
  return fmt::format("no node is called {}{}", printable(name),
                     near ? fmt::format(", did you mean {}?", *near) : "");
}

}  // namespace schedlens::cli
