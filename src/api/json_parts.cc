// SPDX-License-Identifier: Apache-2.0
#include "api/json_parts.h"

#include "api/json_views.h"
#include "model/enum_names.h"
#include "model/fields.h"

namespace schedlens::api {
namespace {

// An archive for model::describe() that writes every member, nodes by name and the unknown as null.
class Everything {
 public:
  Everything(JsonWriter& json, const model::Snapshot& snapshot)
      : json_(json), snapshot_(snapshot) {}

  template <class T>
  void operator()(std::string_view name, const T& v) {
    json_.key(name);
    write(v);
  }

 private:
  template <class T>
  void write(const T& v) {
    if constexpr (std::is_enum_v<T>) {
      json_.value(lower(model::enum_name(v)));
    } else if constexpr (requires { describe(*this, v); }) {
      json_.object([&] { describe(*this, v); });
    } else {
      json_.value(v);
    }
  }
  void write(const std::string& v) { v.empty() ? json_.null() : json_.value(v); }
  void write(Symbol v) { v.empty() ? json_.null() : json_.value(v); }
  template <class T>
  void write(const std::optional<T>& v) {
    v ? write(*v) : json_.null();
  }
  template <class T>
  void write(const model::SharedOptional<T>& v) {
    v ? write(*v) : json_.null();
  }
  template <class T>
  void write(const model::Shared<T>& v) {
    write(*v);
  }
  template <class T>
  void write(const std::vector<T>& v) {
    json_.array([&] {
      for (const auto& item : v) write(item);
    });
  }
  template <class T>
  void write(const model::Flags<T>& v) {
    json_.array([&] {
      for (int i = 0; i < model::kEnumSize<T>; ++i) {
        if (v.has(static_cast<T>(i))) json_.value(lower(model::enum_name(static_cast<T>(i))));
      }
    });
  }
  template <class T>
  void write(const Bound<T>& v) {
    if (v.has_value()) {
      json_.value(v.value);
    } else {
      v.known() ? json_.value("unlimited") : json_.null();
    }
  }
  void write(model::NodeId v) { json_.value(snapshot_.node(v).name); }
  template <class T>
  void write(const std::shared_ptr<const T>& v) {
    v ? write(*v) : json_.null();
  }
  void write(const model::Quantities& v) {
    json_.object([&] {
      for (const auto& item : v.items()) json_.field(item.name.view(), item.amount);
    });
  }
  void write(const model::Labels& v) {
    json_.object([&] {
      for (const auto& label : v.items()) json_.field(label.key.view(), label.value);
    });
  }
  void write(const model::ResourceCounts& v) {
    json_.object([&] {
      for (const auto& item : v.items()) json_.field(item.name.view(), item.count);
    });
  }

