// SPDX-License-Identifier: Apache-2.0
#include "kube/metric_names.h"

#include "base/text.h"

namespace schedlens::kube {

std::optional<Part> part_of(std::string_view full, std::string_view name, Shape shape) {
  if (!full.starts_with(name)) return std::nullopt;
  const auto tail = full.substr(name.size());
  if (shape == Shape::kNumber) return tail.empty() ? std::optional(Part::kValue) : std::nullopt;
  if (tail == "_sum") return Part::kSum;
  if (tail == "_count") return Part::kCount;
  if (tail == "_bucket" && shape == Shape::kHistogram) return Part::kBucket;
  return std::nullopt;
}

bool has_family(std::string_view text, std::string_view name) {
  if (name.empty()) return false;
  for (auto at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const bool line_starts = at == 0 || text[at - 1] == '\n';
    const auto next = text.substr(at + name.size(), 1);
    if (line_starts && (next == "{" || next == " " || next == "_")) return true;
  }
  return false;
}

void add(model::Durations& durations, const Sample& s, Part part) {
  if (part == Part::kSum) durations.seconds += s.value;
  if (part == Part::kCount) durations.count += s.value;
}

void add(model::DurationHistogram& histogram, const Sample& s, Part part) {
  if (part != Part::kBucket) return add(histogram.total, s, part);
  const auto bound = parse_number<double>(s.label("le"));
  if (!bound || !std::isfinite(*bound)) return;
  auto& buckets = histogram.buckets;
  const auto at = std::lower_bound(
      buckets.begin(), buckets.end(), *bound,
      [](const model::DurationBucket& bucket, double b) { return bucket.bound < b; });
  if (at != buckets.end() && at->bound == *bound) {
    at->count += s.value;
  } else {
    buckets.insert(at, {*bound, s.value});
  }
}

void take_start(model::ComponentFacts& facts, const Sample& s) {
  if (s.value > 0 && s.value < 1e12) facts.started = Timestamp{static_cast<std::int64_t>(s.value)};
}

// "gitVersion" up to 1.20.
void take_version(model::ComponentFacts& facts, const Sample& s) {
  const auto version =
      s.label("git_version").empty() ? s.label("gitVersion") : s.label("git_version");
  facts.version = version.substr(version.starts_with('v') ? 1 : 0);
}

}  // namespace schedlens::kube
