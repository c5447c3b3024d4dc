// SPDX-License-Identifier: Apache-2.0
#pragma once
// Holds a document to a schema of the API's own description: every field declared, every declared
// field there, every value of its type.

#include <simdjson.h>

#include <string>
#include <string_view>
#include <vector>

namespace schedlens::api::test {

class SchemaCheck {
 public:
  explicit SchemaCheck(const std::string& openapi) {
    root_ = parser_.parse(openapi);
    components_ = root_["components"]["schemas"];
  }

  // What does not fit, each with its place in the document; empty when all does.
  std::vector<std::string> check(std::string_view schema, const std::string& document) {
    complaints_.clear();
    simdjson::dom::parser parser;
    simdjson::dom::element value;
    if (parser.parse(document).get(value) != simdjson::SUCCESS) return {"it is not JSON"};
    check(components_[schema], value, "");
    return complaints_;
  }

  simdjson::dom::element root() const { return root_; }

 private:
  using Element = simdjson::dom::element;

  bool has_type(Element value, std::string_view type) {
    if (type == "string") return value.is_string();
    if (type == "integer") return value.is_int64() || value.is_uint64();
    if (type == "number") return value.is_number();
    if (type == "boolean") return value.is_bool();
    if (type == "null") return value.is_null();
    if (type == "array") return value.is_array();
    return type == "object" && value.is_object();
  }

  void check(Element schema, Element value, const std::string& place) {
    Element part;
    if (schema["$ref"].get(part) == simdjson::SUCCESS) {
      auto ref = std::string_view(part);
      return check(components_[ref.substr(ref.rfind('/') + 1)], value, place);
    }
    if (schema["anyOf"].get(part) == simdjson::SUCCESS) return check_any(part, value, place);
    if (schema["const"].get(part) == simdjson::SUCCESS) {
      if (!value.is_string() || std::string_view(value) != std::string_view(part)) {
        complaints_.push_back(place + ": not the constant");
      }
      return;
    }
    check_type(schema, value, place);
    if (value.is_object()) check_object(schema, value, place);
    if (value.is_array() && schema["items"].get(part) == simdjson::SUCCESS) {
      std::size_t i = 0;
      for (Element item : simdjson::dom::array(value)) {
        check(part, item, place + "/" + std::to_string(i++));
      }
    }
  }

  void check_any(Element options, Element value, const std::string& place) {
    auto before = complaints_;
    for (Element option : simdjson::dom::array(options)) {
      complaints_ = before;
      check(option, value, place);
      if (complaints_.size() == before.size()) return;
    }
  }

  void check_type(Element schema, Element value, const std::string& place) {
    Element type = schema["type"];
    bool fits = false;
    if (type.is_string()) {
      fits = has_type(value, std::string_view(type));
    } else {
      for (Element t : simdjson::dom::array(type)) fits |= has_type(value, std::string_view(t));
    }
    if (!fits) complaints_.push_back(place + ": is not " + simdjson::to_string(type));
  }

  void check_object(Element schema, Element value, const std::string& place) {
    Element properties, required, additional;
    bool has_properties = schema["properties"].get(properties) == simdjson::SUCCESS;
    bool is_map = schema["additionalProperties"].get(additional) == simdjson::SUCCESS;
    for (auto [key, member] : simdjson::dom::object(value)) {
      auto where = place + "/" + std::string(key);
      Element declared;
      if (has_properties && properties[key].get(declared) == simdjson::SUCCESS) {
        check(declared, member, where);
      } else if (is_map) {
        check(additional, member, where);
      } else if (has_properties) {
        complaints_.push_back(where + ": is not declared");
      }
    }
    if (schema["required"].get(required) != simdjson::SUCCESS) return;
    for (Element name : simdjson::dom::array(required)) {
      Element ignored;
      if (value[std::string_view(name)].get(ignored) != simdjson::SUCCESS) {
        complaints_.push_back(place + "/" + std::string(std::string_view(name)) + ": is missing");
      }
    }
  }

  simdjson::dom::parser parser_;
  Element root_;
  Element components_;
  std::vector<std::string> complaints_;
};

}  // namespace schedlens::api::test
