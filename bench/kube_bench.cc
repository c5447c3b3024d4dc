// SPDX-License-Identifier: Apache-2.0
// What a large Kubernetes cluster costs once its API server has sent it: NODES nodes and PODS pods,
// made from real ones under other names, are decoded and kept, made a Snapshot, every waiting pod
// is explained and the metrics page is written; then CHANGES pods change, as a watch brings them.
// At last WAITING pods of SHAPES different specs wait, a third of them with pod affinity, a third
// with anti-affinity and a third with spread constraints.
//
//   kube_bench [NODES [PODS [CHANGES [WAITING [SHAPES]]]]] [details]
//
// 5000 50000 1000 5000 300 unless given. With "details" pods and nodes are kept in the detail of
// kube-state-metrics, and its page is written.
//
// Prints CPU seconds and resident memory. Targets: 300 MB at 100,000 pods. For comparison,
// kube-state-metrics (main of 2026-08) took 592 MB and 3.1-3.3 s of CPU a scrape for 50,000 pods of
// this kind, without nodes' free resources, explanations or the scheduler's view.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <protozero/pbf_reader.hpp>
#include <protozero/pbf_writer.hpp>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/gzip.h"
#include "base/gzip_stream.h"
#include "diagnose/explain.h"
#include "kube/store.h"
#include "metrics/kube_state.h"
#include "metrics/render.h"
#include "model/kubernetes.h"
#include "model/pod.h"
#include "process_use.h"

using namespace schedlens;
using namespace schedlens::bench;

