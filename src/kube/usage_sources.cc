// SPDX-License-Identifier: Apache-2.0
#include "kube/usage_sources.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "kube/gpu_page.h"
#include "kube/metrics_api.h"
#include "kube/resource_page.h"
#include "kube/stats_summary.h"

namespace schedlens::kube {
namespace {

using namespace std::chrono_literals;

// A cluster gets a Metrics API once in its life.
constexpr Seconds kLookAgain{300};
constexpr Seconds kPeakSpan{300};

constexpr std::string_view kNodeName = "{node}", kNodeAddress = "{address}";

double seconds_since(std::chrono::steady_clock::time_point begin, const os::Clock& clock) {
  return std::chrono::duration<double>(clock.steady() - begin).count();
}

std::string_view path_of(KubeletPage page) {
  switch (page) {
    case KubeletPage::kSummary:
      return "/stats/summary";
    case KubeletPage::kCadvisor:
      return "/metrics/cadvisor";
    default:
      return "/metrics/resource";
  }
}

std::string right_for(KubeletReach reach) {
  return reach == KubeletReach::kProxy ? "`get` on nodes/proxy"
                                       : "`get` on nodes/metrics and nodes/stats";
}

std::int64_t now_ms(const os::Clock& clock) {
  return clock.now().unix_seconds * 1000;
}

}  // namespace

MetricsApi::MetricsApi(std::string ns, Credentials& credentials, const os::Clock& clock)
    : ns_(std::move(ns)), credentials_(credentials), clock_(clock) {
  status_.name = "metrics.k8s.io";
  status_.feeds = "usage";
}

Result<std::string> MetricsApi::page(const std::string& path, const std::stop_token& token) {
  auto request = credentials_.request(path);
  if (!request) return fail(request.error());
  request->headers.push_back("Accept: application/json");
  PageOptions options;
  options.patience = 8s;
  options.right = "`list` on pods and nodes of metrics.k8s.io";
  auto text = read_page(std::move(*request), options, clock_, token);
  if (text) bytes_ += text->size();
  return text;
}

Status MetricsApi::find(const std::stop_token& token) {
  if (!path_.empty()) return {};
  if (absent_ && looked_ && clock_.now() - *looked_ < kLookAgain) return {};
  const auto groups = page(std::string(kApiGroups), token);
  if (!groups) return fail(groups.error());
  auto path = find_metrics_api(*groups);
  if (!path) return fail(path.error().within(kApiGroups));
  looked_ = clock_.now();
  path_ = std::move(*path);
  absent_ = path_.empty();
  return {};
}

Result<Measured> MetricsApi::ask(const std::stop_token& token) {
  Measured measured;
  const auto pods =
      page(ns_.empty() ? path_ + "/pods" : path_ + "/namespaces/" + ns_ + "/pods", token);
  if (!pods) return fail(pods.error());
  if (auto read = read_pod_metrics(*pods, measured); !read)
    return fail(read.error().within("pods"));
  // Whoever may see one namespace may not see nodes; pods are worth having without them.
  status_.error.clear();
  const auto nodes = page(path_ + "/nodes", token);
  const auto read = nodes ? read_node_metrics(*nodes, measured) : Status(fail(nodes.error()));
  if (!read) {
    status_.error = read.error().within("nodes").message();
    measured.nodes = last_ ? last_->nodes : std::vector<MeasuredNode>();
  }
  return measured;
}

void MetricsApi::read(const std::stop_token& token) {
  const auto begin = clock_.steady();
  bytes_ = 0;
  const auto found = find(token);
  if (absent_ || token.stop_requested()) return;
  status_.last_attempt = clock_.now();
  ++status_.reads;
  auto measured = found ? ask(token) : Result<Measured>(fail(found.error()));
  status_.seconds = seconds_since(begin, clock_);
  if (!measured) {
    ++status_.failures;
    status_.state = last_ ? model::SourceState::kFailed : model::SourceState::kNever;
    status_.error = measured.error().message();
    path_.clear();  // it may have been taken away
    return;
  }
  status_.state = status_.error.empty() ? model::SourceState::kFresh : model::SourceState::kPartial;
  status_.bytes = bytes_;
  status_.records = measured->pods.size() + measured->nodes.size();
  status_.last_success = clock_.now();
  last_ = std::move(*measured);
}

KubeletUse::KubeletUse(const UsageOptions& options, Credentials& credentials,
                       const os::Clock& clock)
    : page_(options.page),
      options_(options.kubelets),
      credentials_(credentials),
      clock_(clock),
      round_(fmt::format("kubelets {}", path_of(page_)), "usage", "kubelets",
             right_for(options_.reach), clock) {}

Status KubeletUse::take(const model::Node& node, const std::string& text, OfNode& of_node) {
  if (page_ == KubeletPage::kSummary) {
    auto measured = read_stats_summary(text);
    if (!measured) return fail(measured.error());
    of_node.last = std::move(*measured);
    return {};
  }
  const auto page = read_resource_page(text);
  if (!page) return fail(page.error());
  of_node.last =
      of_node.rates.measure(*page, node.name.view(), now_ms(clock_),
                            page_ == KubeletPage::kCadvisor ? model::UsageView::kCadvisor
                                                            : model::UsageView::kKubeletResource);
  if (page->scrape_failed) return fail("the kubelet could not measure all");
  return {};
}

void KubeletUse::read(const Nodes& nodes, const std::stop_token& token) {
  std::set<Symbol> there;
  for (const auto& node : nodes) there.insert(node.name);
  std::erase_if(nodes_, [&](const auto& entry) { return !there.contains(entry.first); });
  round_.ask(ask_kubelets(nodes, std::string(path_of(page_)), options_, credentials_), token,
             [&](std::size_t place, const std::string& page) {
               const auto& node = nodes[place];
               return take(node, page, nodes_[node.name]);
             });
}

std::optional<std::vector<Measured>> KubeletUse::last() const {
  std::vector<Measured> all;
  for (const auto& [name, of_node] : nodes_) {
    if (of_node.last) all.push_back(*of_node.last);
  }
  if (all.empty() && !status().last_success) return std::nullopt;
  return all;
}

GpuExporters::GpuExporters(std::vector<std::string> addresses, Credentials& credentials,
                           const os::Clock& clock)
    : addresses_(std::move(addresses)),
      credentials_(credentials),
      clock_(clock),
      round_("dcgm-exporter", "usage", "dcgm-exporters", "an address that lets everybody in",
             clock) {}

std::vector<GpuExporters::Exporter> GpuExporters::exporters(const Nodes& nodes,
                                                            const std::set<Symbol>& claimed) const {
  std::vector<Exporter> all;
  for (const auto& address : addresses_) {
    const bool by_name = address.find(kNodeName) != std::string::npos;
    const auto place = by_name ? kNodeName : kNodeAddress;
    const auto at = address.find(place);
    if (at == std::string::npos) {
      all.push_back({page_url(address, "/metrics"), ""});
      continue;
    }
    for (const auto& node : nodes) {
      // Where nothing can be measured nobody listens.
      if (node.gres.empty() && !claimed.contains(node.name)) continue;
      auto url = address;
      url.replace(at, place.size(), by_name ? node.name.str() : host_of(node.address));
      all.push_back({page_url(std::move(url), "/metrics"), node.name.str()});
    }
  }
  return all;
}

void GpuExporters::read(const Nodes& nodes, const std::set<Symbol>& claimed,
                        const std::stop_token& token) {
  const auto asked = exporters(nodes, claimed);
  std::set<std::string> there;
  std::vector<PageQuestion> questions;
  for (const auto& [url, node] : asked) {
    there.insert(url);
    PageAddress address;
    address.url = url;
    questions.push_back({url, page_request(address, credentials_)});
  }
  std::erase_if(pages_, [&](const auto& entry) { return !there.contains(entry.first); });
  round_.ask(std::move(questions), token,
             [&](std::size_t place, const std::string& text) -> Status {
               auto gpus = read_gpu_page(text);
               if (!gpus) return fail(gpus.error());
               const auto& [url, node] = asked[place];
               GpuPage page{node, std::move(*gpus)};
               note_peaks(page);
               pages_[url] = std::move(page);
               return {};
             });
}

void GpuExporters::note_peaks(GpuPage& page) {
  const auto now = clock_.now();
  for (auto& measured : page.gpus) {
    auto& gpu = measured.gpu;
    if (!gpu.sampled) gpu.sampled = now;
    if (!gpu.busy) continue;
    const auto key = fmt::format("{}/{}/{}/{}", page.node, gpu.uuid, gpu.index, gpu.mig_instance);
    const auto [at, is_new] = peaks_.try_emplace(key, Peak{*gpu.busy, *gpu.busy, now, now});
    auto& peak = at->second;
    if (now - peak.now_since >= kPeakSpan) {
      peak = {peak.now, *gpu.busy, peak.now_since, now};
    } else {
      peak.now = std::max(peak.now, *gpu.busy);
      if (peak.before_since == peak.now_since) peak.before = peak.now;
    }
    gpu.busiest = std::max(peak.before, peak.now);
    gpu.watched_since = peak.before_since;
  }
}

std::optional<std::vector<GpuPage>> GpuExporters::last() const {
  if (!status().last_success) return std::nullopt;
  std::vector<GpuPage> all;
  for (const auto& [url, page] : pages_) all.push_back(page);
  return all;
}

}  // namespace schedlens::kube
