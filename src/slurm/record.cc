// SPDX-License-Identifier: Apache-2.0
#include "slurm/record.h"

#include <algorithm>

#include "base/text.h"

namespace schedlens::slurm {
namespace {

bool key_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '/' || c == ':';
}

// The length of the key that starts at text[at] and ends with '='; 0 when there is none.
std::size_t key_length(std::string_view text, std::size_t at) {
  auto i = at;
  while (i < text.size() && key_character(text[i])) ++i;
  bool key = i > at && i < text.size() && text[i] == '=' && !(text[at] >= '0' && text[at] <= '9');
  return key ? i - at : 0;
}

bool ends_free_text(const FreeText& free, std::string_view value, std::string_view key) {
  auto& f = free.followers;
  if (std::find(f.begin(), f.end(), key) == f.end()) return false;
  if (free.last == 0) return true;
  auto text = trim(value);
  return !text.empty() && text.back() == free.last;
}

}  // namespace

Record::Record(std::string_view line, std::span<const FreeText> free_texts) {
  fields_.reserve(48);
  const FreeText* free = nullptr;
  std::size_t value_from = 0;
  for (std::size_t at = 0; at < line.size();) {
    auto length = key_length(line, at);
    auto key = line.substr(at, length);
    if (length > 0 && free &&
        !ends_free_text(*free, line.substr(value_from, at - value_from), key)) {
      length = 0;
    }
    if (length > 0) {
      if (!fields_.empty()) fields_.back().second = trim(line.substr(value_from, at - value_from));
      value_from = at + length + 1;
      fields_.emplace_back(key, line.substr(value_from, 0));
      auto it = std::find_if(free_texts.begin(), free_texts.end(),
                             [&](const FreeText& f) { return f.key == key; });
      free = it == free_texts.end() ? nullptr : &*it;
      at = value_from;
    }
    at = line.find(' ', at);
    if (at == std::string_view::npos) break;
    ++at;
  }
  if (!fields_.empty()) fields_.back().second = trim(line.substr(value_from));
}

std::string_view Record::find(std::string_view key) const {
  for (std::size_t n = 0; n < fields_.size(); ++n) {
    auto i = next_ + n < fields_.size() ? next_ + n : next_ + n - fields_.size();
    if (fields_[i].first == key) {
      next_ = i + 1 == fields_.size() ? 0 : i + 1;
      return fields_[i].second.data() ? fields_[i].second : std::string_view("");
    }
  }
  return {};
}

std::string_view Record::get(std::string_view key) const {
  auto value = find(key);
  return value.data() ? value : std::string_view("");
}

std::vector<std::string_view> lines(std::string_view text) {
  std::vector<std::string_view> found;
  while (!text.empty()) {
    auto end = text.find('\n');
    auto line = trim(text.substr(0, end));
    if (!line.empty()) found.push_back(line);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return found;
}

}  // namespace schedlens::slurm
