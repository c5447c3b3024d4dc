// SPDX-License-Identifier: Apache-2.0
#include "diagnose/remedy_text.h"

#include <fmt/format.h>

namespace schedlens::diagnose {
namespace {

bool plain(char c) {
  constexpr std::string_view kPlain = "-_./:,=+@%";
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         kPlain.find(c) != std::string_view::npos;
}

}  // namespace

std::string shell_word(std::string_view text) {
  bool bare = !text.empty();
  for (char c : text) bare = bare && plain(c);
  if (bare) return std::string(text);
  std::string quoted = "'";
  for (char c : text) {
    if (c == '\'') {
      quoted += R"('\'')";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

std::string update_id(const model::Workload& w) {
  if (w.het) return fmt::format("{}+{}", w.het->job_id, w.het->offset);
  if (!w.array) return std::to_string(w.job_id);
  if (w.array->task_id) return fmt::format("{}_{}", w.array->job_id, *w.array->task_id);
  return std::to_string(w.array->job_id);
}

std::string update_job(const model::Workload& w, std::string_view name, std::string_view value) {
  return fmt::format("scontrol update JobId={} {}", update_id(w),
                     shell_word(fmt::format("{}={}", name, value)));
}

std::string slurm_time(Seconds time) {
  const auto s = time.value;
  return fmt::format("{}-{:02}:{:02}:{:02}", s / 86400, s / 3600 % 24, s / 60 % 60, s % 60);
}

std::string json_text(std::string_view text) {
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "\"";
}

std::string bytes_text(Bytes bytes) {
  constexpr std::string_view kUnits = "KMGTPE";
  auto value = bytes.value;
  std::size_t unit = 0;
  for (; unit < kUnits.size() && value != 0 && value % 1024 == 0; ++unit) value /= 1024;
  return unit == 0 ? std::to_string(value) : fmt::format("{}{}i", value, kUnits[unit - 1]);
}

std::string node_names(const model::Snapshot& snapshot, const std::vector<model::NodeId>& nodes) {
  std::string names;
  for (auto node : nodes) {
    if (!names.empty()) names += ',';
    names += snapshot.node(node).name.view();
  }
  return names;
}

}  // namespace schedlens::diagnose
