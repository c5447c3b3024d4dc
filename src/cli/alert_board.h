// SPDX-License-Identifier: Apache-2.0
#pragma once
// `schedlens alerts list`, `silence` and `unsilence`: the alerts of a running server.

#include <string>
#include <vector>

#include "alert/board.h"
#include "cli/style.h"

namespace schedlens::cli {

struct Context;

struct SilenceOptions {
  std::string data_dir;
  std::vector<std::string> matchers;  // "partition=train"
  std::string id;                     // to remove
  std::string duration = "2h", start, every;
  std::string author, comment;
};

int run_alert_list(Context& context, const std::string& server);
int run_silence(Context& context, const SilenceOptions& options);
int run_unsilence(Context& context, const SilenceOptions& options);

std::string render_alerts(const alert::Board& board, const Style& style);

}  // namespace schedlens::cli
