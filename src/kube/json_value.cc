// SPDX-License-Identifier: Apache-2.0
#include "kube/json_value.h"

#include <fmt/format.h>

#include "base/text.h"
#include "kube/credentials.h"
#include "kube/envelope_json.h"

namespace schedlens::kube {

using simdjson::SUCCESS;

void JsonValue::check(simdjson::error_code code) const {
  if (code != SUCCESS) fault(simdjson::error_message(code));
}

void JsonValue::fault(std::string_view what) const {
  const auto where = path();
  throw Fault(where.empty() ? std::string(what) : fmt::format("{}: {}", where, what));
}

std::string JsonValue::path() const {
  std::string text = parent_ ? parent_->path() : "";
  if (name_.empty()) return text;
  if (!text.empty()) text += '.';
  return text + printable(name_);
}

bool JsonValue::is_null() {
  bool null = false;
  check(value_.is_null().get(null));
  return null;
}

std::string_view JsonValue::text() {
  if (is_null()) return {};
  std::string_view text;
  check(value_.get_string().get(text));
  return text;
}

std::int64_t JsonValue::integer() {
  if (is_null()) return 0;
  std::int64_t number = 0;
  check(value_.get_int64().get(number));
  return number;
}

std::int32_t JsonValue::int32() {
  const auto number = integer();
  if (number < INT32_MIN || number > INT32_MAX) fault("does not fit into 32 bits");
  return static_cast<std::int32_t>(number);
}

bool JsonValue::boolean() {
  if (is_null()) return false;
  bool flag = false;
  check(value_.get_bool().get(flag));
  return flag;
}

Amount JsonValue::quantity() {
  if (is_null()) return {};
  simdjson::ondemand::json_type type{};
  check(value_.type().get(type));
  std::string_view text;
  if (type == simdjson::ondemand::json_type::number) {
    text = trim(value_.raw_json_token());
  } else {
    check(value_.get_string().get(text));
  }
  auto parsed = parse_quantity(text);
  if (!parsed) fault(parsed.error().message());
  return *parsed;
}

std::optional<Timestamp> JsonValue::time() {
  const auto when = text();
  if (when.empty()) return std::nullopt;
  auto parsed = parse_rfc3339(when);
  if (!parsed) fault("is no time");
  return parsed;
}

simdjson::simdjson_result<simdjson::ondemand::value> open_json(std::string_view document) {
  thread_local JsonDocument d;
  d.text.assign(document);
  d.text.resize(document.size() + simdjson::SIMDJSON_PADDING, ' ');
  auto bad = d.parser.iterate(d.text.data(), document.size(), d.text.size()).get(d.document);
  if (bad != SUCCESS) return bad;
  return d.document.get_value();
}

}  // namespace schedlens::kube
