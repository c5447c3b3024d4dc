// SPDX-License-Identifier: Apache-2.0
#pragma once
// The three that can be asked what is used, each with its last good answers and a state of its own.
// One thread at a time.

#include <map>
#include <memory>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "kube/cpu_rate.h"
#include "kube/credentials.h"
#include "kube/kubelets.h"
#include "kube/page_round.h"
#include "kube/usage_join.h"
#include "kube/usage_options.h"
#include "model/node.h"
#include "model/source.h"
#include "os/clock.h"

namespace schedlens::kube {

using Nodes = std::vector<model::Node>;

// Whether a cluster has one is asked first, and again now and then where it has none.
class MetricsApi {
 public:
  // An empty namespace means all.
  MetricsApi(std::string ns, Credentials& credentials, const os::Clock& clock);
  void read(const std::stop_token& token);

  bool absent() const { return absent_; }
  const model::SourceStatus& status() const { return status_; }
  const std::optional<Measured>& last() const { return last_; }

 private:
  Result<std::string> page(const std::string& path, const std::stop_token& token);
  Status find(const std::stop_token& token);
  Result<Measured> ask(const std::stop_token& token);

  std::string ns_;
  Credentials& credentials_;
  const os::Clock& clock_;
  model::SourceStatus status_;
  std::string path_;  // empty while not found
  bool absent_ = false;
  std::optional<Timestamp> looked_;
  std::uint64_t bytes_ = 0;
  std::optional<Measured> last_;
};

class KubeletUse {
 public:
  KubeletUse(const UsageOptions& options, Credentials& credentials, const os::Clock& clock);
  // What nodes that are gone used is forgotten.
  void read(const Nodes& nodes, const std::stop_token& token);

  const model::SourceStatus& status() const { return round_.status(); }
  // Nothing before the first answer of any.
  std::optional<std::vector<Measured>> last() const;

 private:
  struct OfNode {
    CpuRates rates;
    std::optional<Measured> last;
  };
  Status take(const model::Node& node, const std::string& page, OfNode& of_node);

  KubeletPage page_;
  KubeletOptions options_;
  Credentials& credentials_;
  const os::Clock& clock_;
  PageRound round_;
  std::map<Symbol, OfNode> nodes_;
};

class GpuExporters {
 public:
  GpuExporters(std::vector<std::string> addresses, Credentials& credentials,
               const os::Clock& clock);
  // Of an address with a place for nodes it asks those that offer devices, and those among claimed,
  // whose devices are given out by claims.
  void read(const Nodes& nodes, const std::set<Symbol>& claimed, const std::stop_token& token);

  const model::SourceStatus& status() const { return round_.status(); }
  std::optional<std::vector<GpuPage>> last() const;

 private:
  // The most that a device was seen to do, in this span of time and the one before.
  struct Peak {
    double before = 0, now = 0;
    Timestamp before_since, now_since;
  };
  struct Exporter {
    std::string url;
    std::string node;  // whose it is, where the address says so
  };
  std::vector<Exporter> exporters(const Nodes& nodes, const std::set<Symbol>& claimed) const;
  void note_peaks(GpuPage& page);

  std::vector<std::string> addresses_;
  Credentials& credentials_;
  const os::Clock& clock_;
  PageRound round_;
  std::map<std::string, GpuPage> pages_;  // by URL
  std::map<std::string, Peak> peaks_;     // by device
};

}  // namespace schedlens::kube
