// SPDX-License-Identifier: Apache-2.0
#pragma once
// The alerts of a running server: the rules evaluated on what it shows, their state kept in the
// memory, receivers told.

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "alert/board.h"
#include "alert/engine.h"
#include "alert/receivers.h"
#include "alert/sender.h"
#include "memory/reader.h"
#include "memory/store.h"
#include "metrics/watch_rows.h"
#include "os/clock.h"
#include "watch/usual.h"

namespace schedlens::watch {

// One thread evaluates; board() and rows() may be called by any.
class Alarms {
 public:
  // labels: of every alert, such as the cluster. The clock must outlive it.
  Alarms(std::vector<alert::Rule> rules, alert::Labels labels, const os::Clock& clock);
  Alarms(const Alarms&) = delete;

  // Takes up where an earlier process ended, and keeps everything there from now on. Before
  // add_receiver(). The store must outlive it.
  void remember(memory::Store& store, memory::Reader& reader);
  // The name stands in the log, in metrics and in the kept state: no two are the same.
  void add_receiver(const std::string& name, alert::Hearing hearing,
                    std::unique_ptr<alert::Receiver> receiver);

  // Families whose series evaluate() wants to see on the page.
  std::vector<std::string> families() const;
  // What /metrics shows at this moment, and how the watched series stand.
  void evaluate(Timestamp now, std::string_view page, const std::vector<JudgedSeries>& judged);

  std::shared_ptr<const alert::Board> board() const;  // null before the first evaluation
  // For the metrics.
  void fill(metrics::WatchRows& rows) const;

  // Adds and removes silences as is asked for in the data directory (silence_requests.h).
  void take_requests(const std::filesystem::path& directory, Timestamp now);
  void set_rules(std::vector<alert::Rule> rules) { engine_.set_rules(std::move(rules)); }

 private:
  struct To {
    std::string name;
    std::unique_ptr<alert::Sender> sender;
  };
  void publish(Timestamp now);
  void keep(Timestamp now);
  using Recorded = std::map<std::string, std::string>;
  void keep_record(const alert::Alert& alert, Recorded& now);

  const os::Clock& clock_;
  alert::Engine engine_;
  std::vector<To> receivers_;
  memory::Store* store_ = nullptr;
  std::map<std::string, std::string> kept_;          // states of an earlier process, by key
  Recorded recorded_;                                // what the record of an alert says, by its key
  std::set<std::pair<std::string, int>> last_seen_;  // alerts and phases when the state was kept
  std::optional<Timestamp> state_kept_;
  mutable std::mutex mutex_;  // of what follows
  std::shared_ptr<const alert::Board> board_;
};

}  // namespace schedlens::watch
