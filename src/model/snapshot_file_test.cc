// SPDX-License-Identifier: Apache-2.0
#include "model/snapshot_file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/gzip.h"
#include "model/enum_names.h"
#include "model/fields.h"
#include "model/kubernetes.h"
#include "model/pod.h"

namespace schedlens::model {
namespace {

// Gives every described member a value of its own, so that a member the file loses is noticed.
class Filler {
 public:
  template <class T>
  void operator()(std::string_view, T& v) {
    fill(v);
  }

 private:
  std::int64_t next() { return ++counter_; }

  template <class T>
  void fill(T& v) {
    if constexpr (std::is_same_v<T, bool>) {
      v = !v;
    } else if constexpr (std::is_enum_v<T>) {
      v = static_cast<T>(kEnumSize<T> - 1);
    } else if constexpr (std::is_arithmetic_v<T>) {
      v = static_cast<T>(next() % 200 + 2);
    } else {
      describe(*this, v);
    }
  }
  void fill(std::string& v) { v = "text \"é\" " + std::to_string(next()); }
  void fill(Symbol& v) { v = Symbol("name" + std::to_string(next())); }
  void fill(Bytes& v) { v = {next() << 30}; }
  void fill(Seconds& v) { v = {next()}; }
  void fill(Timestamp& v) { v = {1'700'000'000 + next()}; }
  void fill(NodeId& v) { v = {1}; }
  void fill(WorkloadId& v) { v = {1}; }
  template <class T>
  void fill(std::optional<T>& v) {
    fill(v.emplace());
  }
  template <class T>
  void fill(std::shared_ptr<const T>& v) {
    auto made = std::make_shared<T>();
    fill(*made);
    v = std::move(made);
  }
  template <class T>
  void fill(SharedOptional<T>& v) {
    fill(v.emplace());
  }
  template <class T>
  void fill(Shared<T>& v) {
    fill(v.edit());
  }
  template <class T>
  void fill(SharedList<T>& v) {
    for (int i = 0; i < 2; ++i) fill(v.emplace_back());
  }
  template <class T>
  void fill(std::vector<T>& v) {
    for (int i = 0; i < 2; ++i) fill(v.emplace_back());
  }
  // Alternatives to a request have none of their own.
  void fill(std::vector<DeviceRequest>& v) {
    if (request_depth_ == 2) return;
    ++request_depth_;
    for (int i = 0; i < 2; ++i) fill(v.emplace_back());
    --request_depth_;
  }
  template <class T>
  void fill(Flags<T>& v) {
    v.set(static_cast<T>(0));
    v.set(static_cast<T>(kEnumSize<T> - 1));
  }
  template <class T>
  void fill(Bound<T>& v) {
    T value{};
    fill(value);
    v = next() % 2 ? Bound<T>::of(value) : Bound<T>::unlimited();
  }
  void fill(ResourceCounts& v) {
    v.set(Symbol("cpu"), static_cast<double>(next()));
    v.set(Symbol("gres/gpu:a100"), static_cast<double>(next()) + 0.5);
  }
  void fill(Quantities& v) {
    v.set(Symbol("memory"), next() << 40);
    v.set(Symbol("nvidia.com/gpu"), -next());
  }
  void fill(Labels& v) {
    v = Labels({{Symbol("app.kubernetes.io/name"), std::to_string(next())}, {Symbol("empty"), ""}});
  }
  void fill(SchedulerConfig& v) { v.entries = {{"Key", "a,b=c"}, {"Key", "twice"}}; }

  std::int64_t counter_ = 0;
  int request_depth_ = 0;
};

Snapshot full_snapshot() {
  Snapshot s;
  Filler filler;
  describe(filler, s);
  return s;
}

TEST(SnapshotFile, EveryMemberSurvives) {
  auto json = snapshot_to_json(full_snapshot());
  auto loaded = snapshot_from_json(json);
  ASSERT_TRUE(loaded) << loaded.error().message();
  EXPECT_EQ(snapshot_to_json(*loaded), json);
  EXPECT_EQ(loaded->workloads[1].request.memory_per, MemoryPer::kGpu);
  EXPECT_TRUE(loaded->nodes[0].flags.has(NodeFlag::kUndrain));
}

TEST(SnapshotFile, AbsentStaysAbsent) {
  Snapshot s;
  s.nodes.resize(1);
  s.workloads.resize(1);
  auto loaded = snapshot_from_json(snapshot_to_json(s));
  ASSERT_TRUE(loaded) << loaded.error().message();
  EXPECT_FALSE(loaded->nodes[0].memory_free);
  EXPECT_FALSE(loaded->workloads[0].request.excluded_nodes);
  EXPECT_FALSE(loaded->workloads[0].time_limit.known());
  EXPECT_FALSE(loaded->vitals);
  EXPECT_EQ(loaded->workloads[0].request.min_nodes, 1u);
}

// To Kubernetes a selector without expressions selects everything and one that is not there
// nothing, and a list that was not read is not an empty list.
TEST(SnapshotFile, EmptyAndAbsentStayApart) {
  PodSpec spec;
  spec.affinity.push_back({});
  spec.affinity.push_back({});
  spec.affinity[1].pods.emplace();
  spec.node_affinity.emplace();
  Pod pod;
  spec.terms.push_back({Symbol("cpu"), RequestPart::kInitContainer, "load", 250, 3});
  pod.spec = std::make_shared<PodSpec>(spec);
  Kubernetes kubernetes;
  kubernetes.quotas.emplace();
  Snapshot s;
  s.workloads.resize(1);
  s.workloads[0].pod = std::make_shared<Pod>(pod);
  s.kubernetes = std::make_shared<Kubernetes>(kubernetes);
  auto loaded = snapshot_from_json(snapshot_to_json(s));
  ASSERT_TRUE(loaded) << loaded.error().message();
  EXPECT_EQ(*loaded->workloads[0].pod->spec, spec);
  EXPECT_TRUE(loaded->kubernetes->quotas);
  EXPECT_FALSE(loaded->kubernetes->events);
}

std::string error_of(std::string_view json) {
  auto loaded = snapshot_from_json(json);
  return loaded ? "" : loaded.error().message();
}

TEST(SnapshotFile, ErrorsNameThePlace) {
  auto document = [](std::string_view rest) {
    return R"({"format":"schedlens-snapshot","version":1,)" + std::string(rest) + "}";
  };
  EXPECT_EQ(error_of(document(R"("nodes":[{"name":"a","cpus":"x"}])")),
            "snapshot: /nodes/0/cpus: expected a whole number, not negative");
  EXPECT_EQ(error_of(document(R"("nodes":[{"cpus":5000000000}])")),
            "snapshot: /nodes/0/cpus: the number is too large");
  EXPECT_EQ(error_of(document(R"("nodes":[{"colour":"red"}])")),
            "snapshot: /nodes/0: unknown field 'colour'");
  EXPECT_EQ(error_of(document(R"("nodes":[{"state":"asleep"}])")),
            "snapshot: /nodes/0/state: unknown word 'asleep'");
  EXPECT_EQ(error_of(document(R"("workloads":[{"allocation":{"nodes":[3]}}])")),
            "snapshot: /workloads/0/allocation/nodes: node 3 of 0 does not exist");
  EXPECT_EQ(error_of(document(R"("workloads":{})")), "snapshot: /workloads: expected a list");
  EXPECT_EQ(error_of("{}"),
            "snapshot: this is not a schedlens snapshot (no \"format\": \"schedlens-snapshot\")");
  EXPECT_EQ(error_of(R"({"format":"schedlens-snapshot","version":9})"),
            "snapshot: /version: version 9 was written by another schedlens; this one reads "
            "version 1");
  EXPECT_NE(error_of("not json").find("not valid JSON"), std::string::npos);
}

TEST(SnapshotFile, CutOffAnywhereIsAnError) {
  auto json = snapshot_to_json(full_snapshot());
  json.pop_back();  // the final new line is not part of the document
  for (std::size_t length = 0; length < json.size(); length += 7) {
    EXPECT_FALSE(snapshot_from_json(std::string_view(json).substr(0, length))) << length;
  }
}

class SnapshotOnDisk : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "snapshot-XXXXXX";
    directory_ = ::mkdtemp(pattern.data());
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  std::string path(std::string_view name) const { return directory_ + "/" + std::string(name); }
  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(directory_), {}));
  }

