// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a view shows: a Snapshot, and the moment from which ages are counted. For a saved snapshot
// that is the snapshot's own time, for a live server it is now.

#include "base/units.h"
#include "model/snapshot.h"

namespace schedlens::api {

struct View {
  const model::Snapshot& snapshot;
  Timestamp now;

  View(const model::Snapshot& s) : snapshot(s), now(s.time) {}  // NOLINT: a Snapshot is a view
  View(const model::Snapshot& s, Timestamp moment) : snapshot(s), now(moment) {}
};

}  // namespace schedlens::api
