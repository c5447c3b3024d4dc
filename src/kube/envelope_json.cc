// SPDX-License-Identifier: Apache-2.0
#include "kube/envelope_json.h"

#include "base/text.h"
#include "kube/event_type.h"

namespace schedlens::kube {
namespace {

namespace od = simdjson::ondemand;
using simdjson::error_code;
using simdjson::SUCCESS;

Result<od::object> open(JsonDocument& d, std::string_view text, const char* what) {
  d.text.assign(text);
  d.text.resize(text.size() + simdjson::SIMDJSON_PADDING, ' ');
  auto bad = d.parser.iterate(d.text.data(), text.size(), d.text.size()).get(d.document);
  od::object object;
  if (bad == SUCCESS) bad = d.document.get_object().get(object);
  if (bad != SUCCESS) return fail("{}: not a JSON object: {}", what, simdjson::error_message(bad));
  return object;
}

// Calls take(key, value) for every field; keys compare as written, none that counts is escaped.
template <class Take>
error_code each_field(od::object object, Take&& take) {
  for (auto field : object) {
    od::raw_json_string key;
    od::value value;
    if (auto bad = field.key().get(key)) return bad;
    if (auto bad = field.value().get(value)) return bad;
    if (auto bad = take(key, value)) return bad;
  }
  return SUCCESS;
}

error_code take_text(od::value value, std::string_view& into) {
  bool null = false;
  if (auto bad = value.is_null().get(null); bad || null) return bad;
  return value.get_string().get(into);
}
error_code take_text(od::value value, std::string& into) {
  std::string_view text;
  auto bad = take_text(value, text);
  into = text;
  return bad;
}

error_code take_list_meta(od::value value, ListPage& page) {
  od::object meta;
  if (auto bad = value.get_object().get(meta)) return bad;
  return each_field(meta, [&](od::raw_json_string key, od::value v) -> error_code {
    if (key == "resourceVersion") return take_text(v, page.resource_version);
    if (key == "continue") return take_text(v, page.continue_token);
    return SUCCESS;
  });
}

error_code take_items(od::value value, ListPage& page) {
  bool null = false;
  if (auto bad = value.is_null().get(null); bad || null) return bad;
  od::array items;
  if (auto bad = value.get_array().get(items)) return bad;
  for (auto item : items) {
    od::object object;
    std::string_view raw;
    if (auto bad = item.get_object().get(object)) return bad;
    if (auto bad = object.raw_json().get(raw)) return bad;
    page.items.push_back(raw);
  }
  return SUCCESS;
}

error_code take_annotations(od::value value, ObjectHead& head) {
  bool null = false;
  if (auto bad = value.is_null().get(null); bad || null) return bad;
  od::object annotations;
  if (auto bad = value.get_object().get(annotations)) return bad;
  return each_field(annotations, [&](od::raw_json_string key, od::value v) -> error_code {
    if (!(key == kInitialEventsEnd)) return SUCCESS;
    std::string_view text;
    auto bad = take_text(v, text);
    head.initial_events_end = text == "true";
    return bad;
  });
}

error_code take_object_meta(od::value value, ObjectHead& head) {
  od::object meta;
  if (auto bad = value.get_object().get(meta)) return bad;
  return each_field(meta, [&](od::raw_json_string key, od::value v) -> error_code {
    if (key == "name") return take_text(v, head.name);
    if (key == "namespace") return take_text(v, head.ns);
    if (key == "resourceVersion") return take_text(v, head.resource_version);
    if (key == "annotations") return take_annotations(v, head);
    return SUCCESS;
  });
}

error_code take_details(od::value value, ApiStatus& status) {
  bool null = false;
  if (auto bad = value.is_null().get(null); bad || null) return bad;
  od::object details;
  if (auto bad = value.get_object().get(details)) return bad;
  return each_field(details, [&](od::raw_json_string key, od::value v) -> error_code {
    if (!(key == "retryAfterSeconds")) return SUCCESS;
    std::int64_t seconds = 0;
    auto bad = v.get_int64().get(seconds);
    if (!bad && seconds >= 0 && seconds <= INT32_MAX) {
      status.retry_after_seconds = static_cast<int>(seconds);
    }
    return bad;
  });
}

}  // namespace

Result<ListPage> json_list(JsonDocument& d, std::string_view body) {
  auto object = open(d, body, "list");
  if (!object) return fail(object.error());
  ListPage page;
  auto bad = each_field(*object, [&](od::raw_json_string key, od::value v) -> error_code {
    if (key == "metadata") return take_list_meta(v, page);
    if (key == "items") return take_items(v, page);
    return SUCCESS;
  });
  if (bad != SUCCESS) return fail("list: {}", simdjson::error_message(bad));
  if (page.resource_version.empty()) return fail("list: no resourceVersion");
  return page;
}

Result<WatchEvent> json_event(JsonDocument& d, std::string_view line) {
  auto object = open(d, line, "watch event");
  if (!object) return fail(object.error());
  std::string_view type, raw;
  auto bad = each_field(*object, [&](od::raw_json_string key, od::value v) -> error_code {
    if (key == "type") return take_text(v, type);
    if (!(key == "object")) return SUCCESS;
    od::object inner;
    if (auto wrong = v.get_object().get(inner)) return wrong;
    return inner.raw_json().get(raw);
  });
  if (bad != SUCCESS) return fail("watch event: {}", simdjson::error_message(bad));
  auto known = event_type(type);
  if (!known) return fail("watch event: unknown type '{}'", printable(type.substr(0, 40)));
  if (raw.empty()) return fail("watch event: no object");
  return WatchEvent{*known, raw};
}

Result<ObjectHead> json_head(JsonDocument& d, std::string_view text) {
  auto object = open(d, text, "object");
  if (!object) return fail(object.error());
  ObjectHead head;
  auto bad = each_field(*object, [&](od::raw_json_string key, od::value v) -> error_code {
    return key == "metadata" ? take_object_meta(v, head) : SUCCESS;
  });
  if (bad != SUCCESS) return fail("object: {}", simdjson::error_message(bad));
  return head;
}

Result<ApiStatus> json_status(JsonDocument& d, std::string_view text) {
  auto object = open(d, text, "status");
  if (!object) return fail(object.error());
  ApiStatus status;
  auto bad = each_field(*object, [&](od::raw_json_string key, od::value v) -> error_code {
    if (key == "reason") return take_text(v, status.reason);
    if (key == "message") return take_text(v, status.message);
    if (key == "details") return take_details(v, status);
    if (!(key == "code")) return SUCCESS;
    std::int64_t code = 0;
    auto wrong = v.get_int64().get(code);
    status.code = code > 0 && code < 1000 ? static_cast<int>(code) : 0;
    return wrong;
  });
  if (bad != SUCCESS) return fail("status: {}", simdjson::error_message(bad));
  return status;
}

Result<std::string> json_git_version(JsonDocument& d, std::string_view body) {
  auto object = open(d, body, "version");
  if (!object) return fail(object.error());
  std::string version;
  auto bad = each_field(*object, [&](od::raw_json_string key, od::value v) -> error_code {
    return key == "gitVersion" ? take_text(v, version) : SUCCESS;
  });
  if (bad != SUCCESS) return fail("version: {}", simdjson::error_message(bad));
  if (version.empty()) return fail("version: no gitVersion");
  return version;
}

}  // namespace schedlens::kube
