// SPDX-License-Identifier: Apache-2.0
#pragma once
// The frame of an object's message, which all types share: metadata is field 1.

#include <utility>

#include "kube/decode_objects.h"
#include "kube/fields.h"
#include "kube/meta.h"

namespace schedlens::kube {

// read_field(fields, object) for every other field, then finish(meta, object).
template <class T, class ReadField, class Finish>
Result<Decoded<T>> decode_object(std::string_view bytes, ReadField read_field, Finish finish) {
  return decoded([&] {
    Fields fields(bytes);
    ObjectMeta meta;
    T object;
    while (fields.next()) {
      if (fields.number() == 1) {
        meta = read_object_meta(fields.message("metadata"));
      } else {
        read_field(fields, object);
      }
    }
    finish(meta, object);
    return Decoded<T>{std::move(meta.meta), std::move(object)};
  });
}

// read_field(inner) for every field of the message that outer stands at.
template <class ReadField>
void each_field(Fields& outer, const char* name, ReadField read_field) {
  auto inner = outer.message(name);
  while (inner.next()) read_field(inner);
}

}  // namespace schedlens::kube
