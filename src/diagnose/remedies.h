// SPDX-License-Identifier: Apache-2.0
#pragma once
// Finds what would let a waiting workload start.

#include <vector>

#include "diagnose/explain.h"
#include "diagnose/remedy.h"
#include "diagnose/verdict.h"
#include "model/snapshot.h"

namespace schedlens::diagnose {

// The first is the one to try. Empty where nothing was found, or the workload does not wait.
// explainer and verdict: of the same Snapshot, which must have been read in detail for the
// workload. A change of the job alone costs a walk over the queue; any other an evaluation of the
// queue up to the job, of which there are some dozens at most.
// observed: what the start of one that must wait for its turn is forecast from.
std::vector<Remedy> find_remedies(const model::Snapshot& snapshot, Explainer& explainer,
                                  const Verdict& verdict, const RunTimes& observed = {});

// Whether it is worked out whom a remedy delays: not for pods, not in a very long queue, and not
// for one after which others still come first. Otherwise an empty list says nothing.
bool delays_known(const model::Snapshot& snapshot, const Remedy& remedy);

}  // namespace schedlens::diagnose
