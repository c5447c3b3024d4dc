// SPDX-License-Identifier: Apache-2.0
#include "kube/decode_groups.h"

#include "kube/json_decode.h"

namespace schedlens::kube {
namespace {

// minCount of Kubernetes' own groups lies in spec.schedulingPolicy.gang.
void read_policy(JsonValue& policy, model::PodGroup& group) {
  policy.fields([&](JsonValue& kind) {
    if (kind.name() != "gang") return;
    kind.fields([&](JsonValue& f) {
      if (f.name() == "minCount") group.min_members = f.int32();
    });
  });
}

void read_group_spec(JsonValue& f, model::PodGroup& group) {
  if (f.name() == "minMember" || f.name() == "minCount") group.min_members = f.int32();
  if (f.name() == "minResources") group.min_resources = read_json_amounts(f);
  if (f.name() == "queue") group.queue = f.string();
  if (f.name() == "schedulingPolicy" || f.name() == "policy") read_policy(f, group);
}

void read_group_status(JsonValue& f, model::PodGroup& group) {
  if (f.name() == "phase") group.phase = f.symbol();
  if (f.name() == "running") group.running = f.int32();
  if (f.name() == "succeeded") group.succeeded = f.int32();
  if (f.name() == "failed") group.failed = f.int32();
  if (f.name() == "conditions") group.conditions = read_json_conditions(f);
}

void take_meta(JsonMeta& meta, Symbol kind, model::Controller& c) {
  c.kind = kind;
  c.ns = meta.object.meta.ns;
  c.name = meta.object.meta.name;
  c.uid = meta.object.meta.uid;
  c.owner = std::move(meta.object.controller);
  c.created = meta.object.created;
}

bool is_over(std::string_view word) {
  return word == "Completed" || word == "Failed" || word == "Aborted" || word == "Terminated";
}

}  // namespace

Result<Decoded<model::PodGroup>> decode_pod_group(std::string_view document) {
  model::PodGroup group;
  auto part = [&](JsonValue& f) {
    if (f.name() == "apiVersion") {
      const auto version = f.text();
      group.api = Symbol(version.substr(0, version.find('/')));
    }
    if (f.name() == "spec") f.fields([&](JsonValue& s) { read_group_spec(s, group); });
    if (f.name() == "status") f.fields([&](JsonValue& s) { read_group_status(s, group); });
  };
  return decode_json(document, group, part, [&](JsonMeta& meta) {
    group.ns = meta.object.meta.ns;
    group.name = meta.object.meta.name;
    group.uid = meta.object.meta.uid;
    group.owner = std::move(meta.object.controller);
    if (!group.owner && !meta.owners.empty()) group.owner = std::move(meta.owners.front());
    group.created = meta.object.created;
  });
}

Result<Decoded<model::GroupQueue>> decode_group_queue(std::string_view document) {
  model::GroupQueue queue;
  auto spec = [&](JsonValue& f) {
    if (f.name() == "weight") queue.weight = f.int32();
    if (f.name() == "parent") queue.parent = f.string();
    if (f.name() == "capability") queue.capability = read_json_amounts(f);
    if (f.name() == "deserved") queue.deserved = read_json_amounts(f);
    if (f.name() == "guarantee") {
      f.fields([&](JsonValue& g) {
        if (g.name() == "resource") queue.guarantee = read_json_amounts(g);
      });
    }
  };
  auto status = [&](JsonValue& f) {
    if (f.name() == "state") queue.state = f.symbol();
    if (f.name() == "allocated") queue.allocated = read_json_amounts(f);
  };
  auto part = [&](JsonValue& f) {
    if (f.name() == "spec") f.fields(spec);
    if (f.name() == "status") f.fields(status);
  };
  return decode_json(document, queue, part,
                     [&](JsonMeta& meta) { queue.name = meta.object.meta.name; });
}

Result<Decoded<model::Controller>> decode_job_set(std::string_view document) {
  static const Symbol kind{"JobSet"};
  model::Controller set;
  auto part = [&](JsonValue& f) {
    if (f.name() == "spec") {
      f.fields([&](JsonValue& s) {
        if (s.name() == "suspend") set.suspended = s.boolean();
      });
    }
    if (f.name() != "status") return;
    f.fields([&](JsonValue& s) {
      if (s.name() == "terminalState") set.finished = is_over(s.text());
    });
  };
  return decode_json(document, set, part, [&](JsonMeta& meta) { take_meta(meta, kind, set); });
}

Result<Decoded<model::Controller>> decode_volcano_job(std::string_view document) {
  static const Symbol kind{"VolcanoJob"};
  model::Controller job;
  auto part = [&](JsonValue& f) {
    if (f.name() != "status") return;
    f.fields([&](JsonValue& s) {
      if (s.name() != "state") return;
      s.fields([&](JsonValue& state) {
        if (state.name() == "phase") job.finished = is_over(state.text());
      });
    });
  };
  return decode_json(document, job, part, [&](JsonMeta& meta) { take_meta(meta, kind, job); });
}

}  // namespace schedlens::kube
