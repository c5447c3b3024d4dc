// SPDX-License-Identifier: Apache-2.0
#pragma once
// The memory of `schedlens serve`: what it keeps in its data directory of each Snapshot.

#include <memory>
#include <optional>

#include "api/remembered.h"
#include "api/routes.h"
#include "base/result.h"
#include "cli/config.h"
#include "history/recorder.h"
#include "memory/store.h"
#include "metrics/store_use.h"
#include "os/clock.h"
#include "remote/writer.h"

namespace schedlens::cli {

class Keeper {
 public:
  // Makes the directory where there is none. Fails when it cannot be written to, or another
  // process does. The clock must outlive it.
  static Result<std::unique_ptr<Keeper>> open(const Config& config, const os::Clock& clock);

  // After each Snapshot: what ended and changed since the last. Never waits for the disk. One
  // thread, as of the next.
  void keep(const api::Context& context);
  // The values of the cluster's metrics at a moment; they are sent elsewhere, too. Never waits for
  // a store there, nor until a disk has turned.
  void keep(Timestamp time, const std::vector<metrics::Sample>& samples);

  // Any thread.
  metrics::StoreUse use() const;
  std::optional<metrics::RemoteWriteUse> remote_use() const;  // nothing where none is configured
  api::Remembered& remembered() { return remembered_; }
  memory::Store& store() { return *store_; }

 private:
  Keeper(std::unique_ptr<memory::Store> store, std::unique_ptr<remote::Writer> elsewhere,
         history::Recorder recorder, memory::Reader reader)
      : store_(std::move(store)),
        elsewhere_(std::move(elsewhere)),
        recorder_(std::move(recorder)),
        remembered_(std::move(reader)) {}
  // Says once that writing fails, and once that it works again.
  void log_health();

  std::unique_ptr<memory::Store> store_;
  std::unique_ptr<remote::Writer> elsewhere_;  // null where none is configured
  history::Recorder recorder_;
  api::Remembered remembered_;
  std::shared_ptr<const api::Analysed> last_;
  bool failing_ = false;
};

}  // namespace schedlens::cli
