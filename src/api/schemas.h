// SPDX-License-Identifier: Apache-2.0
#pragma once
// The fields of every document that the API answers with, as a table of "name type" lines. Tests
// hold what the views write to it.
//
// Types: string, integer, number, boolean, object; "bound" is an integer or "unlimited"; a name is
// another schema; [type] is a list, {type} an object of such values, type? may be null.

#include <span>
#include <string_view>
#include <vector>

#include "base/json_writer.h"

namespace schedlens::api {

struct Schema {
  std::string_view name;
  std::string_view note;    // what it is, where that needs saying
  std::string_view fields;  // "name type; name type"; empty: any object
};

struct SchemaField {
  std::string_view name;
  std::string_view type;
};

std::span<const Schema> schemas();
std::vector<SchemaField> fields_of(const Schema& schema);

// All of them as members of an object, in JSON Schema.
void write_schemas(JsonWriter& json);

}  // namespace schedlens::api