namespace {

// The objects of a list as the API server sends it.
std::vector<std::string> objects(const std::string& name) {
  std::ifstream file(std::string(SCHEDLENS_FIXTURES) + "/kube/" + name, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  const auto data = gunzip(text.str(), std::size_t{64} << 20).value_or("");
  std::vector<std::string> items;
  if (data.size() < 4) return items;
  protozero::pbf_reader envelope(data.data() + 4, data.size() - 4);
  while (envelope.next(2)) {
    auto list = envelope.get_message();
    while (list.next(2)) items.push_back(list.get_bytes());
  }
  return items;
}

// The message with the text fields of one of its members replaced.
std::string with_texts(const std::string& message, std::uint32_t member,
                       const std::vector<std::pair<std::uint32_t, std::string>>& texts) {
  std::string out;
  protozero::pbf_writer writer(out);
  protozero::pbf_reader reader(message);
  while (reader.next()) {
    const auto tag = reader.tag();
    if (tag != member) {
      writer.add_bytes(tag, reader.get_bytes());
      continue;
    }
    auto inner = reader.get_message();
    protozero::pbf_writer changed(writer, member);
    while (inner.next()) {
      const auto field = inner.tag();
      const bool replaced = std::any_of(texts.begin(), texts.end(),
                                        [&](const auto& text) { return text.first == field; });
      if (replaced) {
        inner.skip();
      } else if (inner.wire_type() == protozero::pbf_wire_type::varint) {
        changed.add_uint64(field, inner.get_uint64());
      } else {
        changed.add_bytes(field, inner.get_bytes());
      }
    }
    for (const auto& [field, text] : texts) changed.add_string(field, text);
  }
  return out;
}

std::string named(const std::string& object, const std::string& name) {
  return with_texts(object, 1, {{1, name}, {5, "uid-of-" + name}});
}

constexpr int kApps = 400;

std::string app(int i) {
  return fmt::format("app-{}", i % kApps);
}

// The pod with a label more.
std::string labelled(const std::string& object, const std::string& value) {
  std::string label;
  protozero::pbf_writer entry(label);
  entry.add_string(1, "app");
  entry.add_string(2, value);
  std::string out;
  protozero::pbf_writer writer(out);
  protozero::pbf_reader reader(object);
  while (reader.next()) {
    const auto tag = reader.tag();
    auto bytes = reader.get_bytes();
    if (tag == 1) protozero::pbf_writer(bytes).add_bytes(11, label);
    writer.add_bytes(tag, bytes);
  }
  return out;
}

// Two of a hundred wait; the rest run, spread over the nodes.
std::string pod(const std::vector<std::string>& real, int i, int nodes) {
  auto made = named(real[static_cast<std::size_t>(i) % real.size()], fmt::format("pod-{:06}", i));
  made = labelled(made, app(i));
  const bool waits = i % 50 == 0;
  made = with_texts(made, 2, {{10, waits ? "" : fmt::format("node-{:05}", i % nodes)}});
  return with_texts(made, 3, {{1, waits ? "Pending" : "Running"}});
}

// A spec of a number of its own, with terms about the pods of one app.
model::PodSpecPtr waiting_spec(const model::PodSpec& base, int shape) {
  auto spec = std::make_shared<model::PodSpec>(base);
  spec->request.set(model::names::kKubeCpu, 100 + shape);
  model::LabelSelector selector;
  selector.all.push_back({Symbol("app"), model::LabelOperator::kIn, {app(shape)}});
  model::PodAffinityTerm term;
  term.pods = selector;
  term.topology_key = Symbol("kubernetes.io/hostname");
  if (shape % 3 == 0) spec->affinity.push_back(term);
  if (shape % 3 == 1) spec->anti_affinity.push_back(term);
  if (shape % 3 == 2) {
    model::SpreadConstraint spread;
    spread.topology_key = term.topology_key;
    spread.pods = selector;
    spec->spread.push_back(spread);
  }
  return spec;
}

// The cluster with the first pods waiting.
model::Snapshot with_waiting(const model::Snapshot& snapshot, int count, int shapes) {
  model::Snapshot s = snapshot;
  std::vector<model::PodSpecPtr> specs;
  for (int i = 0; i < shapes; ++i) {
    specs.push_back(waiting_spec(*std::as_const(s.workloads).front().pod->spec, i));
  }
  for (std::size_t i = 0; i < std::min(s.workloads.size(), static_cast<std::size_t>(count)); ++i) {
    auto& w = s.workloads[i];
    auto pod = std::make_shared<model::Pod>(*w.pod);
    pod->spec = specs[i % specs.size()];
    pod->request = pod->spec->request;
    pod->node_name = {};
    pod->phase = model::PodPhase::kPending;
    pod->conditions.clear();
    pod->group.clear();
    pod->gates.clear();
    pod->nominated_node = {};
    w.pod = pod;
    w.state = model::WorkloadState::kPending;
    w.allocation = {};
  }
  s.build_index();
  return s;
}

template <class Body>
void measured(const char* what, Body&& body) {
  const auto before = cpu_seconds();
  body();
  std::printf("%-40s %8.3f s CPU, %7.1f MB resident\n", what, cpu_seconds() - before,
              resident_megabytes());
}

}  // namespace

int main(int argc, char** argv) {
  const int node_count = argc > 1 ? std::atoi(argv[1]) : 5'000;
  const int pod_count = argc > 2 ? std::atoi(argv[2]) : 50'000;
  const int changes = argc > 3 ? std::atoi(argv[3]) : 1'000;
  const int waiting = argc > 4 ? std::atoi(argv[4]) : 5'000;
  const int shapes = argc > 5 ? std::atoi(argv[5]) : 300;
  if (node_count < 1 || pod_count < 1 || changes < 0 || waiting < 0 || shapes < 1) return 2;
  const auto real_nodes = objects("nodes.pb.gz");
  const auto real_pods = objects("pods.pb.gz");
  if (real_nodes.empty() || real_pods.empty()) return 1;
  std::printf("%d nodes, %d pods\n", node_count, pod_count);

  const bool details = std::string_view(argv[argc - 1]) == "details";
  model::StateChoice choice;
  if (details && !model::read_state_kinds("pods,nodes", choice)) return 2;

  kube::Store store;
  store.keep_details(choice);
  std::size_t bytes = 0;
  measured("decode and keep (with making the input)", [&] {
    auto& nodes = *store.sink("nodes");
    nodes.begin_list();
    for (int i = 0; i < node_count; ++i) {
      const auto& real = real_nodes[static_cast<std::size_t>(i) % real_nodes.size()];
      if (!nodes.take(named(real, fmt::format("node-{:05}", i)))) std::abort();
    }
    nodes.end_list();
    auto& pods = *store.sink("pods");
    pods.begin_list();
    for (int i = 0; i < pod_count; ++i) {
      const auto made = pod(real_pods, i, node_count);
      bytes += made.size();
      if (!pods.take(made)) std::abort();
    }
    pods.end_list();
  });
  std::printf("%.1f MB of protobuf for the pods\n", static_cast<double>(bytes) / 1e6);

  auto snapshot = std::make_shared<model::Snapshot>();
  const auto make = [&] {
    auto next = std::make_shared<model::Snapshot>();
    auto kubernetes = std::make_shared<model::Kubernetes>();
    store.fill(*next, *kubernetes);
    next->time = Timestamp{1'796'009'400};
    next->kubernetes = std::move(kubernetes);
    next->build_index();
    snapshot = std::move(next);
  };
  measured("make a snapshot", make);
  metrics::Analysis analysis;
  measured("explain all, holdings, fragmentation", [&] { analysis = metrics::analyse(*snapshot); });
  std::size_t page = 0;
  measured("write the metrics page", [&] {
    metrics::RenderInput input{.now = snapshot->time, .version = "bench", .analysis = &analysis};
    metrics::render(snapshot.get(), input, [&](std::string_view piece) { page += piece.size(); });
  });
  std::printf("%.2f MB of metrics\n", static_cast<double>(page) / 1e6);
  if (details) {
    std::size_t plain = 0, packed = 0;
    const auto write = [&](auto sink) {
      std::string piece;
      for (metrics::KubeStatePage written(*snapshot, choice, {}); written.next(piece);) sink(piece);
    };
    measured("write the page of kube-state-metrics",
             [&] { write([&](std::string_view piece) { plain += piece.size(); }); });
    measured("write and compress it", [&] {
      std::string body;
      GzipStream gzip(1);
      write([&](std::string_view piece) { gzip.add(piece, body); });
      gzip.finish(body);
      packed = body.size();
    });
    std::printf("%.1f MB, %.1f MB compressed\n", static_cast<double>(plain) / 1e6,
                static_cast<double>(packed) / 1e6);
  }
  measured(fmt::format("{} pods change", changes).c_str(), [&] {
    for (int i = 0; i < changes; ++i) {
      if (!store.sink("pods")->take(pod(real_pods, i, node_count))) std::abort();
    }
  });
  measured("make the next snapshot, the last still held", make);
  std::printf("peak %.1f MB resident; a pod's Workload %zu bytes, its Pod %zu\n", peak_megabytes(),
              sizeof(model::Workload), sizeof(model::Pod));

  const auto crowded = with_waiting(*snapshot, waiting, shapes);
  std::map<std::string_view, int> causes;
  measured(fmt::format("{} waiting pods of {} shapes explained", waiting, shapes).c_str(), [&] {
    diagnose::Explainer explainer(crowded);
    for (auto id : crowded.pending()) ++causes[diagnose::cause_name(explainer.classify(id))];
  });
  for (const auto& [cause, count] : causes) fmt::print("{} {}  ", count, cause);
  fmt::print("\n");
}
