// SPDX-License-Identifier: Apache-2.0
// Events in both forms. The scheduler leaves the old timestamps empty and counts in series; older
// components do the opposite.
#include <algorithm>

#include "kube/decode_objects.h"
#include "kube/object_fields.h"
#include "model/kubernetes.h"

namespace schedlens::kube {
namespace {

struct EventParts {
  model::Event event;
  Symbol old_reporter;  // source.component
  std::optional<Timestamp> event_time, old_first, old_last, series_last;
  std::int32_t old_count = 0, series_count = 0;
};

void read_about(Fields fields, model::Event& event) {
  while (fields.next()) {
    if (fields.number() == 1) event.kind = fields.symbol("kind");
    if (fields.number() == 2) event.ns = fields.symbol("namespace");
    if (fields.number() == 3) event.name = fields.string("name");
    if (fields.number() == 4) event.uid = fields.string("uid");
  }
}

void read_series(Fields fields, EventParts& parts) {
  while (fields.next()) {
    if (fields.number() == 1) parts.series_count = fields.int32("count");
    if (fields.number() == 2) parts.series_last = fields.time("lastObservedTime");
  }
}

Symbol read_component(Fields fields) {
  Symbol component;
  while (fields.next()) {
    if (fields.number() == 1) component = fields.symbol("component");
  }
  return component;
}

void read_core(Fields& fields, EventParts& parts) {
  switch (fields.number()) {
    case 2:
      read_about(fields.message("involvedObject"), parts.event);
      break;
    case 3:
      parts.event.reason = fields.symbol("reason");
      break;
    case 4:
      parts.event.note = fields.string("message");
      break;
    case 5:
      parts.old_reporter = read_component(fields.message("source"));
      break;
    case 6:
      parts.old_first = fields.time("firstTimestamp");
      break;
    case 7:
      parts.old_last = fields.time("lastTimestamp");
      break;
    case 8:
      parts.old_count = fields.int32("count");
      break;
    case 10:
      parts.event_time = fields.time("eventTime");
      break;
    case 11:
      read_series(fields.message("series"), parts);
      break;
    case 14:
      parts.event.reporter = fields.symbol("reportingComponent");
      break;
  }
}

void read_new(Fields& fields, EventParts& parts) {
  switch (fields.number()) {
    case 2:
      parts.event_time = fields.time("eventTime");
      break;
    case 3:
      read_series(fields.message("series"), parts);
      break;
    case 4:
      parts.event.reporter = fields.symbol("reportingController");
      break;
    case 7:
      parts.event.reason = fields.symbol("reason");
      break;
    case 8:
      read_about(fields.message("regarding"), parts.event);
      break;
    case 10:
      parts.event.note = fields.string("note");
      break;
    case 12:
      parts.old_reporter = read_component(fields.message("deprecatedSource"));
      break;
    case 13:
      parts.old_first = fields.time("deprecatedFirstTimestamp");
      break;
    case 14:
      parts.old_last = fields.time("deprecatedLastTimestamp");
      break;
    case 15:
      parts.old_count = fields.int32("deprecatedCount");
      break;
  }
}

std::optional<Timestamp> first_of(std::initializer_list<std::optional<Timestamp>> moments) {
  for (const auto& moment : moments) {
    if (moment) return moment;
  }
  return std::nullopt;
}

void finish(ObjectMeta& meta, EventParts& parts) {
  auto& event = parts.event;
  event.first = first_of({parts.old_first, parts.event_time, meta.created});
  event.last = first_of({parts.series_last, parts.old_last, parts.event_time, event.first});
  event.count = static_cast<std::uint32_t>(std::max({1, parts.old_count, parts.series_count}));
  if (event.reporter.empty()) event.reporter = parts.old_reporter;
}

Result<Decoded<model::Event>> decode(std::string_view object,
                                     void (*read_field)(Fields&, EventParts&)) {
  auto parts = decode_object<EventParts>(object, read_field, finish);
  if (!parts) return fail(parts.error());
  return Decoded<model::Event>{std::move(parts->meta), std::move(parts->object.event)};
}

}  // namespace

Result<Decoded<model::Event>> decode_core_event(std::string_view object) {
  return decode(object, read_core);
}

Result<Decoded<model::Event>> decode_event(std::string_view object) {
  return decode(object, read_new);
}

}  // namespace schedlens::kube
