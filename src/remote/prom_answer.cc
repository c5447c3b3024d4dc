// SPDX-License-Identifier: Apache-2.0
#include "remote/prom_answer.h"

#include <simdjson.h>

#include <cmath>
#include <limits>
#include <optional>

#include "base/text.h"

namespace schedlens::remote {
namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

// "NaN", "+Inf" and numbers.
std::optional<double> read_value(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  if (text == "Inf") return HUGE_VAL;
  if (text == "-Inf") return -HUGE_VAL;
  if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
  return parse_number<double>(text);
}

// Throws what simdjson throws.
memory::SeriesKey read_key(object metric) {
  std::string name;
  memory::Labels labels;
  for (const auto [label, value] : metric) {
    const std::string text(value.get_string().value());
    if (label == "__name__") {
      name = text;
    } else {
      labels.emplace_back(label, text);
    }
  }
  return memory::make_key(std::move(name), std::move(labels));
}

memory::SeriesPoints read_points(object result) {
  memory::SeriesPoints series{read_key(result["metric"].get_object()), {}};
  const array pairs = result["values"].get_array();
  for (const auto pair : pairs) {
    const auto value = read_value(pair.at(1).get_string().value());
    if (!value) continue;
    const auto time = std::llround(pair.at(0).get_double().value() * 1000);
    series.points.push_back({{time}, *value});
  }
  return series;
}

template <class Data>
void read_warnings(object answer, PromAnswer<Data>& out) {
  array warnings;
  if (!answer["warnings"].get_array().get(warnings)) {
    for (const auto warning : warnings) {
      out.warnings.push_back(printable(warning.get_string().value()));
    }
  }
  // As VictoriaMetrics says it.
  bool partial = false;
  if (!answer["isPartial"].get_bool().get(partial) && partial) {
    out.warnings.emplace_back("the answer is not complete, as a part of the store did not answer");
  }
}

std::string error_of(object answer) {
  std::string_view type, text;
  if (answer["error"].get_string().get(text)) return "";
  if (answer["errorType"].get_string().get(type) || type.empty()) return printable(text);
  return fmt::format("{}: {}", printable(type), printable(text));
}

template <class Data, class Read>
Result<PromAnswer<Data>> read_answer(std::string_view document, Read read) {
  try {
    simdjson::dom::parser parser;
    const object answer = parser.parse(document.data(), document.size()).get_object();
    if (answer["status"].get_string().value() != "success") {
      return fail("{}", error_of(answer));
    }
    PromAnswer<Data> out;
    read_warnings(answer, out);
    read(answer["data"].value(), out.data);
    return out;
  } catch (const simdjson::simdjson_error& e) {
    return fail("this is no answer of Prometheus: {}", e.what());
  }
}

}  // namespace

Result<PromAnswer<memory::SeriesPoints>> read_matrix(std::string_view document) {
  return read_answer<memory::SeriesPoints>(document, [](element data, auto& out) {
    const array results = data["result"].get_array();
    for (const auto result : results) {
      out.push_back(read_points(result.get_object()));
    }
  });
}

Result<PromAnswer<memory::SeriesKey>> read_series(std::string_view document) {
  return read_answer<memory::SeriesKey>(document, [](element data, auto& out) {
    const array metrics = data.get_array();
    for (const auto metric : metrics) {
      out.push_back(read_key(metric.get_object()));
    }
  });
}

std::string read_error(std::string_view document) {
  simdjson::dom::parser parser;
  object answer;
  if (parser.parse(document.data(), document.size()).get_object().get(answer)) return "";
  return error_of(answer);
}

}  // namespace schedlens::remote
