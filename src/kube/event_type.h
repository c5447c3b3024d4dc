// SPDX-License-Identifier: Apache-2.0
#pragma once
// Words that watch events are written with in either encoding.

#include <optional>
#include <string_view>

#include "kube/envelope.h"

namespace schedlens::kube {

// The annotation of the bookmark that ends a streaming list.
inline constexpr std::string_view kInitialEventsEnd = "k8s.io/initial-events-end";

inline std::optional<EventType> event_type(std::string_view word) {
  if (word == "ADDED") return EventType::kAdded;
  if (word == "MODIFIED") return EventType::kModified;
  if (word == "DELETED") return EventType::kDeleted;
  if (word == "BOOKMARK") return EventType::kBookmark;
  if (word == "ERROR") return EventType::kError;
  return std::nullopt;
}

}  // namespace schedlens::kube
