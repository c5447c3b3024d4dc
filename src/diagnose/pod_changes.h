// SPDX-License-Identifier: Apache-2.0
#pragma once
// Changes to a waiting pod, or to what it waits for, each as the command that makes it. None is
// proven here; see remedy.h.

#include <vector>

#include "diagnose/remedy_step.h"

namespace schedlens::diagnose {

// By who may write the pod.
std::vector<Step> more_tolerations(const model::Snapshot& snapshot, const Verdict& v);
std::vector<Step> fewer_pod_wishes(const model::Snapshot& snapshot, const Verdict& v);
std::vector<Step> smaller_pod(const model::Snapshot& snapshot, const Verdict& v);

// Of claims of storage that are missing or not bound, and of what keeps them so.
std::vector<Step> served_claims(const model::Snapshot& snapshot, const Verdict& v);
// The same of claims of devices.
std::vector<Step> served_device_claims(const model::Snapshot& snapshot, const Verdict& v);

// By an operator.
std::vector<Step> opened_gates(const model::Snapshot& snapshot, const Verdict& v);
std::vector<Step> woken(const model::Snapshot& snapshot, const Verdict& v);
std::vector<Step> uncordoned_nodes(const model::Snapshot& snapshot, const Verdict& v);
std::vector<Step> untainted_nodes(const model::Snapshot& snapshot, const Verdict& v);
std::vector<Step> labelled_nodes(const model::Snapshot& snapshot, const Verdict& v);
// The fewest pods of one node whose end gives it room there.
std::vector<Step> ended_pods(const model::Snapshot& snapshot, const Verdict& v);
// The fewest pods of one node that have the devices which its claim is short of there.
std::vector<Step> ended_device_users(const model::Snapshot& snapshot, const Verdict& v);

}  // namespace schedlens::diagnose
