// SPDX-License-Identifier: Apache-2.0
// What a large Kubernetes cluster costs once its API server has sent it: NODES nodes and PODS pods,
// made from real ones under other names, are decoded and kept, made a Snapshot, every waiting pod
// is explained and the metrics page is written; then CHANGES pods change, as a watch brings them.
//
//   kube_bench [NODES [PODS [CHANGES [details]]]]      default: 5000 50000 1000
//
// With "details" pods and nodes are kept in the detail of kube-state-metrics, and its page is
// written.
//
// Prints CPU seconds and resident memory. Targets: 300 MB at 100,000 pods. For comparison,
// kube-state-metrics (main of 2026-08) took 592 MB and 3.1-3.3 s of CPU a scrape for 50,000 pods of
// this kind, without nodes' free resources, explanations or the scheduler's view.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <protozero/pbf_reader.hpp>
#include <protozero/pbf_writer.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "base/gzip.h"
#include "base/gzip_stream.h"
#include "kube/store.h"
#include "metrics/kube_state.h"
#include "metrics/render.h"
#include "model/kubernetes.h"
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

// Two of a hundred wait; the rest run, spread over the nodes.
std::string pod(const std::vector<std::string>& real, int i, int nodes) {
  auto made = named(real[static_cast<std::size_t>(i) % real.size()], fmt::format("pod-{:06}", i));
  const bool waits = i % 50 == 0;
  made = with_texts(made, 2, {{10, waits ? "" : fmt::format("node-{:05}", i % nodes)}});
  return with_texts(made, 3, {{1, waits ? "Pending" : "Running"}});
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
  if (node_count < 1 || pod_count < 1 || changes < 0) return 2;
  const auto real_nodes = objects("nodes.pb.gz");
  const auto real_pods = objects("pods.pb.gz");
  if (real_nodes.empty() || real_pods.empty()) return 1;
  std::printf("%d nodes, %d pods\n", node_count, pod_count);

  const bool details = argc > 4 && std::string_view(argv[4]) == "details";
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
    const auto write = [&](auto sink) { metrics::write_kube_state(*snapshot, choice, {}, sink); };
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
  std::printf("peak %.1f MB resident\n", peak_megabytes());
}
