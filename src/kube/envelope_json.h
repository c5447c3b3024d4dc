// SPDX-License-Identifier: Apache-2.0
#pragma once
// The JSON half of envelope.h.

#include <simdjson.h>

#include <string>
#include <string_view>

#include "base/result.h"
#include "kube/envelope.h"

namespace schedlens::kube {

// A parser and the padded copy of the text it reads.
struct JsonDocument {
  simdjson::ondemand::parser parser;
  std::string text;
  simdjson::ondemand::document document;
};

// Views point into the document's copy.
Result<ListPage> json_list(JsonDocument& document, std::string_view body);
Result<WatchEvent> json_event(JsonDocument& document, std::string_view line);
Result<ObjectHead> json_head(JsonDocument& document, std::string_view object);
Result<ApiStatus> json_status(JsonDocument& document, std::string_view object);
Result<std::string> json_git_version(JsonDocument& document, std::string_view body);

}  // namespace schedlens::kube
