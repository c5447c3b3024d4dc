// SPDX-License-Identifier: Apache-2.0
#pragma once
// The parts of the page, one per subject. Each writes the families of its sections in families.inc.

#include <string>
#include <string_view>

#include "metrics/render.h"

namespace schedlens::model {
struct Kubernetes;
}

namespace schedlens::metrics {

void write_nodes(const model::Snapshot& s, const RenderInput& input, Exposition& out);
void write_partitions(const model::Snapshot& s, const RenderInput& input, Exposition& out);
// What every GPU is doing.
void write_ledger(const Analysis& analysis, Exposition& out);
void write_fragmentation(const model::Snapshot& s, const Analysis& analysis, Exposition& out);
void write_jobs(const model::Snapshot& s, const RenderInput& input, Exposition& out);
void write_limits(const model::Snapshot& s, Exposition& out);
void write_reservations(const model::Snapshot& s, Exposition& out);
void write_scheduler(const model::SchedulerVitals& vitals, Exposition& out);
// Namespaces, quotas and devices of a Kubernetes cluster, and its schedulers' own metrics.
void write_kubernetes(const model::Snapshot& s, const RenderInput& input, Exposition& out);
// The vitals of the API server, of etcd and of the kubelets.
void write_control_plane(const model::Kubernetes& kubernetes, Exposition& out);
void write_kubelets(const model::Kubernetes& kubernetes, Exposition& out);
// What is used beside what is requested.
void write_usage(const model::Snapshot& s, const RenderInput& input, Exposition& out);
void write_watch(const WatchRows& watch, Exposition& out);
void write_own(const model::Snapshot* s, const RenderInput& input, Exposition& out);

// A list that is empty because nobody could read it is not an empty cluster. It is known when it
// has something, or when the source that feeds it was read once; where none says so, when all were.
bool known(const model::Snapshot& s, std::string_view list, bool has_something);

// A node's reason with its numbers replaced, so that "node 12" and "node 13" are one.
std::string reason_group(std::string_view text);
// The scheduler's reason as a plain token: never a list of nodes.
std::string reason_token(std::string_view reason);

}  // namespace schedlens::metrics
