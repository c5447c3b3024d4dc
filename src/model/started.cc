// SPDX-License-Identifier: Apache-2.0
#include "model/started.h"

namespace schedlens::model {

bool has_started(const Workload& w, Timestamp now) {
  if (is_pending(w) || !w.start || *w.start > now) return false;
  if (holds_resources(w)) return true;
  return is_finished(w) && (!w.allocation.nodes.empty() || !w.allocation.totals.empty());
}

}  // namespace schedlens::model
