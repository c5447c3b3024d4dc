// SPDX-License-Identifier: Apache-2.0
#pragma once
// What one receiver still has to be told, and when: kept until it was taken, tried again after
// failures at growing intervals, and after a restart.
//
// There is one entry for each alert, so that it cannot grow beyond the alerts that there are: of an
// alert that fires and ends while the receiver is away, only the end is told. An alert that is
// silenced, or hidden by another after it was told, is taken back as if it had ended. No clock and
// no thread of its own; one thread at a time.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "alert/alert.h"
#include "alert/notice.h"
#include "base/result.h"

namespace schedlens::alert {

// How a receiver wants to hear.
struct Hearing {
  // What fires is told again after this; 0: once. Alertmanager forgets what it does not hear again.
  Seconds repeat{0};
  // The end is told again and again for so long, as Alertmanager may have lost it in a restart.
  Seconds repeat_end{0};
  // What ended before the receiver could be told is of no interest to it.
  bool only_told_ends = false;
  // The end that a firing alert is given: the receiver ends it by itself after that. 0: none.
  Seconds believed_for{0};

  // Repeated every minute and believed for five, so that neither one that is late nor a restart
  // lets an alert end and begin again.
  static Hearing alertmanager();
  static Hearing events() { return {}; }
};

class Outbox {
 public:
  explicit Outbox(Hearing hearing) : hearing_(hearing) {}

  // All alerts as they are now.
  void update(const std::vector<const Alert*>& alerts, Timestamp now);

  // What is to be sent now, at most so many; empty when nothing is due or the last failure is too
  // recent. Then say how that went.
  std::vector<Notice> due(Timestamp now, std::size_t most = 100);
  void sent(const std::vector<Notice>& notices, Timestamp now);
  void failed(Timestamp now);

  // When due() is worth asking again; nothing while nothing is to come.
  std::optional<Timestamp> next() const;
  std::size_t waiting() const;  // entries of which the receiver does not know the latest
  int failures() const { return failures_; }  // in a row

  // A text for a file, and back; after a failure it is empty.
  std::string save() const;
  Status restore(std::string_view text);

  // After the first failure 5 s, doubled with each to five minutes.
  static Seconds pause_after(int failures);
  // The end of an alert that nobody takes is given up after a day.
  static constexpr Seconds kGivenUp{86'400};

 private:
  enum class Told { kNothing, kFiring, kEnd };
  struct Entry {
    Notice notice;
    Told told = Told::kNothing;
    std::optional<Timestamp> last;  // when it was told last
    std::optional<Timestamp> ended;
  };

  void take(const Alert& alert, Timestamp now);
  void end(Entry& entry, Timestamp now) const;
  bool unknown_to_receiver(const Entry& entry) const;
  std::optional<Timestamp> due_at(const Entry& entry) const;

  Hearing hearing_;
  std::map<std::string, Entry> entries_;  // by fingerprint
  int failures_ = 0;
  std::optional<Timestamp> failed_at_;
};

}  // namespace schedlens::alert
