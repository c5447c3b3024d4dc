// SPDX-License-Identifier: Apache-2.0
#include "cli/guard.h"

#include <fmt/format.h>

#include "base/files.h"
#include "base/log.h"
#include "base/text.h"
#include "cli/alerts.h"

namespace schedlens::cli {
namespace {

Result<baseline::Calendar> calendar_of(const Config& config) {
  auto weekend = baseline::parse_weekend(config.baseline_weekend);
  if (!weekend) return fail(weekend.error().within("baseline.weekend"));
  std::vector<baseline::Holiday> holidays;
  if (!config.baseline_holidays.empty()) {
    const auto text = read_file(config.baseline_holidays);
    if (!text) return fail(text.error().within("baseline.holidays"));
    auto read = baseline::parse_holidays(*text);
    if (!read) return fail(read.error().within(config.baseline_holidays));
    holidays = std::move(*read);
  }
  return baseline::Calendar(*weekend, std::move(holidays));
}

Result<std::vector<alert::Rule>> rules_of(const std::string& directory) {
  auto files = alert::with_directory(directory);
  if (!files) return fail(files.error());
  auto set = alert::load_rules(*files, known_metrics());
  if (!set) return fail(set.error());
  return std::move(set->rules);
}

Result<alert::Labels> labels_of(const std::string& text) {
  alert::Labels labels;
  for (auto part : split(text, ',')) {
    const auto pair = cut(trim(part), '=');
    if (!pair || pair->first.empty()) {
      return fail("alerts.labels: '{}' is not like cluster=lab", printable(part));
    }
    labels.emplace(pair->first, pair->second);
  }
  return labels;
}

std::vector<std::string> list_of(const std::string& text) {
  std::vector<std::string> list;
  for (auto part : split(text, ',')) {
    if (part = trim(part); !part.empty()) list.emplace_back(part);
  }
  return list;
}

Result<alert::HttpReceiver> http_receiver(const Config& config, const std::string& url) {
  alert::HttpReceiver receiver{.url = url, .ca_file = config.alerts_ca_file};
  receiver.link = config.alerts_link;
  if (!config.alerts_token_file.empty()) {
    const auto token = read_file(config.alerts_token_file);
    if (!token) return fail(token.error().within("alerts.token_file"));
    receiver.headers.push_back(fmt::format("Authorization: Bearer {}", trim(*token)));
  }
  return receiver;
}

// "alertmanager", and "alertmanager 2" of several.
std::string receiver_name(std::string_view kind, std::size_t index) {
  return index == 0 ? std::string(kind) : fmt::format("{} {}", kind, index + 1);
}

Status add_receivers(const Config& config, os::ProcessRunner& runner, watch::Alarms& alarms) {
  const auto managers = list_of(config.alerts_alertmanager);
  for (std::size_t i = 0; i < managers.size(); ++i) {
    auto receiver = http_receiver(config, managers[i]);
    if (!receiver) return fail(receiver.error());
    alarms.add_receiver(receiver_name("alertmanager", i), alert::Hearing::alertmanager(),
                        alert::alertmanager(std::move(*receiver)));
  }
  const auto hooks = list_of(config.alerts_webhook);
  for (std::size_t i = 0; i < hooks.size(); ++i) {
    auto receiver = http_receiver(config, hooks[i]);
    if (!receiver) return fail(receiver.error());
    alarms.add_receiver(receiver_name("webhook", i), alert::Hearing::events(),
                        alert::webhook(std::move(*receiver)));
  }
  if (!config.alerts_command.empty()) {
    alert::ProgramReceiver receiver{.argv = {"/bin/sh", "-c", config.alerts_command}};
    receiver.link = config.alerts_link;
    alarms.add_receiver("command", alert::Hearing::events(),
                        alert::program(std::move(receiver), runner));
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<Guard>> Guard::open(const Config& config, Keeper* keeper,
                                           os::ProcessRunner& runner, const os::Clock& clock) {
  if (auto zone = baseline::use_zone(config.baseline_zone); !zone) {
    return fail(zone.error().within("baseline.time_zone"));
  }
  auto calendar = calendar_of(config);
  if (!calendar) return fail(calendar.error());
  auto rules = rules_of(config.alerts_rules);
  if (!rules) return fail(rules.error());
  auto labels = labels_of(config.alerts_labels);
  if (!labels) return fail(labels.error());
  auto guard = std::unique_ptr<Guard>(
      new Guard(std::move(*calendar), std::move(*rules), std::move(*labels), clock));
  if (keeper) {
    guard->data_dir_ = config.data_directory;
    keeper->remembered().read([&](memory::Reader& reader) {
      guard->alarms_.remember(keeper->store(), reader);
      if (auto read = guard->usual_.read_back(reader, clock.now()); !read) {
        log::warning("what is usual is learnt from now on: {}", read.error().message());
      }
      for (const auto& problem : reader.take_problems()) {
        log::warning("data directory: {}", problem);
      }
      return 0;
    });
  }
  if (auto added = add_receivers(config, runner, guard->alarms_); !added) {
    return fail(added.error());
  }
  return guard;
}

void Guard::look(const api::Context& context, const std::vector<metrics::Sample>* minute) {
  const auto now = context.now();
  if (minute) usual_.feed({now.unix_seconds / 60 * 60}, *minute);
  const auto analysed = context.live.current();
  if (!analysed) return;
  if (!data_dir_.empty()) alarms_.take_requests(data_dir_, now);
  auto input = api::metrics_input(context, analysed.get());
  input.prefixes = alarms_.families();
  alarms_.evaluate(now, metrics::render(&analysed->snapshot, input), usual_.judged());
  auto rows = std::make_shared<metrics::WatchRows>();
  rows->baselines = usual_.rows();
  alarms_.fill(*rows);
  const std::lock_guard lock(mutex_);
  rows_ = std::move(rows);
}

Status Guard::reload_rules(const std::string& directory) {
  auto rules = rules_of(directory);
  if (!rules) return fail(rules.error());
  alarms_.set_rules(std::move(*rules));
  return {};
}

std::shared_ptr<const metrics::WatchRows> Guard::rows() const {
  const std::lock_guard lock(mutex_);
  return rows_;
}

}  // namespace schedlens::cli
