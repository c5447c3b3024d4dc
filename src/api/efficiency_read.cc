// SPDX-License-Identifier: Apache-2.0
// The counts of a server, read back from its document.
#include <simdjson.h>

#include "api/efficiency_view.h"

namespace schedlens::api {
namespace {

using metrics::EfficiencyCounts;
using simdjson::dom::element;

std::string text(element e, std::string_view name) {
  std::string_view value;
  return e[name].get(value) == simdjson::SUCCESS ? std::string(value) : std::string();
}

double number(element e, std::string_view name) {
  double value = 0;
  return e[name].get(value) == simdjson::SUCCESS ? value : 0;
}

std::int64_t integer(element e, std::string_view name) {
  std::int64_t value = 0;
  return e[name].get(value) == simdjson::SUCCESS ? value : 0;
}

template <class Body>
void each(element e, std::string_view name, Body&& body) {
  simdjson::dom::array list;
  if (e[name].get(list) != simdjson::SUCCESS) return;
  for (element item : list) body(item);
}

metrics::PreemptionKind kind_of(element e) {
  return {Symbol(text(e, "victim_queue")), Symbol(text(e, "victim_class")),
          Symbol(text(e, "preemptor_queue")), Symbol(text(e, "preemptor_class"))};
}

void read_times(element e, EfficiencyCounts& counts) {
  each(e, "time", [&](element item) {
    const auto name = text(item, "state");
    for (std::size_t i = 0; i < diagnose::kGpuStates; ++i) {
      const auto state = static_cast<diagnose::GpuState>(i);
      if (diagnose::gpu_state_name(state) != name) continue;
      counts.gpu_seconds[{state, text(item, "cause")}] = number(item, "gpu_seconds");
    }
  });
  each(e, "lost", [&](element item) {
    const auto name = text(item, "cause");
    for (std::size_t i = 0; i < counts.lost.size(); ++i) {
      if (loss_name(static_cast<metrics::LossCause>(i)) != name) continue;
      counts.lost[i] = {static_cast<std::uint64_t>(integer(item, "runs")),
                        number(item, "gpu_seconds")};
    }
  });
}

}  // namespace

Result<std::optional<EfficiencyCounts>> read_counts(std::string_view document) {
  simdjson::dom::parser parser;
  element root, e;
  if (auto error = parser.parse(document.data(), document.size()).get(root)) {
    return fail("the server's answer is no JSON: {}", simdjson::error_message(error));
  }
  if (root["counted"].get(e) != simdjson::SUCCESS || e.is_null()) {
    return std::optional<EfficiencyCounts>();
  }
  EfficiencyCounts counts;
  counts.since = Timestamp{integer(e, "since")};
  counts.until = Timestamp{integer(e, "until")};
  read_times(e, counts);
  counts.unseen = {static_cast<std::uint64_t>(integer(e, "unseen_runs")),
                   number(e, "unseen_gpu_seconds")};
  each(e, "preemptions", [&](element item) {
    counts.preemptions[kind_of(item)] = static_cast<std::uint64_t>(integer(item, "count"));
  });
  each(e, "latest", [&](element item) {
    metrics::Preemption p;
    p.when = Timestamp{integer(item, "when")};
    p.victim = text(item, "victim");
    p.preemptor = text(item, "preemptor");
    p.kind = kind_of(item);
    bool inferred = false;
    p.inferred = item["inferred"].get(inferred) == simdjson::SUCCESS && inferred;
    p.gpus = static_cast<std::uint64_t>(integer(item, "gpus"));
    double seconds = 0;
    if (item["gpu_seconds"].get(seconds) == simdjson::SUCCESS) p.gpu_seconds = seconds;
    counts.latest.push_back(std::move(p));
  });
  return std::optional(std::move(counts));
}

}  // namespace schedlens::api
