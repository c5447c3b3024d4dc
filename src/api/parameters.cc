// SPDX-License-Identifier: Apache-2.0
#include "api/parameters.h"

#include "base/text.h"
#include "base/time_text.h"

namespace schedlens::api {

Words list_of(const http::Request& request, std::string_view name) {
  Words list;
  for (const auto& [key, value] : request.query) {
    if (key != name) continue;
    for (auto word : split(value, ',')) {
      if (!trim(word).empty()) list.emplace_back(trim(word));
    }
  }
  return list;
}

Result<std::optional<std::uint64_t>> number_of(const http::Request& request,
                                               std::string_view name) {
  auto value = request.query_value(name);
  if (!value) return std::optional<std::uint64_t>();
  if (auto number = parse_number<std::uint64_t>(*value)) return number;
  return fail("parameter '{}' is no number: '{}'", name, printable(*value));
}

Result<std::optional<bool>> switch_of(const http::Request& request, std::string_view name) {
  auto value = request.query_value(name);
  if (!value) return std::optional<bool>();
  if (*value == "true") return std::optional<bool>(true);
  if (*value == "false") return std::optional<bool>(false);
  return fail("parameter '{}' is neither true nor false: '{}'", name, printable(*value));
}

Result<std::optional<Timestamp>> time_of(const http::Request& request, std::string_view name) {
  auto value = request.query_value(name);
  if (!value) return std::optional<Timestamp>();
  if (auto seconds = parse_number<std::int64_t>(*value)) return Timestamp{*seconds};
  if (auto time = parse_iso8601(*value)) return time;
  return fail("parameter '{}' is neither seconds since 1970 nor like 2026-11-30T03:39:21Z: '{}'",
              name, printable(*value));
}

}  // namespace schedlens::api
