// SPDX-License-Identifier: Apache-2.0
#include "history/recorder.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/log.h"

namespace schedlens::history {
namespace {

template <class R>
std::vector<R> newest_by(const std::vector<R>& by_time, std::string R::*name) {
  std::map<std::string, R> newest;
  for (const auto& record : by_time) newest[record.*name] = record;
  std::vector<R> all;
  for (auto& [key, record] : newest) all.push_back(std::move(record));
  return all;
}

}  // namespace

Result<Recorder> Recorder::begin(memory::Store& store, memory::Reader reader) {
  auto nodes = reader.node_changes({});
  if (!nodes) return fail(nodes.error());
  auto configs = reader.configs({});
  if (!configs) return fail(configs.error());
  for (const auto& problem : reader.take_problems()) log::warning("data directory: {}", problem);
  return Recorder(store, std::move(reader),
                  NodeChanges(newest_by(*nodes, &memory::NodeChange::node)),
                  ConfigVersions(newest_by(*configs, &memory::ConfigVersion::source)));
}

void Recorder::record(const model::Snapshot& snapshot, const CauseOf& cause) {
  std::vector<memory::Record> records;
  auto runs = runs_.feed(snapshot, cause);
  if (before_) leave_out_told(runs);
  for (auto& r : runs) records.emplace_back(std::move(r));
  for (auto& r : nodes_.feed(snapshot)) records.emplace_back(std::move(r));
  for (auto& r : configs_.feed(snapshot)) records.emplace_back(std::move(r));
  if (!records.empty()) store_->put(std::move(records));
}

void Recorder::leave_out_told(std::vector<memory::EndedWorkload>& runs) {
  if (runs.empty()) return;
  auto [first, last] = std::minmax_element(
      runs.begin(), runs.end(), [](const auto& a, const auto& b) { return a.ended < b.ended; });
  memory::WorkloadQuery query;
  query.time = {memory::moment_of(first->ended), memory::moment_of(last->ended + Seconds{1})};
  std::set<std::pair<std::string, Timestamp>> told;
  auto read = before_->each_workload(query, [&](const memory::EndedWorkload& run) {
    told.emplace(run.id, run.ended);
    return true;
  });
  if (!read) log::warning("data directory: {}", read.error().message());
  std::erase_if(runs, [&](const auto& run) { return told.contains({run.id, run.ended}); });
  before_.reset();
}

void Recorder::record(Timestamp time, const std::vector<metrics::Sample>& samples) {
  std::vector<memory::Sample> points;
  points.reserve(samples.size());
  for (const auto& sample : samples) {
    auto text = sample.name;
    for (const auto& [name, value] : sample.labels) {
      text += '\x1f';
      text += name;
      text += '\x1e';
      text += value;
    }
    auto [it, added] = series_.try_emplace(std::move(text));
    if (added) it->second = store_->series(memory::make_key(sample.name, sample.labels));
    points.push_back({it->second, memory::moment_of(time), sample.value});
  }
  store_->append(std::move(points));
}

}  // namespace schedlens::history
