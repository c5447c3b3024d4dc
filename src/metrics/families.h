// SPDX-License-Identifier: Apache-2.0
#pragma once
// Every metric the program exports, declared once. The exposition, docs/metrics.md and the checks
// of names come from this table.
//
// Base units: seconds, bytes. What is not known has no series: a missing value is never 0. Series
// beyond a family's limit are left out and counted in schedlens_dropped_series. To add a metric,
// add a line here and write its samples in the part that its section names.

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

namespace schedlens::metrics {

enum class Type : std::uint8_t { kGauge, kCounter, kHistogram };
std::string_view type_name(Type type);  // "gauge"

enum class Section : std::uint8_t {
  kCluster,
  kGpus,
  kNodes,
  kPartitions,
  kJobs,
  kHolders,
  kLimits,
  kReservations,
  kScheduler,
  kNamespaces,
  kUsage,
  kKubeScheduler,
  kControlPlane,
  kKubelets,
  kWatch,
  kOwn
};
std::string_view section_title(Section section);

inline constexpr std::size_t kMaxLabels = 5;

struct Family {
  Section section;
  std::string_view name;
  Type type;
  std::string_view unit;  // "", "seconds", "bytes", "cores", "ratio"
  std::array<std::string_view, kMaxLabels> labels;
  std::uint32_t limit;  // series
  std::string_view source;
  std::string_view help;

  constexpr std::size_t label_count() const {
    std::size_t n = 0;
    while (n < kMaxLabels && !labels[n].empty()) ++n;
    return n;
  }
};

// The table itself; limits are for things a cluster has few of, for users and accounts, for nodes.
namespace declared {
using enum Section;
using enum Type;
inline constexpr std::uint32_t kFew = 2'000, kTop = 100, kPerNode = 50'000;
#include "metrics/families.inc"
}  // namespace declared
using declared::kFamilies;

inline constexpr std::size_t kFamilyCount = std::size(kFamilies);

// A declared family, by its place in the table.
struct FamilyRef {
  std::uint16_t index = 0;
  constexpr const Family& operator*() const { return kFamilies[index]; }
  constexpr const Family* operator->() const { return &kFamilies[index]; }
  friend bool operator==(FamilyRef, FamilyRef) = default;
};

// family("schedlens_nodes"); a name that is not declared does not compile.
consteval FamilyRef family(std::string_view name) {
  for (std::size_t i = 0; i < kFamilyCount; ++i) {
    if (kFamilies[i].name == name) return {static_cast<std::uint16_t>(i)};
  }
  throw "no family of this name is declared in families.inc";
}

// The table as the page docs/metrics.md.
std::string markdown();

}  // namespace schedlens::metrics
