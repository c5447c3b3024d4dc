// SPDX-License-Identifier: Apache-2.0
#include "api/json_parts.h"
#include "api/json_views.h"

namespace schedlens::api {
namespace {

using diagnose::Fragmentation;

void write_shapes(JsonWriter& json, std::string_view name,
                  const std::vector<diagnose::ShapeFit>& shapes) {
  json.key(name);
  json.array([&] {
    for (const auto& shape : shapes) {
      json.object([&] {
        json.field("shape", shape.shape);
        write_text(json, "queue", shape.queue);
        json.field("gpus", shape.gpus);
        json.field("waiting", shape.waiting);
        json.field("fits_now", shape.fits_now);
        json.field("fits_pooled", shape.fits_pooled);
      });
    }
  });
}

void write_gpu_sums(JsonWriter& json, const Fragmentation& f) {
  json.key("gpus");
  json.object([&] {
    json.field("total", f.gpus_total);
    json.field("used", f.gpus_used);
    json.field("free", f.gpus_free);
    json.field("out_of_service", f.gpus_out_of_service);
    json.field("allocatable", f.gpus_allocatable);
    json.field("planned", f.gpus_planned);
    json.field("stranded", f.gpus_stranded);
    json.field("largest_hole", f.largest_hole);
    json.key("stranded_by");
    json.object([&] {
      for (auto [by, count] : f.stranded_by) json.field(diagnose::stranding_name(by), count);
    });
  });
}

void write_node_scores(JsonWriter& json, const View& view, const Fragmentation& f) {
  json.key("nodes");
  json.array([&] {
    for (const auto& n : f.nodes) {
      json.object([&] {
        json.field("name", view.snapshot.node(n.node).name);
        json.field("state", model::display_state(view.snapshot.node(n.node)));
        json.field("in_service", n.in_service);
        json.field("total", n.total);
        json.field("free", n.free);
        json.field("allocatable", n.allocatable);
        json.field("stranded", n.stranded);
        json.key("stranded_by");
        if (n.stranded_by == diagnose::Stranding::kNone) {
          json.null();
        } else {
          json.value(diagnose::stranding_name(n.stranded_by));
        }
        json.field("score", n.score);
      });
    }
  });
}

void write_needs(JsonWriter& json, const Fragmentation& f) {
  json.key("needs_per_gpu");
  json.array([&] {
    for (const auto& need : f.needs) {
      json.object([&] {
        write_text(json, "queue", need.queue.view());
        json.field("cpus_per_gpu", need.cpus_per_gpu);
        json.field("memory_per_gpu", need.memory_per_gpu);
        json.field("memory_per_job", need.memory_per_job);
        write_text(json, "basis", need.basis);
      });
    }
  });
}

}  // namespace

void write_frag(JsonWriter& json, const View& view, const Fragmentation& f) {
  json.object([&] {
    write_head(json, view);
    write_gpu_sums(json, f);
    json.key("by_size");
    json.array([&] {
      for (const auto& size : f.by_size) {
        json.object([&] {
          json.field("gpus", size.first);
          json.field("unusable_share", size.second);
        });
      }
    });
    write_shapes(json, "standard_shapes", f.standard);
    write_shapes(json, "queue_shapes", f.queue);
    json.key("queue");
    json.object([&] {
      json.field("gpus_waiting", f.queue_gpus_waiting);
      json.field("gpus_startable", f.queue_gpus_startable);
      json.field("gpus_startable_pooled", f.queue_gpus_startable_pooled);
    });
    write_node_scores(json, view, f);
    write_needs(json, f);
    write_list(json, "unsure", f.unsure);
  });
}

}  // namespace schedlens::api
