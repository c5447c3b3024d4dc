// SPDX-License-Identifier: Apache-2.0
#pragma once
// What was seen over time, beside the Snapshot of a moment: how long work ran, how long it waited,
// and how forecasts turned out.

#include "diagnose/class_waits.h"
#include "diagnose/lateness.h"
#include "diagnose/run_times.h"

namespace schedlens::diagnose {

// One thread at a time. Every Snapshot is shown once, in order.
struct Observed {
  RunTimes run_times;
  ClassWaits class_waits;
  Lateness lateness;  // filled by who keeps forecasts

  void observe(const model::Snapshot& snapshot) {
    run_times.observe(snapshot);
    class_waits.observe(snapshot);
  }
};

}  // namespace schedlens::diagnose
