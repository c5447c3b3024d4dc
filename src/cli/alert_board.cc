// SPDX-License-Identifier: Apache-2.0
#include "cli/alert_board.h"

#include <fmt/format.h>
#include <pwd.h>
#include <unistd.h>

#include <ostream>

#include "api/alerts_view.h"
#include "base/text.h"
#include "base/time_text.h"
#include "cli/commands.h"
#include "cli/config.h"
#include "cli/history_source.h"
#include "cli/layout.h"
#include "cli/table.h"
#include "cli/words.h"
#include "net/http_client.h"
#include "os/clock.h"
#include "watch/silence_requests.h"

namespace schedlens::cli {

using alert::Alert;
using alert::Phase;
using Kind = Column::Kind;

namespace {

// The server looks for requests after each read of the scheduler.
constexpr auto kAnswerWithin = std::chrono::seconds(90);

int problem(Context& context, ExitCode code, std::string_view message) {
  context.err << "schedlens: " << message << '\n';
  return code;
}

Tone tone_of(const Alert& a) {
  if (!a.tells()) return Tone::kDim;
  return a.severity == alert::Severity::kCritical ? Tone::kBad : Tone::kWarn;
}

std::string phase_of(const Alert& a) {
  if (a.phase == Phase::kEnded) return std::string(alert::ending_name(a.ending));
  if (!a.silenced_by.empty()) return "silenced";
  if (!a.inhibited_by.empty()) return "inhibited";
  return std::string(alert::phase_name(a.phase));
}

Timestamp since(const Alert& a) {
  if (a.ended_at) return *a.ended_at;
  return a.firing_since.value_or(a.active_since);
}

void add_silences(std::string& out, const alert::Board& board, const Style& style) {
  Table table({{"SILENCE"},
               {"OF", Kind::kFlexible, 12},
               {"FROM"},
               {"UNTIL"},
               {"BY"},
               {"COMMENT", Kind::kFlexible, 12}});
  for (const auto& s : board.silences) {
    if (s.over(board.time)) continue;
    std::string of;
    for (const auto& m : s.matchers) {
      of += fmt::format("{}{}={}", of.empty() ? "" : ", ", m.label, m.pattern.text());
    }
    const auto again = s.every.value > 0 ? " every " + short_duration(s.every) : std::string();
    table.row({s.id, of, local_time(s.from), local_time(s.until) + again, s.author, s.comment});
  }
  if (!table.empty()) out += '\n' + table.render(style);
}

std::string user_name() {
  const auto* user = getpwuid(geteuid());
  return user ? user->pw_name : std::to_string(geteuid());
}

Result<alert::Silence> silence_of(const SilenceOptions& o, Timestamp now) {
  alert::Silence silence;
  for (const auto& text : o.matchers) {
    auto matcher = alert::parse_matcher(text);
    if (!matcher) return fail(matcher.error());
    silence.matchers.push_back(std::move(*matcher));
  }
  silence.from = now;
  if (!o.start.empty()) {
    const auto start = parse_when(o.start, now);
    if (!start) return fail(start.error().within("--start"));
    silence.from = *start;
  }
  const auto lasts = parse_duration(o.duration);
  if (!lasts || lasts->value < 1) return fail("--for is a duration such as 2h or 3d");
  silence.until = silence.from + *lasts;
  if (!o.every.empty()) {
    const auto every = parse_duration(o.every);
    if (!every || every->value < 1) return fail("--every is a duration such as 7d");
    silence.every = *every;
  }
  silence.author = o.author.empty() ? user_name() : o.author;
  silence.comment = o.comment;
  return silence;
}

}  // namespace

std::string render_alerts(const alert::Board& board, const Style& style) {
  Table table({{"ALERT"},
               {"SEVERITY"},
               {"STATE"},
               {"SINCE", Kind::kNumber},
               {"WHAT", Kind::kFlexible, 30}});
  for (const auto& a : board.alerts) {
    auto what = printable(a.summary);
    if (a.unknown_since) {
      what += fmt::format(" (not known since {})", relative(a.unknown_since, board.time));
    }
    if (!a.inhibited_by.empty()) what += fmt::format(" (because of {})", a.inhibited_by);
    table.row({Cell(a.rule, tone_of(a)), std::string(alert::severity_name(a.severity)), phase_of(a),
               relative(since(a), board.time), what});
  }
  auto out = table.empty() ? std::string("no alerts\n") : table.render(style);
  for (const auto& a : board.alerts) {
    if (!a.tells()) continue;
    out += '\n' + paint(style, Tone::kBold, a.rule) + '\n';
    out += labelled(style, "  means", 9, printable(a.meaning));
    out += labelled(style, "  do", 9, printable(a.remedy));
    if (!a.usual.empty()) out += labelled(style, "  usual", 9, printable(a.usual));
  }
  add_silences(out, board, style);
  for (const auto& r : board.receivers) {
    if (r.error.empty()) continue;
    out += '\n' + paint(style, Tone::kWarn,
                        fmt::format("{} is not told: {}", printable(r.name), printable(r.error)));
    out += fmt::format("; {} wait\n", counted(r.waiting, "alert"));
  }
  for (const auto& note : board.notes) out += printable(note) + '\n';
  return out;
}

int run_alert_list(Context& context, const std::string& server) {
  const auto body = net::get_body(net::join_url(server, "/api/v1/alerts"));
  if (!body) return problem(context, kFailure, body.error().message());
  const auto board = api::read_alerts(*body);
  if (!board) return problem(context, kFailure, board.error().message());
  if (context.json) {
    JsonWriter json(2);
    api::write_alerts(json, *board);
    context.out << json.str() << '\n';
  } else {
    context.out << render_alerts(*board, context.style);
  }
  return kOk;
}

int run_silence(Context& context, const SilenceOptions& options) {
  const auto silence = silence_of(options, os::SystemClock().now());
  if (!silence) return problem(context, kUsage, silence.error().message());
  const auto id = watch::request_silence(options.data_dir, *silence, kAnswerWithin);
  if (!id) return problem(context, kFailure, id.error().message());
  context.out << fmt::format("silence {} until {}\n", *id, local_time(silence->until));
  return kOk;
}

int run_unsilence(Context& context, const SilenceOptions& options) {
  const auto id = watch::request_removal(options.data_dir, options.id, kAnswerWithin);
  if (!id) return problem(context, kFailure, id.error().message());
  context.out << fmt::format("silence {} removed\n", *id);
  return kOk;
}

}  // namespace schedlens::cli
