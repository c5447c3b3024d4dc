// SPDX-License-Identifier: Apache-2.0
#include "diagnose/limit_text.h"

#include <fmt/format.h>

#include <cmath>

#include "base/time_text.h"
#include "base/units.h"

namespace schedlens::diagnose {
namespace {

std::string amount(const ReachedLimit& limit, double value) {
  if (std::isinf(value)) return "unlimited time";
  if (limit.unit == "minutes") {
    return short_duration(Seconds{std::llround(value * 60)});
  }
  bool over_time = limit.name.find("Mins") != std::string::npos;
  if (limit.unit == "bytes") {
    auto text = short_bytes(Bytes{std::llround(value)});
    return over_time ? text + "-minutes" : text;
  }
  auto number =
      value == std::floor(value) ? fmt::format("{:.0f}", value) : fmt::format("{:.1f}", value);
  if (limit.unit == "jobs") return fmt::format("{} {}", number, value == 1 ? "job" : "jobs");
  auto text = fmt::format("{} {}", number, limit.resource.view());
  return over_time ? text + "-minutes" : text;
}

}  // namespace

std::string limit_sentence(const ReachedLimit& limit) {
  if (limit.name.starts_with("Min")) {
    return fmt::format("{} wants at least {} ({}), and the job asks for {}", limit.holder,
                       amount(limit, limit.limit), limit.name, amount(limit, limit.requested));
  }
  auto text =
      fmt::format("{} allows {} ({})", limit.holder, amount(limit, limit.limit), limit.name);
  if (limit.request_alone_exceeds) {
    return text + fmt::format(", and the job alone asks for {}: waiting does not help",
                              amount(limit, limit.requested));
  }
  if (limit.used) text += fmt::format(", {} in use", amount(limit, *limit.used));
  if (limit.unit != "jobs") {
    text += fmt::format(", and the job asks for {}", amount(limit, limit.requested));
  }
  return text;
}

}  // namespace schedlens::diagnose
