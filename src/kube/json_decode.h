// SPDX-License-Identifier: Apache-2.0
#pragma once
// The frame of a custom resource's JSON, which all kinds share.

#include <string_view>
#include <utility>

#include "kube/decode_objects.h"
#include "kube/json_meta.h"

namespace schedlens::kube {

// read_part(field) for every field but metadata, then finish(meta). The object is moved from.
template <class T, class Part, class Finish>
Result<Decoded<T>> decode_json(std::string_view document, T& object, Part read_part,
                               Finish finish) {
  JsonMeta meta;
  auto read = each_json_field(document, [&](JsonValue& f) {
    if (f.name() == "metadata") {
      read_json_meta(f, meta);
    } else {
      read_part(f);
    }
  });
  if (!read) return fail(read.error());
  finish(meta);
  return Decoded<T>{std::move(meta.object.meta), std::move(object)};
}

}  // namespace schedlens::kube
