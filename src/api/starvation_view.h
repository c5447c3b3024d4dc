// SPDX-License-Identifier: Apache-2.0
#pragma once
// `schedlens starvation` and /api/v1/starvation as a document.

#include "api/view.h"
#include "base/json_writer.h"
#include "diagnose/starvation.h"

namespace schedlens::api {

void write_starvation(JsonWriter& json, const View& view, const diagnose::Starvation& starvation);

}  // namespace schedlens::api