  JsonWriter& json_;
  const model::Snapshot& snapshot_;
};

void write_source(JsonWriter& json, const View& view, const model::SourceStatus& source) {
  json.field("name", source.name);
  json.field("state", model::state_name(source.state));
  json.key("age_seconds");
  if (source.last_success) {
    json.value(view.now - *source.last_success);
  } else {
    json.null();
  }
  write_text(json, "error", source.error);
}

}  // namespace

void write_text(JsonWriter& json, std::string_view name, std::string_view text) {
  json.key(name);
  text.empty() ? json.null() : json.value(text);
}

void write_head(JsonWriter& json, const View& view) {
  json.field("version", kViewVersion);
  json.key("snapshot");
  json.object([&] {
    json.field("time", view.snapshot.time);
    json.field("as_of", view.now);
    write_text(json, "cluster", view.snapshot.cluster);
    write_text(json, "scheduler", view.snapshot.scheduler);
    write_text(json, "scheduler_version", view.snapshot.scheduler_version);
    json.key("sources");
    json.array([&] {
      for (const auto& source : view.snapshot.sources) {
        json.object([&] { write_source(json, view, source); });
      }
    });
  });
}

void write_sources(JsonWriter& json, const View& view) {
  json.object([&] {
    write_head(json, view);
    json.key("sources");
    json.array([&] {
      for (const auto& source : view.snapshot.sources) {
        json.object([&] {
          write_source(json, view, source);
          json.field("last_success", source.last_success);
          json.field("last_attempt", source.last_attempt);
          write_list(json, "warnings", source.warnings);
          json.field("records", source.records);
          json.field("unreadable_records", source.unreadable_records);
          json.field("bytes", source.bytes);
          json.field("seconds", source.seconds);
          json.field("reads", source.reads);
          json.field("failures", source.failures);
        });
      }
    });
  });
}

void write_node_names(JsonWriter& json, std::string_view name, const model::Snapshot& snapshot,
                      std::span<const model::NodeId> nodes) {
  json.key(name);
  json.array([&] {
    for (auto id : nodes) json.value(snapshot.node(id).name);
  });
}

void write_workload_ids(JsonWriter& json, std::string_view name, const model::Snapshot& snapshot,
                        std::span<const model::WorkloadId> workloads) {
  json.key(name);
  json.array([&] {
    for (auto id : workloads) json.value(model::display_id(snapshot.workload(id)));
  });
}

void write_workload_members(JsonWriter& json, const View& view, const model::Workload& w) {
  json.field("id", model::display_id(w));
  json.field("job_id", w.job_id);
  json.field("tasks", model::task_count(w));
  write_text(json, "name", w.name);
  write_text(json, "user", w.user.view());
  write_text(json, "account", w.account.view());
  write_text(json, "qos", w.qos.view());
  write_list(json, "queues", w.queues);
  json.field("state", model::full_state(w));
  write_text(json, "reason", w.reason.view());
  json.field("priority", w.priority);
  json.field("gpus_requested", model::gpus_requested(w));
  json.field("gpus_held", model::gpus_held(w));
  json.field("cpus_requested", w.request.totals.get(model::names::kCpu));
  json.field("memory_requested", w.request.totals.get(model::names::kMemory));
  json.field("min_nodes", w.request.min_nodes);
  json.field("submitted", w.submitted);
  json.field("eligible", w.eligible);
  json.field("start", w.start);
  json.field("end", w.end);
  write_bound(json, "time_limit", w.time_limit);
  json.field("waited", model::waited(w, view.now));
  write_node_names(json, "nodes", view.snapshot, w.allocation.nodes);
}

void write_workload_row(JsonWriter& json, const View& view, const model::Workload& w) {
  json.object([&] { write_workload_members(json, view, w); });
}

void write_node_row(JsonWriter& json, const View& view, model::NodeId id) {
  const auto& n = view.snapshot.node(id);
  json.object([&] {
    json.field("name", n.name);
    json.field("state", model::display_state(n));
    json.field("full_state", model::full_state(n));
    json.field("in_service", model::in_service(n));
    write_text(json, "reason", n.reason ? n.reason->text : "");
    write_text(json, "reason_author", n.reason ? n.reason->author : "");
    json.field("reason_since", n.reason ? n.reason->since : std::nullopt);
    write_list(json, "queues", n.queues);
    json.field("cpus", n.cpus);
    json.field("cpus_allocated", n.cpus_allocated);
    json.field("cpu_load", n.cpu_load);
    json.field("memory", n.memory);
    json.field("memory_allocated", n.memory_allocated);
    json.field("memory_free", n.memory_free);
    json.field("gpus", model::gpus_total(n));
    json.field("gpus_used", model::gpus_used(n));
    write_list(json, "features", n.features);
    write_workload_ids(json, "workloads", view.snapshot, view.snapshot.workloads_on(id));
  });
}

void write_everything(JsonWriter& json, const View& view, const model::Workload& w) {
  Everything archive(json, view.snapshot);
  json.object([&] { model::describe(archive, w); });
}

void write_everything(JsonWriter& json, const View& view, const model::Node& n) {
  Everything archive(json, view.snapshot);
  json.object([&] { model::describe(archive, n); });
}

}  // namespace schedlens::api
