// SPDX-License-Identifier: Apache-2.0
#pragma once
// Alerts as a JSON document: what a server answers, and read back by the command that asks it.

#include <string_view>

#include "alert/board.h"
#include "base/json_writer.h"
#include "base/result.h"

namespace schedlens::api {

void write_alerts(JsonWriter& json, const alert::Board& board);
// Fails on what is no such document.
Result<alert::Board> read_alerts(std::string_view document);

}  // namespace schedlens::api
