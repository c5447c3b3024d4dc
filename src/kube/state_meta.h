// SPDX-License-Identifier: Apache-2.0
#pragma once
// Objects in the detail of model/kube_state.h, each from its protobuf bytes: what all share.

#include "kube/fields.h"
#include "model/kube_state.h"

namespace schedlens::kube {

// Every label is there: whoever keeps the object drops those that nobody asked for.
model::StateMeta read_state_meta(Fields fields);

// Types with type, status and reason under the API's usual numbers; others say theirs.
model::ConditionText read_condition_text(Fields fields, std::uint32_t reason_field);

// read_field(fields, object) for every field but the metadata; finish(object) at the end.
template <class T, class ReadField, class Finish>
Result<T> decode_state(std::string_view bytes, ReadField read_field, Finish finish) {
  return decoded([&] {
    Fields fields(bytes);
    T object;
    while (fields.next()) {
      if (fields.number() == 1) {
        object.meta = read_state_meta(fields.message("metadata"));
      } else {
        read_field(fields, object);
      }
    }
    finish(object);
    return object;
  });
}
template <class T, class ReadField>
Result<T> decode_state(std::string_view bytes, ReadField read_field) {
  return decode_state<T>(bytes, read_field, [](T&) {});
}

}  // namespace schedlens::kube
