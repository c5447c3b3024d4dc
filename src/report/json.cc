// SPDX-License-Identifier: Apache-2.0
#include "base/json_writer.h"
#include "report/week.h"

namespace schedlens::report {
namespace {

constexpr int kVersion = 1;

std::string_view unit_name(Unit unit) {
  switch (unit) {
    case Unit::kSeconds:
      return "seconds";
    case Unit::kShare:
      return "share";
    case Unit::kGpuHours:
      return "gpu_hours";
    case Unit::kHours:
      return "hours";
    case Unit::kNumber:
      break;
  }
  return "number";
}

void write_cell(JsonWriter& json, const Cell& cell) {
  json.object([&] {
    json.field("text", shown(cell));
    json.field("value", cell.is_number ? cell.value : std::nullopt);
    json.key("unit");
    if (cell.is_number) {
      json.value(unit_name(cell.unit));
    } else {
      json.null();
    }
  });
}

void write_table(JsonWriter& json, const Table& table) {
  json.object([&] {
    json.field("title", table.title);
    json.key("columns");
    json.array([&] {
      for (const auto& column : table.columns) json.value(column.title);
    });
    json.key("rows");
    json.array([&] {
      for (const auto& row : table.rows) {
        json.object([&] {
          json.key("cells");
          json.array([&] {
            for (const auto& cell : row) write_cell(json, cell);
          });
        });
      }
    });
  });
}

void write_plot(JsonWriter& json, const Plot& plot) {
  json.object([&] {
    json.field("title", plot.title);
    json.field("kind", plot.kind == Plot::Kind::kBars ? "bars" : "line");
    json.field("unit", unit_name(plot.unit));
    json.key("names");
    json.array([&] {
      for (const auto& name : plot.names) json.value(name);
    });
    json.key("values");
    json.array([&] {
      for (const auto& value : plot.values) json.value(value);
    });
  });
}

void write_section(JsonWriter& json, const Section& section) {
  json.object([&] {
    json.field("measure", section.anchor);
    json.field("title", section.title);
    json.key("said");
    json.array([&] {
      for (const auto& sentence : section.said) json.value(sentence);
    });
    json.key("tables");
    json.array([&] {
      for (const auto& table : section.tables) write_table(json, table);
    });
    json.key("plots");
    json.array([&] {
      for (const auto& plot : section.plots) write_plot(json, plot);
    });
    json.field("how", section.how);
  });
}

}  // namespace

std::string json(const Document& d) {
  JsonWriter json(2);
  json.object([&] {
    json.field("version", kVersion);
    json.field("title", d.title);
    json.field("from", d.from);
    json.field("to", d.to);
    json.field("made", d.made);
    json.key("notes");
    json.array([&] {
      for (const auto& note : d.notes) json.value(note);
    });
    json.key("sections");
    json.array([&] {
      for (const auto& section : d.sections) write_section(json, section);
    });
  });
  return json.take() + "\n";
}

}  // namespace schedlens::report
