// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a series is called: a metric's name and labels, and what a query asks of them.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace schedlens::memory {

using Labels = std::vector<std::pair<std::string, std::string>>;

struct SeriesKey {
  std::string name;
  Labels labels;  // sorted by name, each name once, no empty values: make_key() sees to it

  std::string_view label(std::string_view name) const;  // empty when it has none
  friend auto operator<=>(const SeriesKey&, const SeriesKey&) = default;
};

// Sorts the labels; of two of one name the later counts, and an empty value is no label.
SeriesKey make_key(std::string name, Labels labels = {});

// The labels as stored: a="x",b="y \" z"
std::string labels_text(const Labels& labels);
std::optional<Labels> parse_labels(std::string_view text);

// "name{a="x"}", as Prometheus writes it.
std::string series_text(const SeriesKey& key);

// Which series a query is about. What is left empty holds for all.
struct SeriesMatch {
  std::string name;
  Labels labels;  // all of these; an empty value asks that the label is not there
  bool matches(const SeriesKey& key) const;
};

}  // namespace schedlens::memory
