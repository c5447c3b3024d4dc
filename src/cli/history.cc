// SPDX-License-Identifier: Apache-2.0
#include "cli/history.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "base/text.h"
#include "base/time_text.h"
#include "cli/layout.h"
#include "cli/table.h"
#include "cli/words.h"

namespace schedlens::cli {

using memory::Bucket;
using memory::EndedWorkload;
using memory::NodeChange;
using Kind = Column::Kind;

namespace {

std::string text_or_dash(const std::string& text) {
  return text.empty() ? "-" : printable(text);
}

std::string time_or_unknown(const std::optional<Timestamp>& time) {
  return time ? local_time(*time) : std::string(kUnknown);
}

// Until it started, or was cancelled.
std::optional<Seconds> waited(const EndedWorkload& r) {
  if (!r.eligible) return std::nullopt;
  return r.started.value_or(r.ended) - *r.eligible;
}

std::optional<Seconds> ran(const EndedWorkload& r) {
  if (!r.started) return std::nullopt;
  return r.ended - *r.started;
}

std::string exit_text(const EndedWorkload& r) {
  if (!r.exit_code) return "-";
  return r.exit_signal.value_or(0) != 0 ? fmt::format("{}:{}", *r.exit_code, *r.exit_signal)
                                        : std::to_string(*r.exit_code);
}

std::string count_text(const std::optional<std::int64_t>& n) {
  return n ? std::to_string(*n) : std::string(kUnknown);
}

Tone tone_of_end(const EndedWorkload& r) {
  if (r.state == "COMPLETED" || r.state == "SUCCEEDED") return Tone::kGood;
  if (r.state == "CANCELLED" || r.state == "REQUEUED" || r.state == "UNKNOWN") return Tone::kDim;
  return Tone::kBad;
}

// What is missing from the answer, and why.
std::string render_problems(const std::vector<std::string>& problems, const Style& style) {
  std::string out;
  for (const auto& problem : problems) {
    out += paint(style, Tone::kWarn, "not read: " + printable(problem)) + '\n';
  }
  return out;
}

template <class Record>
std::string render_rest(const api::HistoryOf<Record>& history, const Style& style) {
  std::string out;
  if (history.more) {
    out += paint(style, Tone::kDim,
                 fmt::format("the newest {}; older ones are left out (--limit)",
                             history.records.size())) +
           '\n';
  }
  return out + render_problems(history.problems, style);
}

std::string number_text(double value) {
  if (std::isnan(value)) return std::string(kUnknown);
  if (std::abs(value) >= 1e6) return fmt::format("{:.4g}", value);
  if (value == std::round(value)) return fmt::format("{:.0f}", value);
  return fmt::format("{:.4g}", value);
}

}  // namespace

std::string render_runs(const api::HistoryOf<EndedWorkload>& runs, const Style& style) {
  Table table({{"JOB"},
               {"USER"},
               {"QUEUE"},
               {"GPUS", Kind::kNumber},
               {"STATE"},
               {"EXIT", Kind::kNumber},
               {"STARTED"},
               {"WAITED", Kind::kNumber},
               {"RAN", Kind::kNumber},
               {"NODES", Kind::kFlexible, 10},
               {"WAITED FOR", Kind::kFlexible, 10}});
  for (const auto& r : runs.records) {
    table.row({printable(r.id), text_or_dash(r.user), text_or_dash(r.queue), count_text(r.gpus),
               Cell(printable(r.state), tone_of_end(r)), exit_text(r),
               r.started ? local_time(*r.started) : std::string("never"), duration(waited(r)),
               r.started ? duration(ran(r)) : std::string("-"),
               r.nodes.empty() ? std::string("-") : fmt::format("{}", fmt::join(r.nodes, ",")),
               text_or_dash(r.last_cause.empty() ? r.last_reason : r.last_cause)});
  }
  const auto list =
      table.empty() ? std::string("no run that ended then is remembered\n") : table.render(style);
  return list + render_rest(runs, style);
}

std::string render_run(const EndedWorkload& r, const Style& style) {
  constexpr std::size_t kLabel = 12;
  std::string out = paint(style, Tone::kBold, printable(r.id)) +
                    (r.name.empty() ? "" : "  " + printable(r.name)) + '\n';
  auto line = [&](std::string_view label, const std::string& text, Tone tone = Tone::kPlain) {
    out += labelled(style, label, kLabel, text, tone);
  };
  line("ended",
       fmt::format("{} at {}{}", printable(r.state), local_time(r.ended),
                   r.exit_code ? ", exit code " + exit_text(r) : ""),
       tone_of_end(r));
  line("of", fmt::format("user {}, account {}, queue {}, QOS {}", text_or_dash(r.user),
                         text_or_dash(r.account), text_or_dash(r.queue), text_or_dash(r.qos)));
  line("submitted", time_or_unknown(r.submitted));
  line("eligible", time_or_unknown(r.eligible));
  if (r.started) {
    line("started", fmt::format("{} after {}", local_time(*r.started), duration(waited(r))));
    line("ran", fmt::format("{}{}", duration(ran(r)),
                            r.time_limit ? " of at most " + short_duration(*r.time_limit) : ""));
  } else {
    line("started", fmt::format("never, in {}", duration(waited(r))));
  }
  line(r.started ? "held" : "asked for",
       fmt::format("{} GPUs, {} CPUs, {} nodes{}", count_text(r.gpus), count_text(r.cpus),
                   count_text(r.nodes_count),
                   r.nodes.empty() ? "" : printable(fmt::format(": {}", fmt::join(r.nodes, ",")))));
  if (r.gpu_seconds) line("GPU hours", fmt::format("{:.1f}", *r.gpu_seconds / 3600));
  if (!r.last_reason.empty() || !r.last_cause.empty()) {
    line("waited for", fmt::format("{} (the scheduler's reason: {})", text_or_dash(r.last_cause),
                                   text_or_dash(r.last_reason)));
  }
  return out;
}

std::string render_node_changes(const api::HistoryOf<NodeChange>& changes, Timestamp until,
                                const Style& style) {
  // Each state lasts until the node's next change.
  std::map<std::string, Timestamp> next;
  std::vector<Seconds> lasted(changes.records.size());
  for (std::size_t i = changes.records.size(); i-- > 0;) {
    const auto& change = changes.records[i];
    const auto [it, last] = next.try_emplace(change.node, until);
    lasted[i] = it->second - change.time;
    it->second = change.time;
  }
  Table table({{"TIME"},
               {"NODE"},
               {"FROM"},
               {"TO"},
               {"FOR", Kind::kNumber},
               {"GPUS", Kind::kNumber},
               {"BY"},
               {"REASON", Kind::kFlexible, 12}});
  for (std::size_t i = 0; i < changes.records.size(); ++i) {
    const auto& c = changes.records[i];
    const auto tone = c.to == "in service" ? Tone::kGood : Tone::kWarn;
    table.row({local_time(c.time), printable(c.node),
               c.from.empty() ? std::string(kUnknown) : printable(c.from),
               Cell(printable(c.to), tone), short_duration(lasted[i]), count_text(c.gpus),
               text_or_dash(c.author), text_or_dash(c.reason)});
  }
  const auto list =
      table.empty() ? std::string("no node left service or came back then\n") : table.render(style);
  return list + render_rest(changes, style);
}

std::string render_fired_alerts(const api::HistoryOf<memory::AlertRecord>& alerts,
                                const Style& style) {
  Table table({{"BEGAN"},
               {"LASTED", Kind::kNumber},
               {"ALERT"},
               {"SEVERITY"},
               {"WHAT", Kind::kFlexible, 30}});
  for (const auto& a : alerts.records) {
    table.row({local_time(a.starts), a.ends ? short_duration(*a.ends - a.starts) : "fires",
               printable(a.rule), printable(a.severity), printable(a.summary)});
  }
  const auto list = table.empty() ? std::string("no alert fired then\n") : table.render(style);
  return list + render_rest(alerts, style);
}

std::string render_config_changes(const api::HistoryOf<api::ConfigChange>& changes,
                                  const Style& style) {
  std::string out;
  for (const auto& change : changes.records) {
    out += paint(style, Tone::kBold,
                 fmt::format("{}  {}", local_time(change.time), printable(change.source)));
    out += change.first ? "  as it was first read\n" : "\n";
    for (const auto& line : change.changes) {
      out += "  " +
             paint(style, line.starts_with('+') ? Tone::kGood : Tone::kBad,
                   cut_to(printable(line), style.width > 2 ? style.width - 2 : 0)) +
             '\n';
    }
  }
  if (out.empty()) out = "no configuration changed then\n";
  return out + render_rest(changes, style);
}

std::string spark_line(const std::vector<Bucket>& buckets, memory::TimeRange time,
                       std::size_t width) {
  constexpr std::array<std::string_view, 8> kLevels = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  struct Mean {
    double sum = 0;
    std::uint64_t n = 0;
    double value() const { return sum / static_cast<double>(n); }
  };
  std::vector<Mean> cells(width);
  const auto span = std::max<std::int64_t>(1, time.to.unix_ms - time.from.unix_ms);
  for (const auto& bucket : buckets) {
    if (bucket.summary.n == 0 || !std::isfinite(bucket.summary.sum)) continue;
    const auto at = std::max<std::int64_t>(0, bucket.start.unix_ms - time.from.unix_ms);
    const auto cell = std::min<std::int64_t>(at * static_cast<std::int64_t>(width) / span,
                                             static_cast<std::int64_t>(width) - 1);
    cells[static_cast<std::size_t>(cell)].sum += bucket.summary.sum;
    cells[static_cast<std::size_t>(cell)].n += bucket.summary.n;
  }
  double low = INFINITY, high = -INFINITY;
  for (const auto& cell : cells) {
    if (cell.n == 0) continue;
    low = std::min(low, cell.value());
    high = std::max(high, cell.value());
  }
  std::string out;
  for (const auto& cell : cells) {
    if (cell.n == 0) {
      out += ' ';
      continue;
    }
    const auto part = high > low ? (cell.value() - low) / (high - low) : 0.0;
    out += kLevels[static_cast<std::size_t>(std::lround(part * (kLevels.size() - 1)))];
  }
  return out;
}

std::string render_series(const api::SeriesHistory& history, memory::TimeRange time,
                          const Style& style) {
  constexpr std::size_t kLine = 48;
  Table table({{"SERIES", Kind::kFlexible, 20},
               {"LEAST", Kind::kNumber},
               {"MEAN", Kind::kNumber},
               {"MOST", Kind::kNumber},
               {"LAST", Kind::kNumber},
               {"OVER TIME"}});
  for (const auto& one : history.series) {
    memory::Summary all;
    for (const auto& bucket : one.buckets) all.add_later(bucket.summary);
    table.row({memory::series_text(one.key), number_text(all.min), number_text(all.mean()),
               number_text(all.max), number_text(all.last), spark_line(one.buckets, time, kLine)});
  }
  if (table.empty()) {
    return "no such series has values then; schedlens history series lists those there are\n" +
           render_problems(history.problems, style);
  }
  const auto basis = fmt::format(
      "from {} to {}, in steps of {}; a blank is unknown", local_time({time.from.unix_ms / 1000}),
      local_time({time.to.unix_ms / 1000}), short_duration({history.step.count() / 1000}));
  return table.render(style) + paint(style, Tone::kDim, basis) + '\n' +
         render_problems(history.problems, style);
}

std::string render_series_names(const api::SeriesNames& names, const Style& style) {
  std::string out;
  for (const auto& key : names.names) out += printable(memory::series_text(key)) + '\n';
  if (out.empty()) out = "no series has values then\n";
  return out + render_problems(names.problems, style);
}

}  // namespace schedlens::cli
