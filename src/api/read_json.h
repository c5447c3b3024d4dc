// SPDX-License-Identifier: Apache-2.0
#pragma once
// Reading back the documents of a server: take() leaves the value alone where the member is null,
// missing or of another type.

#include <simdjson.h>

#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/result.h"
#include "base/units.h"

namespace schedlens::api {

using JsonElement = simdjson::dom::element;

template <class T>
void take(JsonElement e, std::string_view name, T& value) {
  if constexpr (std::is_same_v<T, std::string>) {
    std::string_view text;
    if (e[name].get(text) == simdjson::SUCCESS) value = text;
  } else {
    T read{};
    if (e[name].get(read) == simdjson::SUCCESS) value = read;
  }
}

template <class T>
void take(JsonElement e, std::string_view name, std::optional<T>& value) {
  T read{};
  if (e[name].get(read) == simdjson::SUCCESS) value = read;
}

inline void take(JsonElement e, std::string_view name, Timestamp& value) {
  take(e, name, value.unix_seconds);
}

inline void take(JsonElement e, std::string_view name, Seconds& value) {
  take(e, name, value.value);
}

inline void take(JsonElement e, std::string_view name, std::optional<Timestamp>& value) {
  std::int64_t seconds = 0;
  if (e[name].get(seconds) == simdjson::SUCCESS) value = Timestamp{seconds};
}

inline void take(JsonElement e, std::string_view name, std::optional<Seconds>& value) {
  std::int64_t seconds = 0;
  if (e[name].get(seconds) == simdjson::SUCCESS) value = Seconds{seconds};
}

// A number that JSON cannot say is written as null.
inline double take_number(JsonElement e, std::string_view name) {
  double value = std::nan("");
  return e[name].get(value) == simdjson::SUCCESS ? value : std::nan("");
}

template <class Body>
void each(JsonElement e, std::string_view name, Body&& body) {
  simdjson::dom::array list;
  if (e[name].get(list) != simdjson::SUCCESS) return;
  for (JsonElement item : list) body(item);
}

template <class Body>
void each_member(JsonElement e, std::string_view name, Body&& body) {
  simdjson::dom::object object;
  if (e[name].get(object) != simdjson::SUCCESS) return;
  for (const auto& [key, value] : object) {
    std::string_view text;
    if (value.get(text) == simdjson::SUCCESS) body(key, text);
  }
}

inline void take(JsonElement e, std::string_view name, std::vector<std::string>& texts) {
  each(e, name, [&](JsonElement item) {
    std::string_view text;
    if (item.get(text) == simdjson::SUCCESS) texts.emplace_back(text);
  });
}

// Hands the document to the body when it is one with a list of this name.
template <class Body>
Status with_document(std::string_view document, std::string_view list, Body&& body) {
  simdjson::dom::parser parser;
  JsonElement root;
  if (const auto error = parser.parse(document.data(), document.size()).get(root)) {
    return fail("the server's answer is no JSON: {}", simdjson::error_message(error));
  }
  simdjson::dom::array array;
  if (root[list].get(array) != simdjson::SUCCESS) {
    return fail("the server's answer has no list '{}': is it an older schedlens?", list);
  }
  body(root);
  return {};
}

}  // namespace schedlens::api
