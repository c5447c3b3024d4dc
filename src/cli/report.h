// SPDX-License-Identifier: Apache-2.0
#pragma once
// `schedlens report`: the weekly report, on demand and by a running server.

#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/units.h"
#include "cli/history_source.h"
#include "memory/reader.h"

namespace schedlens::cli {

struct Context;

struct ReportOptions {
  HistoryWhere where;
  std::string week;  // a day in it; empty: the last whole week
  std::string format = "markdown";
  std::string output;  // a file; empty: standard output
};

int run_report(Context& context, const ReportOptions& options);

// Writes the report of the last whole week into the directory, as week-2026-11-23.html, where it is
// not there yet. Whether it wrote one.
Result<bool> write_due_report(memory::Reader& reader, const std::filesystem::path& directory,
                              Timestamp now);

}  // namespace schedlens::cli
