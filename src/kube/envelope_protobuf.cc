// SPDX-License-Identifier: Apache-2.0
#include "kube/envelope_protobuf.h"

#include <protozero/pbf_reader.hpp>

#include "base/text.h"
#include "kube/event_type.h"

namespace schedlens::kube {
namespace {

using protozero::pbf_reader;
using protozero::pbf_wire_type;

constexpr std::string_view kMagic("k8s\0", 4);

std::string_view view(protozero::data_view data) {
  return {data.data(), data.size()};
}
bool is(const pbf_reader& message, std::uint32_t field, pbf_wire_type type) {
  return message.tag() == field && message.wire_type() == type;
}
bool is_bytes(const pbf_reader& message, std::uint32_t field) {
  return is(message, field, pbf_wire_type::length_delimited);
}
std::string text(pbf_reader& message) {
  return std::string(view(message.get_view()));
}

// What the library throws ends here.
template <class Read>
auto guarded(const char* what, Read&& read) -> decltype(read()) {
  try {
    return read();
  } catch (const protozero::exception& e) {
    return fail("{}: not protobuf: {}", what, e.what());
  }
}

void read_list_meta(pbf_reader meta, ListPage& page) {
  while (meta.next()) {
    if (is_bytes(meta, 2)) {
      page.resource_version = text(meta);
    } else if (is_bytes(meta, 3)) {
      page.continue_token = text(meta);
    } else {
      meta.skip();
    }
  }
}

bool is_initial_events_end(pbf_reader annotation) {
  std::string_view key, value;
  while (annotation.next()) {
    if (is_bytes(annotation, 1)) {
      key = view(annotation.get_view());
    } else if (is_bytes(annotation, 2)) {
      value = view(annotation.get_view());
    } else {
      annotation.skip();
    }
  }
  return key == kInitialEventsEnd && value == "true";
}

void read_object_meta(pbf_reader meta, ObjectHead& head) {
  while (meta.next()) {
    if (is_bytes(meta, 1)) {
      head.name = view(meta.get_view());
    } else if (is_bytes(meta, 3)) {
      head.ns = view(meta.get_view());
    } else if (is_bytes(meta, 6)) {
      head.resource_version = view(meta.get_view());
    } else if (is_bytes(meta, 12)) {
      head.initial_events_end |= is_initial_events_end(meta.get_message());
    } else {
      meta.skip();
    }
  }
}

std::string_view raw_extension(pbf_reader extension) {
  std::string_view raw;
  while (extension.next()) {
    if (is_bytes(extension, 1)) {
      raw = view(extension.get_view());
    } else {
      extension.skip();
    }
  }
  return raw;
}

}  // namespace

Result<std::string_view> protobuf_object(std::string_view document) {
  if (!document.starts_with(kMagic)) return fail("not the protobuf of Kubernetes");
  return guarded("envelope", [&]() -> Result<std::string_view> {
    pbf_reader unknown(document.data() + kMagic.size(), document.size() - kMagic.size());
    std::string_view raw;
    while (unknown.next()) {
      if (is_bytes(unknown, 2)) {
        raw = view(unknown.get_view());
      } else {
        unknown.skip();
      }
    }
    return raw;
  });
}

Result<ListPage> protobuf_list(std::string_view body) {
  auto object = protobuf_object(body);
  if (!object) return fail(object.error());
  return guarded("list", [&]() -> Result<ListPage> {
    ListPage page;
    pbf_reader list(object->data(), object->size());
    while (list.next()) {
      if (is_bytes(list, 1)) {
        read_list_meta(list.get_message(), page);
      } else if (is_bytes(list, 2)) {
        page.items.push_back(view(list.get_view()));
      } else {
        list.skip();
      }
    }
    if (page.resource_version.empty()) return fail("list: no resourceVersion");
    return page;
  });
}

Result<WatchEvent> protobuf_event(std::string_view frame) {
  return guarded("watch event", [&]() -> Result<WatchEvent> {
    pbf_reader message(frame.data(), frame.size());
    std::string_view type, raw;
    while (message.next()) {
      if (is_bytes(message, 1)) {
        type = view(message.get_view());
      } else if (is_bytes(message, 2)) {
        raw = raw_extension(message.get_message());
      } else {
        message.skip();
      }
    }
    auto known = event_type(type);
    if (!known) return fail("watch event: unknown type '{}'", printable(type.substr(0, 40)));
    auto object = protobuf_object(raw);
    if (!object) return fail(object.error().within("watch event"));
    return WatchEvent{*known, *object};
  });
}

Result<ObjectHead> protobuf_head(std::string_view object) {
  return guarded("object", [&]() -> Result<ObjectHead> {
    ObjectHead head;
    pbf_reader message(object.data(), object.size());
    while (message.next()) {
      if (is_bytes(message, 1)) {
        read_object_meta(message.get_message(), head);
      } else {
        message.skip();
      }
    }
    return head;
  });
}

Result<ApiStatus> protobuf_status(std::string_view object) {
  return guarded("status", [&]() -> Result<ApiStatus> {
    ApiStatus status;
    pbf_reader message(object.data(), object.size());
    while (message.next()) {
      if (is_bytes(message, 3)) {
        status.message = text(message);
      } else if (is_bytes(message, 4)) {
        status.reason = text(message);
      } else if (is_bytes(message, 5)) {
        auto details = message.get_message();
        while (details.next()) {
          if (is(details, 5, pbf_wire_type::varint)) {
            status.retry_after_seconds = details.get_int32();
          } else {
            details.skip();
          }
        }
      } else if (is(message, 6, pbf_wire_type::varint)) {
        status.code = message.get_int32();
      } else {
        message.skip();
      }
    }
    return status;
  });
}

}  // namespace schedlens::kube