  std::string directory_;
};

TEST_F(SnapshotOnDisk, PlainAndCompressed) {
  auto s = full_snapshot();
  for (auto name : {"a.json", "a.json.gz"}) {
    ASSERT_TRUE(save_snapshot(s, path(name)));
    auto loaded = load_snapshot(path(name));
    ASSERT_TRUE(loaded) << loaded.error().message();
    EXPECT_EQ(snapshot_to_json(*loaded), snapshot_to_json(s));
  }
  EXPECT_LT(std::filesystem::file_size(path("a.json.gz")),
            std::filesystem::file_size(path("a.json")));
}

TEST_F(SnapshotOnDisk, MissingAndDamagedFilesAreNamed) {
  EXPECT_EQ(load_snapshot(path("none")).error().message(),
            path("none") + ": No such file or directory");
  std::ofstream(path("cut.gz"), std::ios::binary) << gzip("{\"format\":1}", 6).substr(0, 20);
  EXPECT_EQ(load_snapshot(path("cut.gz")).error().message(),
            path("cut.gz") + ": gzip: the data are damaged or cut off");
}

TEST_F(SnapshotOnDisk, AWriteThatFailsLeavesTheOldFile) {
  ASSERT_TRUE(save_snapshot(Snapshot{}, path("a.json")));
  auto before = std::filesystem::file_size(path("a.json"));

  std::signal(SIGXFSZ, SIG_IGN);
  rlimit old{};
  ::getrlimit(RLIMIT_FSIZE, &old);
  rlimit small{256, old.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &small);
  auto saved = save_snapshot(full_snapshot(), path("a.json"));
  ::setrlimit(RLIMIT_FSIZE, &old);

  ASSERT_FALSE(saved);
  EXPECT_NE(saved.error().message().find("File too large"), std::string::npos);
  EXPECT_EQ(std::filesystem::file_size(path("a.json")), before);
  EXPECT_EQ(files(), 1u);
}

}  // namespace
}  // namespace schedlens::model
