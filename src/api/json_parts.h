// SPDX-License-Identifier: Apache-2.0
#pragma once
// Parts that several views share.

#include <span>
#include <string_view>

#include "api/view.h"
#include "base/json_writer.h"
#include "diagnose/verdict.h"
#include "model/snapshot.h"

namespace schedlens::api {

// Opens the document that every view is: its version, what the body writes, the snapshot's facts.
void write_head(JsonWriter& json, const View& view);

// The compact forms, as they stand in lists.
void write_workload_row(JsonWriter& json, const View& view, const model::Workload& w);
// The members of such a row, for one that has more.
void write_workload_members(JsonWriter& json, const View& view, const model::Workload& w);
void write_node_row(JsonWriter& json, const View& view, model::NodeId id);

// Everything the model knows, under the model's own names; nodes by name.
void write_everything(JsonWriter& json, const View& view, const model::Workload& w);
void write_everything(JsonWriter& json, const View& view, const model::Node& n);

template <class T>
void write_list(JsonWriter& json, std::string_view name, const T& values) {
  json.key(name);
  json.array([&] {
    for (const auto& v : values) json.value(v);
  });
}

void write_node_names(JsonWriter& json, std::string_view name, const model::Snapshot& snapshot,
                      std::span<const model::NodeId> nodes);
void write_workload_ids(JsonWriter& json, std::string_view name, const model::Snapshot& snapshot,
                        std::span<const model::WorkloadId> workloads);

template <class T>
void write_bound(JsonWriter& json, std::string_view name, const Bound<T>& bound) {
  json.key(name);
  if (bound.has_value()) {
    json.value(bound.value);
  } else if (bound.known()) {
    json.value("unlimited");
  } else {
    json.null();
  }
}

// An empty text is one that the scheduler did not give.
void write_text(JsonWriter& json, std::string_view name, std::string_view text);

}  // namespace schedlens::api
