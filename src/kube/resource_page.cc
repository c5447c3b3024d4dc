// SPDX-License-Identifier: Apache-2.0
#include "kube/resource_page.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "kube/measured.h"
#include "kube/metrics_text.h"

namespace schedlens::kube {
namespace {

enum class Of : std::uint8_t { kContainer, kPod, kNode, kTrouble };
enum class What : std::uint8_t { kCpu, kMemory, kStart };

struct Name {
  std::string_view name;
  Of of = Of::kContainer;
  What what = What::kCpu;
};

constexpr auto kNames = std::to_array<Name>({
    {"container_cpu_usage_seconds_total", Of::kContainer, What::kCpu},
    {"container_memory_working_set_bytes", Of::kContainer, What::kMemory},
    {"container_start_time_seconds", Of::kContainer, What::kStart},
    {"pod_cpu_usage_seconds_total", Of::kPod, What::kCpu},
    {"pod_memory_working_set_bytes", Of::kPod, What::kMemory},
    {"node_cpu_usage_seconds_total", Of::kNode, What::kCpu},
    {"node_memory_working_set_bytes", Of::kNode, What::kMemory},
    {"resource_scrape_error", Of::kTrouble, What::kCpu},
    {"scrape_error", Of::kTrouble, What::kCpu},  // its name before 1.29
});

const Name* find_name(std::string_view text) {
  for (const auto& name : kNames) {
    if (name.name == text) return &name;
  }
  return nullptr;
}

// Old cAdvisor has the second name.
std::string_view either(const Sample& s, std::string_view key, std::string_view old_key) {
  const auto text = s.label(key);
  return text.empty() ? s.label(old_key) : text;
}

class PageReader {
 public:
  void take(const Sample& s) {
    const auto& name = *find_name(s.name);
    if (name.of == Of::kTrouble) {
      page.scrape_failed |= s.value != 0;
      return;
    }
    // Not a number, or less than none: nothing was measured.
    if (!(s.value >= 0 && s.value <= kMostMeasured)) return;
    if (auto* counters = place(s, name.of)) put(s, name.what, *counters);
  }

  ResourcePage page;
  bool any = false;

 private:
  Counters* place(const Sample& s, Of of) {
    any = true;
    if (of == Of::kNode) return &page.node;
    const auto ns = either(s, "namespace", "pod_namespace");
    const auto name = either(s, "pod", "pod_name");
    if (name.empty()) {
      // The root of cAdvisor's tree is the node.
      return of == Of::kContainer && s.label("id") == "/" ? &page.node : nullptr;
    }
    auto& pod = pod_of(ns, name);
    if (of == Of::kPod) return &pod.whole;
    const auto container = either(s, "container", "container_name");
    if (container == "POD") return nullptr;  // the pause container
    if (container.empty()) return is_group_of_pod(s.label("id")) ? &pod.whole : nullptr;
    return &container_of(pod, container, s.label("id"));
  }

  // ".../kubepods/burstable/pod1234", not a container's group below it without a name.
  static bool is_group_of_pod(std::string_view id) {
    const auto last = id.substr(id.rfind('/') + 1);
    return last.find("pod") != std::string_view::npos;
  }

  PodCounters& pod_of(std::string_view ns, std::string_view name) {
    key_.assign(ns).append(1, '/').append(name);
    const auto [at, is_new] = places_.try_emplace(key_, page.pods.size());
    if (is_new) page.pods.push_back({std::string(ns), std::string(name), {}, {}});
    return page.pods[at->second];
  }

  static Counters& container_of(PodCounters& pod, std::string_view name, std::string_view id) {
    const auto at = std::find_if(pod.containers.begin(), pod.containers.end(),
                                 [&](const auto& c) { return c.name == name && c.id == id; });
    if (at != pod.containers.end()) return at->counters;
    return pod.containers.emplace_back(ContainerCounters{std::string(name), std::string(id), {}})
        .counters;
  }

  static void put(const Sample& s, What what, Counters& counters) {
    switch (what) {
      case What::kCpu:
        put_cpu(s, counters);
        break;
      case What::kMemory:
        counters.memory = s.value;
        break;
      case What::kStart:
        // A start in the year 1 is the zero of a clock that nobody set; it comes as a negative
        // number or, cut off, as 0.
        if (s.value > 0) counters.started = s.value;
        break;
    }
  }

  // A line of one CPU alone is part of the one for all, which kubelets always have.
  static void put_cpu(const Sample& s, Counters& counters) {
    const auto cpu = s.label("cpu");
    if (!cpu.empty() && cpu != "total") return;
    counters.cpu_seconds = s.value;
    counters.at_ms = s.time_ms;
  }

  std::unordered_map<std::string, std::size_t> places_;
  std::string key_;
};

}  // namespace

Result<ResourcePage> read_resource_page(std::string_view text) {
  PageReader reader;
  const auto facts = read_metrics_text(
      text, [](std::string_view name) { return find_name(name) != nullptr; },
      [&](const Sample& s) { reader.take(s); });
  if (!reader.any) {
    return fail("no measured use on the page{}{}; is it another program's?",
                facts.first_error.empty() ? "" : ": ", facts.first_error);
  }
  reader.page.unreadable = facts.unreadable;
  return std::move(reader.page);
}

}  // namespace schedlens::kube
