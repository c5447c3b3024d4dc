// SPDX-License-Identifier: Apache-2.0
#include "model/scheduler.h"

#include "base/text.h"

namespace schedlens::model {

std::optional<std::string_view> SchedulerConfig::get(std::string_view key) const {
  for (const auto& [k, v] : entries) {
    if (equal_ignoring_case(k, key)) return v;
  }
  return std::nullopt;
}

std::optional<std::string_view> SchedulerConfig::option(std::string_view key,
                                                        std::string_view name) const {
  auto value = get(key);
  if (!value) return std::nullopt;
  for (auto part : split(*value, ',')) {
    auto pair = cut(part, '=');
    if (equal_ignoring_case(trim(pair ? pair->first : part), name)) {
      return pair ? trim(pair->second) : std::string_view();
    }
  }
  return std::nullopt;
}

std::optional<std::int64_t> SchedulerConfig::number_option(std::string_view key,
                                                           std::string_view name) const {
  auto text = option(key, name);
  return text ? parse_number<std::int64_t>(*text) : std::nullopt;
}

bool SchedulerConfig::has_word(std::string_view key, std::string_view word) const {
  auto value = get(key);
  return value && lower(*value).find(lower(word)) != std::string::npos;
}

}  // namespace schedlens::model
