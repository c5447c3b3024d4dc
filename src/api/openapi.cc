// SPDX-License-Identifier: Apache-2.0
#include "api/openapi.h"

#include "api/json_parts.h"
#include "api/routes.h"
#include "api/schemas.h"
#include "base/json_writer.h"

namespace schedlens::api {
namespace {

void write_parameter(JsonWriter& json, const Parameter& p) {
  json.object([&] {
    json.field("name", p.name);
    json.field("in", p.in == Parameter::In::kPath ? "path" : "query");
    json.field("required", p.in == Parameter::In::kPath);
    json.field("description", p.description);
    json.key("schema");
    json.object([&] { json.field("type", p.type); });
  });
}

void write_content(JsonWriter& json, std::string_view content_type, std::string_view schema) {
  json.key("content");
  json.object([&] {
    json.key(content_type);
    json.object([&] {
      json.key("schema");
      json.object([&] {
        if (schema.empty()) {
          json.field("type", "string");
        } else {
          json.field("$ref", fmt::format("#/components/schemas/{}", schema));
        }
      });
    });
  });
}

// "/api/v1/jobs/{id}" is "get_api_v1_jobs_id".
std::string operation_id(std::string_view path) {
  std::string id = "get";
  for (char c : path) {
    if (c == '{' || c == '}') continue;
    id += c == '/' || c == '.' ? '_' : c;
  }
  return id;
}

void write_operation(JsonWriter& json, const ApiRoute& route) {
  json.field("operationId", operation_id(route.path));
  json.field("summary", route.summary);
  json.key("parameters");
  json.array([&] {
    for (const auto& p : route.parameters) write_parameter(json, p);
  });
  json.key("responses");
  json.object([&] {
    json.key("200");
    json.object([&] {
      json.field("description", route.summary);
      write_content(json, route.content_type, route.schema);
    });
    json.key("default");
    json.object([&] {
      json.field("description", "What is wrong, as a problem document (RFC 9457)");
      write_content(json, "application/problem+json", "Problem");
    });
  });
}

}  // namespace

std::string openapi_json(std::string_view version) {
  JsonWriter json(2);
  json.object([&] {
    json.field("openapi", "3.1.0");
    json.key("info");
    json.object([&] {
      json.field("title", "schedlens");
      json.field("version", version);
      json.field("description",
                 "Times are seconds since 1970 UTC, durations seconds, sizes bytes. What is not "
                 "known is null. New fields may appear; \"version\" of a document is raised when "
                 "one goes or changes its meaning.");
    });
    json.key("paths");
    json.object([&] {
      for (const auto& route : api_routes()) {
        json.key(route.path);
        json.object([&] {
          json.key("get");
          json.object([&] { write_operation(json, route); });
        });
      }
    });
    json.key("components");
    json.object([&] {
      json.key("schemas");
      json.object([&] { write_schemas(json); });
    });
  });
  return json.take() + "\n";
}

std::string api_markdown() {
  std::string out = "| path | answers |\n| --- | --- |\n";
  for (const auto& route : api_routes()) {
    auto schema = route.schema.empty() ? std::string(route.content_type)
                                       : fmt::format("[{0}](#{0})", route.schema);
    out += fmt::format("| `{}` | {}: {} |\n", route.path, schema, route.summary);
  }
  out += "\n### Parameters\n\n| path | parameter | meaning |\n| --- | --- | --- |\n";
  for (const auto& route : api_routes()) {
    for (const auto& p : route.parameters) {
      out += fmt::format("| `{}` | `{}` | {} |\n", route.path, p.name, p.description);
    }
  }
  out += "\n### Documents\n";
  for (const auto& schema : schemas()) {
    out += fmt::format("\n#### {}\n\n", schema.name);
    if (!schema.note.empty()) out += fmt::format("{}\n\n", schema.note);
    auto fields = fields_of(schema);
    if (fields.empty()) continue;
    out += "| field | type |\n| --- | --- |\n";
    for (const auto& field : fields) out += fmt::format("| `{}` | {} |\n", field.name, field.type);
  }
  return out;
}

}  // namespace schedlens::api
