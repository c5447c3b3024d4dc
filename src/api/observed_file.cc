// SPDX-License-Identifier: Apache-2.0
#include "api/observed_file.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <charconv>
#include <optional>

#include "api/json_parts.h"
#include "api/json_views.h"

namespace schedlens::api {
namespace {

using diagnose::Observed;
using simdjson::dom::array;
using simdjson::dom::element;

constexpr std::string_view kWhat = "what was observed";

void write_run_times(JsonWriter& json, const diagnose::RunTimes& times) {
  json.object([&] {
    json.field("observed", times.size());
    json.key("kinds");
    json.array([&] {
      for (const auto& known : times.known()) {
        json.object([&] {
          json.field("kind", fmt::format("{:016x}", known.first));
          json.key("parts");
          json.array([&] {
            for (auto part : known.second) json.value(static_cast<double>(part));
          });
        });
      }
    });
  });
}

void write_class_waits(JsonWriter& json, const diagnose::ClassWaits& waits) {
  json.array([&] {
    for (const auto& known : waits.all()) {
      const auto& c = known.first;
      json.object([&] {
        json.field("queue", c.queue);
        json.field("gpus", c.gpus);
        json.field("size", c.size);
        json.key("starts");
        json.array([&] {
          for (const auto& s : known.second) {
            json.object([&] {
              json.field("eligible", s.eligible);
              json.field("start", s.start);
              json.field("priority", s.priority);
            });
          }
        });
      });
    }
  });
}

std::optional<std::uint64_t> parse_kind(std::string_view hexadecimal) {
  std::uint64_t kind = 0;
  const auto* end = hexadecimal.data() + hexadecimal.size();
  auto [read, error] = std::from_chars(hexadecimal.data(), end, kind, 16);
  if (error != std::errc() || read != end) return std::nullopt;
  return kind;
}

Result<diagnose::RunTimes> read_run_times(element root) {
  std::uint64_t observed = 0;
  array kinds;
  if (root["run_times"]["observed"].get(observed) || root["run_times"]["kinds"].get(kinds)) {
    return fail("{}: /run_times: observed or kinds is missing", kWhat);
  }
  diagnose::RunTimes::Known known;
  for (auto item : kinds) {
    std::string_view name;
    array parts;
    const auto place = known.size();
    const auto kind = item["kind"].get(name) ? std::nullopt : parse_kind(name);
    if (!kind || item["parts"].get(parts)) {
      return fail("{}: /run_times/kinds/{}: kind or parts is missing", kWhat, place);
    }
    auto& [id, list] = known.emplace_back();
    id = *kind;
    for (auto part : parts) {
      double value = 0;
      if (part.get(value) || value < 0 || value > 1) {
        return fail("{}: /run_times/kinds/{}/parts: expected numbers from 0 to 1", kWhat, place);
      }
      list.push_back(static_cast<float>(value));
    }
  }
  return diagnose::RunTimes::of(known, observed);
}

Result<diagnose::ClassWaits> read_class_waits(element root) {
  array classes;
  if (root["class_waits"].get(classes)) return fail("{}: /class_waits is missing", kWhat);
  diagnose::ClassWaits waits;
  std::size_t place = 0;
  for (auto item : classes) {
    std::string_view queue;
    diagnose::WaitClass c;
    std::uint64_t size = 0;
    array starts;
    if (item["queue"].get(queue) || item["gpus"].get(c.gpus) || item["size"].get(size) ||
        item["starts"].get(starts)) {
      return fail("{}: /class_waits/{}: expected queue, gpus, size and starts", kWhat, place);
    }
    c.queue = Symbol(queue);
    c.size = static_cast<std::uint32_t>(size);
    for (auto start : starts) {
      std::int64_t eligible = 0, began = 0, priority = 0;
      if (start["eligible"].get(eligible) || start["start"].get(began) ||
          start["priority"].get(priority)) {
        return fail("{}: /class_waits/{}/starts: expected eligible, start and priority", kWhat,
                    place);
      }
      waits.add(c, {{eligible}, {began}, priority});
    }
    ++place;
  }
  return waits;
}

}  // namespace

void write_observed(JsonWriter& json, const Observed& observed) {
  json.object([&] {
    json.field("version", kViewVersion);
    json.key("run_times");
    write_run_times(json, observed.run_times);
    json.key("class_waits");
    write_class_waits(json, observed.class_waits);
    write_list(json, "lateness", observed.lateness.newest());
  });
}

Result<Observed> read_observed(std::string_view document) {
  simdjson::dom::parser parser;
  element root;
  if (auto error = parser.parse(simdjson::padded_string(document)).get(root)) {
    return fail("{}: no JSON: {}", kWhat, simdjson::error_message(error));
  }
  auto times = read_run_times(root);
  if (!times) return fail(times.error());
  auto waits = read_class_waits(root);
  if (!waits) return fail(waits.error());
  Observed observed{std::move(*times), std::move(*waits), {}};
  array ratios;
  if (root["lateness"].get(ratios)) return fail("{}: /lateness is missing", kWhat);
  for (auto ratio : ratios) {
    double value = 0;
    if (ratio.get(value)) return fail("{}: /lateness: expected numbers", kWhat);
    observed.lateness.add(value);
  }
  return observed;
}

}  // namespace schedlens::api
