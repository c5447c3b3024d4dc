// SPDX-License-Identifier: Apache-2.0
#include "alert/rule.h"

#include <algorithm>
#include <array>

namespace schedlens::alert {
namespace {

constexpr std::array<std::string_view, static_cast<std::size_t>(Layer::kCount)> kLayers = {
    "collector", "controller", "fabric", "node", "gpu", "job"};
constexpr std::array<std::string_view, 5> kAggregates = {"sum", "max", "min", "avg", "count"};

}  // namespace

std::string_view severity_name(Severity severity) {
  return severity == Severity::kCritical ? "critical" : "warning";
}

std::string_view layer_name(Layer layer) {
  return kLayers[static_cast<std::size_t>(layer)];
}

std::optional<Layer> layer_named(std::string_view name) {
  auto at = std::find(kLayers.begin(), kLayers.end(), name);
  if (at == kLayers.end()) return std::nullopt;
  return static_cast<Layer>(at - kLayers.begin());
}

std::string_view aggregate_name(Aggregate aggregate) {
  return kAggregates[static_cast<std::size_t>(aggregate)];
}

bool Condition::holds(double value) const {
  switch (comparison) {
    case Comparison::kAbove:
      return value > threshold;
    case Comparison::kBelow:
      return value < threshold;
    case Comparison::kEquals:
      return value == threshold;
  }
  return false;
}

bool inhibits(const Rule& source, const Rule& target) {
  if (source.name == target.name) return false;
  return std::any_of(source.inhibits.begin(), source.inhibits.end(), [&](const std::string& what) {
    return what == target.name || what == layer_name(target.layer);
  });
}

std::vector<std::string> metrics_of(const Rule& rule) {
  std::vector<std::string> metrics;
  auto add = [&](const Condition& condition) {
    metrics.push_back(condition.of.series_metric());
    if (condition.per) metrics.push_back(condition.per->series_metric());
  };
  add(rule.when);
  for (const auto& condition : rule.also) add(condition);
  if (rule.names && !rule.names->metric.empty()) metrics.push_back(rule.names->metric);
  std::sort(metrics.begin(), metrics.end());
  metrics.erase(std::unique(metrics.begin(), metrics.end()), metrics.end());
  return metrics;
}

}  // namespace schedlens::alert
