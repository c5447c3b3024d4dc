// SPDX-License-Identifier: Apache-2.0
// The alerts of a server, read back from its document.
#include "api/alerts_view.h"
#include "api/read_json.h"

namespace schedlens::api {
namespace {

template <class Named>
void take_named(JsonElement e, std::string_view member, Named& value,
                std::initializer_list<Named> all, std::string_view (*name)(Named)) {
  std::string text;
  take(e, member, text);
  for (const auto one : all) {
    if (name(one) == text) value = one;
  }
}

alert::Alert read_alert(JsonElement e) {
  using alert::Ending;
  using alert::Phase;
  using alert::Severity;
  alert::Alert a;
  take(e, "rule", a.rule);
  take_named(e, "severity", a.severity, {Severity::kCritical, Severity::kWarning},
             alert::severity_name);
  take_named(e, "phase", a.phase, {Phase::kPending, Phase::kFiring, Phase::kEnded},
             alert::phase_name);
  take_named(e, "ending", a.ending, {Ending::kResolved, Ending::kGone, Ending::kRuleGone},
             alert::ending_name);
  each_member(e, "labels", [&](std::string_view name, std::string_view value) {
    a.labels.emplace(name, value);
  });
  take(e, "active_since", a.active_since);
  take(e, "firing_since", a.firing_since);
  take(e, "ended_at", a.ended_at);
  a.value = take_number(e, "value");
  take(e, "summary", a.summary);
  take(e, "meaning", a.meaning);
  take(e, "remedy", a.remedy);
  take(e, "names", a.names.first);
  std::uint64_t names = 0;
  take(e, "name_count", names);
  a.names.count = names;
  take(e, "usual", a.usual);
  take(e, "unknown_since", a.unknown_since);
  take(e, "unknown_why", a.unknown_why);
  take(e, "inhibited_by", a.inhibited_by);
  take(e, "silenced_by", a.silenced_by);
  return a;
}

alert::Silence read_silence(JsonElement e) {
  alert::Silence s;
  take(e, "id", s.id);
  std::vector<std::string> matchers;
  take(e, "matchers", matchers);
  for (const auto& text : matchers) {
    if (auto matcher = alert::parse_matcher(text)) s.matchers.push_back(std::move(*matcher));
  }
  take(e, "from", s.from);
  take(e, "until", s.until);
  take(e, "every", s.every);
  take(e, "author", s.author);
  take(e, "comment", s.comment);
  return s;
}

}  // namespace

Result<alert::Board> read_alerts(std::string_view document) {
  alert::Board board;
  auto read = with_document(document, "alerts", [&](JsonElement root) {
    take(root, "time", board.time);
    each(root, "alerts", [&](JsonElement e) { board.alerts.push_back(read_alert(e)); });
    each(root, "silences", [&](JsonElement e) { board.silences.push_back(read_silence(e)); });
    each(root, "receivers", [&](JsonElement e) {
      alert::ReceiverHealth r;
      take(e, "name", r.name);
      std::uint64_t waiting = 0;
      take(e, "waiting", waiting);
      r.waiting = waiting;
      take(e, "error", r.error);
      take(e, "last_success", r.last_success);
      board.receivers.push_back(std::move(r));
    });
    take(root, "notes", board.notes);
  });
  if (!read) return fail(read.error());
  return board;
}

}  // namespace schedlens::api
