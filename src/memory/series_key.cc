// SPDX-License-Identifier: Apache-2.0
#include "memory/series_key.h"

#include <algorithm>

namespace schedlens::memory {

std::string_view SeriesKey::label(std::string_view wanted) const {
  for (const auto& [label, value] : labels) {
    if (label == wanted) return value;
  }
  return {};
}

SeriesKey make_key(std::string name, Labels labels) {
  std::stable_sort(labels.begin(), labels.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  Labels kept;
  for (auto& label : labels) {
    if (!kept.empty() && kept.back().first == label.first) {
      kept.back() = std::move(label);
    } else {
      kept.push_back(std::move(label));
    }
  }
  std::erase_if(kept, [](const auto& label) { return label.second.empty(); });
  return {std::move(name), std::move(kept)};
}

std::string labels_text(const Labels& labels) {
  std::string out;
  for (const auto& [name, value] : labels) {
    if (!out.empty()) out += ',';
    out += name;
    out += "=\"";
    for (const char c : value) {
      if (c == '\\' || c == '"') out += '\\';
      if (c == '\n') {
        out += "\\n";
      } else {
        out += c;
      }
    }
    out += '"';
  }
  return out;
}

std::optional<Labels> parse_labels(std::string_view text) {
  Labels labels;
  while (!text.empty()) {
    const auto equals = text.find("=\"");
    if (equals == std::string_view::npos || equals == 0) return std::nullopt;
    std::string name(text.substr(0, equals)), value;
    std::size_t at = equals + 2;
    for (; at < text.size() && text[at] != '"'; ++at) {
      if (text[at] != '\\') {
        value += text[at];
      } else if (++at < text.size()) {
        value += text[at] == 'n' ? '\n' : text[at];
      }
    }
    if (at >= text.size()) return std::nullopt;
    text.remove_prefix(at + 1);
    labels.emplace_back(std::move(name), std::move(value));
    if (text.empty()) break;
    if (text.front() != ',' || text.size() == 1) return std::nullopt;
    text.remove_prefix(1);
  }
  return labels;
}

std::string series_text(const SeriesKey& key) {
  return key.labels.empty() ? key.name : key.name + '{' + labels_text(key.labels) + '}';
}

bool SeriesMatch::matches(const SeriesKey& key) const {
  if (!name.empty() && key.name != name) return false;
  return std::all_of(labels.begin(), labels.end(),
                     [&](const auto& label) { return key.label(label.first) == label.second; });
}

}  // namespace schedlens::memory
