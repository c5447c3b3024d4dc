// SPDX-License-Identifier: Apache-2.0
#pragma once
// The protobuf half of envelope.h. Field numbers: generated.proto of k8s.io/apimachinery.

#include <string_view>

#include "base/result.h"
#include "kube/envelope.h"

namespace schedlens::kube {

// The object in "k8s\0" and runtime.Unknown.
Result<std::string_view> protobuf_object(std::string_view document);
Result<ListPage> protobuf_list(std::string_view body);
Result<WatchEvent> protobuf_event(std::string_view frame);
Result<ObjectHead> protobuf_head(std::string_view object);
Result<ApiStatus> protobuf_status(std::string_view object);

}  // namespace schedlens::kube
