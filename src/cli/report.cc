// SPDX-License-Identifier: Apache-2.0
#include "cli/report.h"

#include <fmt/format.h>

#include <ostream>

#include "base/files.h"
#include "base/time_text.h"
#include "cli/commands.h"
#include "net/http_client.h"
#include "os/clock.h"
#include "report/week.h"

namespace schedlens::cli {
namespace {

int problem(Context& context, ExitCode code, std::string_view message) {
  context.err << "schedlens: " << message << '\n';
  return code;
}

std::string formatted(const report::Document& document, std::string_view format) {
  if (format == "html") return report::html(document);
  if (format == "json") return report::json(document);
  return report::markdown(document);
}

Result<std::string> fetch(const ReportOptions& o, std::string_view format, Timestamp day) {
  const auto path = fmt::format("/api/v1/report?week={}&format={}", day.unix_seconds, format);
  return net::get_body(net::join_url(o.where.server, path));
}

Result<std::string> make(const ReportOptions& o, std::string_view format, report::Period week,
                         Timestamp now) {
  auto reader = memory::Reader::open(o.where.data_dir);
  if (!reader) return fail(reader.error());
  auto document = report::weekly(*reader, week, now);
  if (!document) return fail(document.error());
  return formatted(*document, format);
}

}  // namespace

int run_report(Context& context, const ReportOptions& o) {
  if (o.where.server.empty() && o.where.data_dir.empty()) {
    return problem(context, kUsage,
                   "a report of what? --server URL asks a running schedlens serve, --data-dir DIR "
                   "reads where one keeps its history");
  }
  const auto now = os::SystemClock().now();
  auto week = report::last_whole_week(now);
  if (!o.week.empty()) {
    const auto day = parse_when(o.week, now);
    if (!day) return problem(context, kUsage, day.error().within("--week").message());
    week = report::week_of(*day);
  }
  const auto format = context.json ? std::string("json") : o.format;
  const auto text =
      o.where.data_dir.empty() ? fetch(o, format, week.from) : make(o, format, week, now);
  if (!text) return problem(context, kFailure, text.error().message());
  if (o.output.empty()) {
    context.out << *text;
    return kOk;
  }
  if (auto written = write_file(o.output, *text); !written) {
    return problem(context, kFailure, written.error().message());
  }
  return kOk;
}

Result<bool> write_due_report(memory::Reader& reader, const std::filesystem::path& directory,
                              Timestamp now) {
  const auto week = report::last_whole_week(now);
  const auto path = directory / fmt::format("week-{}.html", local_time(week.from).substr(0, 10));
  std::error_code error;
  if (std::filesystem::exists(path, error)) return false;
  std::filesystem::create_directories(directory, error);
  auto document = report::weekly(reader, week, now);
  if (!document) return fail(document.error());
  if (auto written = write_file(path, report::html(*document)); !written) {
    return fail(written.error());
  }
  return true;
}

}  // namespace schedlens::cli
