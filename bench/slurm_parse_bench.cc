// SPDX-License-Identifier: Apache-2.0
// How long it takes to read a large cluster: the outputs of scontrol show node, scontrol show
// partition and squeue for NODES nodes and JOBS jobs, generated from real rows, are parsed and made
// a Snapshot. For comparison the same jobs are taken apart line by line with std::istringstream and
// std::getline into std::string fields, nothing interpreted, as simple readers do.
//
//   slurm_parse_bench [NODES [JOBS [compare]]]      default: 10000 100000
//
// Prints CPU seconds and the memory that parsing added; targets: 1.5 s and 400 MB.
#include <fmt/format.h>

#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "base/text.h"
#include "model/snapshot.h"
#include "process_use.h"
#include "slurm/jobs.h"
#include "slurm/nodes.h"
#include "slurm/partitions.h"

using namespace schedlens;
using namespace schedlens::bench;

namespace {

constexpr const char* kNonce = "0123456789abcdef";

std::string fixture(const std::string& name) {
  std::ifstream file(std::string(SCHEDLENS_FIXTURES) + "/slurm/22.05/" + name);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void replace_all(std::string& text, std::string_view what, std::string_view with) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size())) {
    text.replace(at, what.size(), with);
  }
}

std::string many_nodes(int count) {
  auto real = fixture("node_busy.txt");
  std::vector<std::string> rows;
  for (auto row : split(real, '\n')) {
    if (!row.empty()) rows.emplace_back(row);
  }
  std::string text;
  for (int i = 0; i < count; ++i) {
    auto row = rows[static_cast<std::size_t>(i) % rows.size()];
    auto name = row.substr(9, row.find(' ') - 9);
    replace_all(row, name, fmt::format("node{:05}", i));
    text += row + "\n";
  }
  return text;
}

std::string many_partitions(int nodes) {
  auto text = fixture("partition.txt");
  replace_all(text, "node[0000-0007]", fmt::format("node[00000-{:05}]", nodes - 1));
  replace_all(text, "node[0000-0005]", fmt::format("node[00000-{:05}]", nodes * 3 / 4));
  replace_all(text, "node[0006-0007]",
              fmt::format("node[{:05}-{:05}]", nodes * 3 / 4 + 1, nodes - 1));
  return text;
}

std::string many_jobs(int count, int nodes) {
  auto real = fixture("squeue.txt");
  auto end = std::string("\x1f") + kNonce + "\n";
  std::vector<std::string> rows;
  for (std::size_t at = 0; at < real.size();) {
    auto next = real.find(end, at);
    rows.push_back(real.substr(at, next - at));
    at = next + end.size();
  }
  std::string text;
  text.reserve(static_cast<std::size_t>(count) * 450);
  for (int i = 0; i < count; ++i) {
    auto fields = split(rows[static_cast<std::size_t>(i) % rows.size()], '\x1f');
    int first = i * 2 % (nodes - 2);
    for (std::size_t f = 0; f < fields.size(); ++f) {
      if (f > 0) text += '\x1f';
      bool has_nodes = fields[f].starts_with("node");
      if (f == 0 && fields[f].find_first_of("_+") == std::string_view::npos) {
        text += std::to_string(i + 1000);
      } else if (f == 1) {
        text += std::to_string(i + 1000);
      } else if (has_nodes && fields[f].find('[') != std::string_view::npos) {
        text += fmt::format("node[{:05}-{:05}]", first, first + 1);
      } else if (has_nodes) {
        text += fmt::format("node{:05}", first);
      } else {
        text += fields[f];
      }
    }
    text += end;
  }
  return text;
}

template <class Body>
auto measured(const char* what, std::size_t bytes, Body&& body) {
  auto before = cpu_seconds();
  auto memory = resident_megabytes();
  auto result = body();
  std::printf("%-38s %8.1f MB in  %7.3f s CPU  %+8.1f MB\n", what, static_cast<double>(bytes) / 1e6,
              cpu_seconds() - before, resident_megabytes() - memory);
  return result;
}

std::size_t naive(const std::string& text) {
  std::istringstream stream(text);
  std::string line, field;
  std::vector<std::vector<std::string>> rows;
  while (std::getline(stream, line)) {
    std::istringstream columns(line);
    auto& row = rows.emplace_back();
    while (std::getline(columns, field, '\x1f')) row.push_back(field);
  }
  return rows.size();
}

}  // namespace

int main(int argc, char** argv) {
  int node_count = argc > 1 ? std::atoi(argv[1]) : 10'000;
  int job_count = argc > 2 ? std::atoi(argv[2]) : 100'000;
  if (node_count < 8 || job_count < 1) return 2;
  auto nodes_text = many_nodes(node_count);
  auto partitions_text = many_partitions(node_count);
  auto jobs_text = many_jobs(job_count, node_count);
  std::printf("%d nodes, %d jobs\n", node_count, job_count);
  if (argc > 3) {
    auto rows = measured("istringstream and getline, not read", jobs_text.size(),
                         [&] { return naive(jobs_text); });
    return rows == 0;
  }

  auto memory_before = resident_megabytes();
  auto start = cpu_seconds();
  slurm::TimeReader time;
  model::Snapshot snapshot;
  auto nodes = measured("scontrol show node", nodes_text.size(),
                        [&] { return slurm::parse_nodes(nodes_text, time); });
  if (!nodes) return std::puts(nodes.error().message().c_str()), 1;
  snapshot.nodes = std::move(nodes->records);
  slurm::NodeTable table(snapshot.nodes);
  auto queues = measured("scontrol show partition", partitions_text.size(),
                         [&] { return slurm::parse_partitions(partitions_text, table); });
  if (!queues) return std::puts(queues.error().message().c_str()), 1;
  snapshot.queues = std::move(queues->records);
  auto jobs = measured("squeue", jobs_text.size(), [&] {
    return slurm::parse_jobs(jobs_text, {table, time, kNonce, 2205});
  });
  if (!jobs) return std::puts(jobs.error().message().c_str()), 1;
  auto lost = jobs->complaints.unreadable_records() + table.take_unknown().size();
  snapshot.workloads = std::move(jobs->records);
  measured("index", 0, [&] { return snapshot.build_index(), 0; });
  std::printf("%-38s              %7.3f s CPU  %+8.1f MB  (peak with the texts %.0f MB)\n",
              "in all", cpu_seconds() - start, resident_megabytes() - memory_before,
              peak_megabytes());
  std::printf("%zu nodes, %zu jobs, %zu partitions, %zu unreadable\n", snapshot.nodes.size(),
              snapshot.workloads.size(), snapshot.queues.size(), static_cast<std::size_t>(lost));
  return lost != 0;
}
