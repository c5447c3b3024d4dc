// SPDX-License-Identifier: Apache-2.0
#include "cli/keeper.h"

#include "api/pending_causes.h"
#include "base/log.h"
#include "metrics/samples.h"

namespace schedlens::cli {
namespace {

constexpr std::int64_t kSecondsOfDay = 86'400;
constexpr std::int64_t kSecondsOfMonth = 30 * kSecondsOfDay;
constexpr std::uint64_t kMegabyte = 1'000'000;
constexpr std::uint64_t kGigabyte = 1'000'000'000;

int whole(Seconds time, std::int64_t unit) {
  return static_cast<int>((time.value + unit - 1) / unit);
}

memory::StoreOptions store_options(const Config& config) {
  memory::StoreOptions options;
  options.raw_days = whole(config.data_keep_points, kSecondsOfDay);
  options.rollup_months = whole(config.data_keep_hours, kSecondsOfMonth);
  options.record_months = whole(config.data_keep_records, kSecondsOfMonth);
  options.max_bytes = config.data_max_gigabytes * kGigabyte;
  return options;
}

Result<std::unique_ptr<remote::Writer>> open_elsewhere(const Config& config,
                                                       const os::Clock& clock) {
  const auto& chosen = config.remote_write;
  if (chosen.url.empty()) return nullptr;
  remote::WriterOptions options;
  options.url = chosen.url;
  options.login = chosen.login;
  options.labels = chosen.labels;
  options.queue.max_bytes = chosen.max_queue_megabytes * kMegabyte;
  // Full files are what is dropped: not too much at once.
  options.queue.file_bytes = options.queue.max_bytes / 16;
  return remote::Writer::start(std::filesystem::path(config.data_directory) / "remote-write",
                               std::move(options), clock);
}

std::vector<remote::Sample> to_send(Timestamp time, const std::vector<metrics::Sample>& samples) {
  std::vector<remote::Sample> all;
  all.reserve(samples.size());
  for (const auto& sample : samples) {
    all.push_back(
        {memory::make_key(sample.name, sample.labels), memory::moment_of(time), sample.value});
  }
  return all;
}

history::CauseOf cause_of(const api::Analysed& analysed) {
  auto causes = api::causes_by_id(analysed.snapshot, analysed.causes);
  return [causes = std::move(causes)](model::WorkloadId id) -> std::string_view {
    const auto cause = causes[id.index];
    return cause == diagnose::RootCause::kNone ? "" : diagnose::cause_name(cause);
  };
}

}  // namespace

Result<std::unique_ptr<Keeper>> Keeper::open(const Config& config, const os::Clock& clock) {
  const std::filesystem::path directory = config.data_directory;
  auto store = memory::Store::open(directory, store_options(config), clock);
  if (!store) return fail(store.error());
  auto reader = memory::Reader::open(directory);
  if (!reader) return fail(reader.error());
  auto before = memory::Reader::open(directory);
  if (!before) return fail(before.error());
  auto recorder = history::Recorder::begin(**store, std::move(*before));
  if (!recorder) return fail(recorder.error());
  auto elsewhere = open_elsewhere(config, clock);
  if (!elsewhere) return fail(elsewhere.error());
  return std::unique_ptr<Keeper>(new Keeper(std::move(*store), std::move(*elsewhere),
                                            std::move(*recorder), std::move(*reader)));
}

void Keeper::keep(const api::Context& context) {
  auto analysed = context.live.current();
  if (!analysed || analysed == last_) return;
  last_ = analysed;
  const auto& snapshot = analysed->snapshot;
  recorder_.record(snapshot, cause_of(*analysed));
  log_health();
}

void Keeper::keep(Timestamp time, const std::vector<metrics::Sample>& samples) {
  recorder_.record(time, samples);
  if (elsewhere_) elsewhere_->add(to_send(time, samples));
}

void Keeper::log_health() {
  const auto health = store_->health();
  if (health.ok != failing_) return;
  failing_ = !health.ok;
  if (failing_) {
    log::error("the data directory cannot be written to; kept in memory meanwhile error={}",
               health.error);
  } else {
    log::info("the data directory can be written to again dropped_points={} dropped_records={}",
              health.dropped_points, health.dropped_records);
  }
}

metrics::StoreUse Keeper::use() const {
  const auto health = store_->health();
  return {.up = health.ok,
          .last_write = health.last_written,
          .points = {health.pending_points, health.written_points, health.dropped_points},
          .records = {health.pending_records, health.written_records, health.dropped_records},
          .files_set_aside = health.files_set_aside};
}

std::optional<metrics::RemoteWriteUse> Keeper::remote_use() const {
  if (!elsewhere_) return std::nullopt;
  const auto health = elsewhere_->health();
  return metrics::RemoteWriteUse{.up = health.up,
                                 .last_success = health.last_success,
                                 .pending = health.pending,
                                 .sent = health.sent,
                                 .dropped = health.dropped};
}

}  // namespace schedlens::cli
