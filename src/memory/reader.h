// SPDX-License-Identifier: Apache-2.0
#pragma once
// Reads a data directory: beside the server that writes it, in the same process or another, or
// without one. Nothing is changed, and nobody who writes is held up.
//
// What is on the disk is seen: a server writes about once a second. A file that cannot be read does
// not keep the others from being read: it is named in problems(), and what it holds is missing from
// the answer. One thread at a time for each reader; a reader may be kept as long as one likes.

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "memory/directory.h"
#include "memory/point.h"
#include "memory/records.h"
#include "memory/series_key.h"

namespace schedlens::memory {

struct SeriesPoints {
  SeriesKey key;
  std::vector<Point> points;  // by time, no two at the same
};

struct Bucket {
  Moment start;
  Summary summary;
};
struct SeriesBuckets {
  SeriesKey key;
  std::vector<Bucket> buckets;  // by time; one without points is not there. `first` is not kept.
};

// Empty texts hold for all. A record is found by the time it is filed under (records.h).
struct WorkloadQuery {
  TimeRange time{};       // of the end
  bool overlaps = false;  // instead: of the run, from start to end
  std::string id{}, user{}, account{}, queue{};
};
struct NodeChangeQuery {
  TimeRange time{};
  std::string node{};
};
// Findings and alerts that held at any moment of the time.
struct FindingQuery {
  TimeRange time{};
  std::string kind{}, subject{};
};
struct AlertQuery {
  TimeRange time{};
  std::string rule{}, fingerprint{};
};
struct ConfigQuery {
  TimeRange time{};
  std::string source{};
};

struct StateEntry {
  std::string key, value;
  Timestamp written;
};

class Reader {
 public:
  // Fails when there is no such directory.
  static Result<Reader> open(const std::filesystem::path& directory);
  Reader(Reader&&) noexcept;
  Reader& operator=(Reader&&) = delete;
  ~Reader();

  // Series that have points on the days (of the roll-up: in the months) of the time, sorted.
  Result<std::vector<SeriesKey>> series(const SeriesMatch& match, TimeRange time);
  // Points as they were stored, as long as they are kept. Series without any are left out.
  Result<std::vector<SeriesPoints>> points(const SeriesMatch& match, TimeRange time);
  // The same summed up in buckets that begin at multiples of the width (since 1970, UTC). Where the
  // points are gone, or whole hours are asked for, hours are taken from the roll-up: then an hour
  // belongs to the bucket in which it begins.
  Result<std::vector<SeriesBuckets>> buckets(const SeriesMatch& match, TimeRange time,
                                             std::chrono::milliseconds width);

  // By time. each_workload() hands them on one by one, until it gets false.
  Result<std::vector<EndedWorkload>> workloads(const WorkloadQuery& query);
  Result<std::vector<NodeChange>> node_changes(const NodeChangeQuery& query);
  Result<std::vector<Finding>> findings(const FindingQuery& query);
  Result<std::vector<AlertRecord>> alerts(const AlertQuery& query);
  Result<std::vector<ConfigVersion>> configs(const ConfigQuery& query);
  Status each_workload(const WorkloadQuery& query,
                       const std::function<bool(const EndedWorkload&)>& take);

  Result<std::optional<std::string>> state(const std::string& key);
  // Those whose key begins so, sorted.
  Result<std::vector<StateEntry>> states(const std::string& prefix);

  // What could not be read since the last call, each once.
  std::vector<std::string> take_problems();

 private:
  struct Files;
  explicit Reader(std::unique_ptr<Files> files);
  std::unique_ptr<Files> files_;
};

}  // namespace schedlens::memory
