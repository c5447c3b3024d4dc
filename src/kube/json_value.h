// SPDX-License-Identifier: Apache-2.0
#pragma once
// One value of a custom resource's JSON, read in the order in which it stands. What is null reads
// as absent; what is of another type than asked for is a Fault that names the place. Fields that
// nobody asks about are passed over.

#include <simdjson.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/symbol.h"
#include "base/units.h"
#include "kube/fields.h"
#include "kube/quantity.h"

namespace schedlens::kube {

// Of one thread; good until the next value is taken from the same document.
class JsonValue {
 public:
  JsonValue(simdjson::ondemand::value value, std::string_view name, const JsonValue* parent)
      : value_(value), name_(name), parent_(parent) {}

  std::string_view name() const { return name_; }
  bool is_null();
  std::string_view text();  // empty for null
  std::string string() { return std::string(text()); }
  Symbol symbol() { return Symbol(text()); }
  std::int64_t integer();
  std::int32_t int32();
  bool boolean();
  Amount quantity();  // "4", 4, "500m"
  std::optional<Timestamp> time();

  // visit(JsonValue&) for every field of an object, none for null.
  template <class Visit>
  void fields(Visit&& visit);
  // The same of one that may not be null, such as a whole document.
  template <class Visit>
  void some_fields(Visit&& visit);
  template <class Visit>
  void items(Visit&& visit);

 private:
  void check(simdjson::error_code code) const;
  [[noreturn]] void fault(std::string_view what) const;
  std::string path() const;

  simdjson::ondemand::value value_;
  std::string_view name_;
  const JsonValue* parent_;
};

// Calls visit(JsonValue&) for every field of the document's object.
template <class Visit>
Status each_json_field(std::string_view document, Visit&& visit);

template <class Visit>
void JsonValue::fields(Visit&& visit) {
  if (!is_null()) some_fields(visit);
}

template <class Visit>
void JsonValue::some_fields(Visit&& visit) {
  simdjson::ondemand::object object;
  check(value_.get_object().get(object));
  for (auto field : object) {
    std::string_view key;
    simdjson::ondemand::value value;
    check(field.unescaped_key().get(key));
    check(field.value().get(value));
    JsonValue inner(value, key, this);
    visit(inner);
  }
}

template <class Visit>
void JsonValue::items(Visit&& visit) {
  if (is_null()) return;
  simdjson::ondemand::array array;
  check(value_.get_array().get(array));
  for (auto item : array) {
    simdjson::ondemand::value value;
    check(item.get(value));
    JsonValue inner(value, "", this);
    visit(inner);
  }
}

// The parser of this thread with a padded copy of the text.
simdjson::simdjson_result<simdjson::ondemand::value> open_json(std::string_view document);

template <class Visit>
Status each_json_field(std::string_view document, Visit&& visit) {
  try {
    simdjson::ondemand::value root;
    if (auto bad = open_json(document).get(root); bad != simdjson::SUCCESS) {
      return fail("not a JSON object: {}", simdjson::error_message(bad));
    }
    JsonValue(root, "", nullptr).some_fields(visit);
    return {};
  } catch (const Fault& f) {
    return fail(Error(f.what()));
  }
}

}  // namespace schedlens::kube
