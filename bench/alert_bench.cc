// SPDX-License-Identifier: Apache-2.0
// What an evaluation of the stock rules costs on a large cluster: finding the samples on the page,
// evaluating, and writing down the state.
#include <fmt/format.h>

#include <chrono>

#include "alert/engine.h"
#include "alert/rule_set.h"

using namespace schedlens;
using namespace schedlens::alert;

namespace {

// The page of 10,000 nodes and 2,000 namespaces: 350,000 series, of which rules read 21,000.
std::string page_at(int minute) {
  std::string page;
  auto add = [&](const std::string& series, double value) {
    page += fmt::format("{} {}\n", series, value);
  };
  for (int node = 0; node < 10'000; ++node) {
    for (int i = 0; i < 33; ++i) {
      add(fmt::format("schedlens_node_other_{}{{node=\"node-{:05}\"}}", i, node), node + minute);
    }
    if (node < 2'000) {
      add(fmt::format("schedlens_node_out_of_service_info{{node=\"node-{:05}\",state=\"down\","
                      "reason=\"\"}}",
                      node),
          1);
      add(fmt::format(
              "schedlens_node_out_of_service_since_timestamp_seconds{{node=\"node-{:05}\"}}", node),
          1);
      add(fmt::format(
              "schedlens_node_devices_unhealthy{{node=\"node-{:05}\",resource=\"nvidia.com/gpu\"}}",
              node),
          1);
    }
  }
  for (int space = 0; space < 2'000; ++space) {
    add(fmt::format("schedlens_namespace_gpus_busy{{namespace=\"team-{}\"}}", space), space % 8);
    add(fmt::format("schedlens_namespace_gpus_measured{{namespace=\"team-{}\"}}", space), 8);
    add(fmt::format("schedlens_permit_waiting_oldest_seconds{{namespace=\"team-{}\"}}", space),
        space);
  }
  for (int kind = 0; kind < 9'000; ++kind) {
    add(fmt::format("schedlens_preemptions_total{{victim_queue=\"{}\",victim_class=\"a\",preemptor_"
                    "queue=\"b\",preemptor_class=\"c\"}}",
                    kind),
        minute * kind);
  }
  add("schedlens_nodes{state=\"down\"}", 2'000);
  add("schedlens_cluster_nodes", 10'000);
  return page;
}

template <class Do>
double milliseconds(Do&& act) {
  const auto begin = std::chrono::steady_clock::now();
  act();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
      .count();
}

}  // namespace

int main() {
  Engine engine(load_rules(stock_rules()).value().rules);
  double parse = 0, evaluate = 0, bytes = 0;
  constexpr int kRounds = 10;
  for (int minute = 0; minute < kRounds; ++minute) {
    const auto page = page_at(minute);
    bytes += static_cast<double>(page.size());
    Input input;
    input.time = {1'700'000'000 + minute * 60};
    parse += milliseconds([&] { input.samples = parse_page(page, engine.metrics()); });
    input.sources = sources_of(input.samples);
    if (minute == 0)
      fmt::print("{} rules, {} samples of a page of {:.1f} MB\n", engine.rules().size(),
                 input.samples.size(), bytes / 1e6);
    evaluate += milliseconds([&] { engine.evaluate(input); });
  }
  std::string state;
  const auto save = milliseconds([&] { state = engine.save(); });
  const auto restore = milliseconds([&] { (void)engine.restore(state); });
  fmt::print("find samples {:.1f} ms ({:.0f} MB/s), evaluate {:.1f} ms\n", parse / kRounds,
             bytes / 1e3 / parse, evaluate / kRounds);
  fmt::print("{} alerts; state {:.0f} KB, saved in {:.1f} ms, restored in {:.1f} ms\n",
             engine.alerts().size(), static_cast<double>(state.size()) / 1e3, save, restore);
  return 0;
}
