// SPDX-License-Identifier: Apache-2.0
#include "metrics/families.h"

#include <fmt/format.h>

#include <iterator>

namespace schedlens::metrics {
namespace {

// Text inside a cell of a Markdown table.
std::string cell(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '|' || c == '<') out += '\\';
    out += c;
  }
  return out;
}

}  // namespace

std::string_view type_name(Type type) {
  switch (type) {
    case Type::kGauge:
      return "gauge";
    case Type::kCounter:
      return "counter";
    case Type::kHistogram:
      return "histogram";
  }
  return "untyped";
}

std::string_view section_title(Section section) {
  switch (section) {
    case Section::kCluster:
      return "Cluster";
    case Section::kGpus:
      return "GPUs and fragmentation";
    case Section::kNodes:
      return "Nodes";
    case Section::kPartitions:
      return "Partitions";
    case Section::kJobs:
      return "Jobs";
    case Section::kHolders:
      return "Users and accounts";
    case Section::kLimits:
      return "Limits";
    case Section::kReservations:
      return "Reservations and licences";
    case Section::kScheduler:
      return "The scheduler";
    case Section::kNamespaces:
      return "Kubernetes: namespaces and devices";
    case Section::kUsage:
      return "Kubernetes: requests and use";
    case Section::kKubeScheduler:
      return "Kubernetes: kube-scheduler";
    case Section::kControlPlane:
      return "Kubernetes: API server and etcd";
    case Section::kKubelets:
      return "Kubernetes: kubelets";
    case Section::kWatch:
      return "What is usual, and alerts";
    case Section::kOwn:
      return "Schedlens itself";
  }
  return "";
}

std::string markdown() {
  std::string page =
      "# Metrics\n\n"
      "Every metric that schedlens exports, generated from its own declarations by\n"
      "`schedlens metrics --markdown`. Times are in seconds, sizes in bytes. What is not known "
      "has\n"
      "no series; it is never exported as 0. A family with more series than the last column\n"
      "allows leaves the rest out, the least first where there is an order, and says how many in\n"
      "`schedlens_dropped_series`.\n";
  const Family* before = nullptr;
  for (const auto& f : kFamilies) {
    if (!before || before->section != f.section) {
      fmt::format_to(std::back_inserter(page), "\n## {}\n\n", section_title(f.section));
      page += "| metric | type | labels | meaning | from | most series |\n";
      page += "| --- | --- | --- | --- | --- | --- |\n";
    }
    std::string labels;
    for (std::size_t i = 0; i < f.label_count(); ++i) {
      labels += fmt::format("{}`{}`", i > 0 ? ", " : "", f.labels[i]);
    }
    fmt::format_to(std::back_inserter(page), "| `{}` | {} | {} | {} | {} | {} |\n", f.name,
                   type_name(f.type), labels, cell(f.help), f.source, f.limit);
    before = &f;
  }
  return page;
}

}  // namespace schedlens::metrics
