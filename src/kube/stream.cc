// SPDX-License-Identifier: Apache-2.0
#include "kube/stream.h"

#include "base/text.h"
#include "net/http_client.h"

namespace schedlens::kube {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kMaxPage = std::size_t{1} << 30;
constexpr std::size_t kMaxErrorBody = 64 << 10;

std::string where(const ObjectHead& head) {
  std::string out(head.ns);
  if (!out.empty()) out += '/';
  return out.append(head.name);
}

}  // namespace

Stream::Stream(const Resource& resource, Sink& sink, StreamOptions options, std::uint32_t seed)
    : resource_(resource),
      sink_(sink),
      options_(std::move(options)),
      backoff_(seed),
      reader_(resource.encoding),
      frames_(resource.encoding),
      page_size_(options_.page_size) {
  status_.name = title(resource);
  status_.feeds = resource.feeds;
}

std::chrono::steady_clock::time_point Stream::due() const {
  if (!in_flight_) return due_;
  bool waits = step_ == Step::kStreamingList && listing_ && good_;
  return waits ? bookmark_due_ : SteadyTime::max();
}

std::optional<Ask> Stream::poll(Moment now) {
  if (in_flight_) {
    if (due() > now.steady) return std::nullopt;
    // Servers that do not know streaming lists leave the parameter aside and never end the list.
    list_in_pages_from_now(now);
  }
  if (due_ > now.steady) return std::nullopt;

  if (!resource_version_.empty()) {
    step_ = Step::kWatch;
  } else if (continue_.empty() && now.steady >= pages_until_) {
    step_ = Step::kStreamingList;
  } else {
    step_ = Step::kPagedList;
  }
  Ask ask;
  ask.path = path_for(step_);
  ask.accept = media_type(resource_.encoding);
  ask.idle_timeout = step_ == Step::kPagedList ? options_.list_silence : options_.watch_silence;
  if (step_ == Step::kPagedList) ask.max_body = kMaxPage;
  ask.fresh_connection = std::exchange(fresh_connection_, false);
  ask.renew_credentials = std::exchange(renew_credentials_, false);

  in_flight_ = true;
  good_ = events_seen_ = false;
  head_ = {};
  body_.clear();
  frames_.clear();
  sent_ = now.steady;
  if (step_ != Step::kWatch && !listing_) list_began_ = now.steady;
  status_.last_attempt = now.wall;
  return ask;
}

std::string Stream::path_for(Step step) {
  auto path = collection_path(resource_, resource_.versions[version_], options_.ns);
  std::string query;
  if (step == Step::kPagedList) {
    query = fmt::format("limit={}", page_size_);
    if (!continue_.empty()) query += "&continue=" + net::percent_encode(continue_);
  } else {
    auto seconds = 300 + backoff_.up_to(300s).count() / 1000;
    query = fmt::format("watch=1&allowWatchBookmarks=true&timeoutSeconds={}", seconds);
    query += step == Step::kWatch ? "&resourceVersion=" + net::percent_encode(resource_version_)
                                  : "&sendInitialEvents=true&resourceVersionMatch=NotOlderThan";
  }
  if (!resource_.field_selector.empty()) {
    query += "&fieldSelector=" + net::percent_encode(std::string(resource_.field_selector));
  }
  return path + "?" + query;
}

void Stream::head(const net::ResponseHead& head, Moment now) {
  head_ = head;
  good_ = head.status == 200 && head.content_type.starts_with(media_type(resource_.encoding));
  opened_ = now.steady;
  if (!good_) return;
  renewed_ = renew_credentials_ = false;
  refusals_in_row_ = 0;
  if (step_ == Step::kStreamingList) {
    begin_list();
    bookmark_due_ = now.steady + options_.bookmark_patience;
  } else if (step_ == Step::kWatch) {
    ++status_.reads;
    current(now);
  }
}

void Stream::data(std::string_view piece, Moment now) {
  if (!good_) {
    body_.append(piece.substr(0, kMaxErrorBody - std::min(kMaxErrorBody, body_.size())));
    return;
  }
  list_bytes_ += piece.size();
  if (step_ == Step::kPagedList) {
    body_.append(piece);
    return;
  }
  if (!listing_) current(now);
  frames_.add(piece);
  while (in_flight_) {
    auto frame = frames_.next();
    if (!frame) {
      fruitless_watch();
      retry_after_failure(Condition::kFailing, frame.error().message(), now);
      return;
    }
    if (!*frame) return;
    on_frame(**frame, now);
  }
}

void Stream::on_frame(std::string_view frame, Moment now) {
  auto event = reader_.event(frame);
  if (!event) {
    cannot_read("", event.error());
    return;
  }
  if (event->type == EventType::kError) {
    on_error_event(event->object, now);
    return;
  }
  if (event->type != EventType::kBookmark) {
    on_object(*event, now);
    return;
  }
  auto head = reader_.head(event->object);
  if (!head || head->resource_version.empty()) return;
  events_seen_ = true;
  if (!listing_) {
    resource_version_ = head->resource_version;
    failures_in_row_ = expired_in_row_ = fruitless_watches_ = 0;
  } else if (head->initial_events_end) {
    end_list(std::string(head->resource_version), now);
  }
}

void Stream::on_object(const WatchEvent& event, Moment now) {
  if (event.type == EventType::kDeleted) {
    auto removed = sink_.remove(event.object);
    if (!removed) {
      cannot_read(event.object, removed.error());
    } else if (list_count_ > 0) {
      --list_count_;
    }
  } else {
    list_count_ += event.type == EventType::kAdded;
    take(event.object);
  }
  auto head = reader_.head(event.object);
  if (event.type == EventType::kDeleted && head && !unreadable_.empty()) {
    unreadable_.forget(where(*head));
  }
  events_seen_ = true;
  if (listing_) {
    bookmark_due_ = now.steady + options_.bookmark_patience;
    return;
  }
  if (head && !head->resource_version.empty()) resource_version_ = head->resource_version;
  failures_in_row_ = expired_in_row_ = fruitless_watches_ = 0;
}

void Stream::take(std::string_view object) {
  if (auto taken = sink_.take(object); !taken) {
    cannot_read(object, taken.error());
  } else if (!unreadable_.empty()) {
    if (auto head = reader_.head(object)) unreadable_.forget(where(*head));
  }
}

void Stream::cannot_read(std::string_view object, const Error& why) {
  auto head = object.empty() ? Result<ObjectHead>(ObjectHead{}) : reader_.head(object);
  auto name = head ? where(*head) : "";
  // What has no name is told apart by nothing.
  unreadable_.add(name.empty() ? fmt::format("#{}", unreadable_.count()) : name,
                  printable(why.message().substr(0, 500)));
}

void Stream::on_error_event(std::string_view object, Moment now) {
  auto status = reader_.error_object(object);
  if (!status) {
    fruitless_watch();
    retry_after_failure(Condition::kFailing, status.error().message(), now);
    return;
  }
  status->message = printable(status->message);
  on_status(*status, now);
}

void Stream::begin_list() {
  listing_ = true;
  list_count_ = list_bytes_ = 0;
  unreadable_.clear();
  sink_.use_version(api_version(resource_.versions[version_]));
  sink_.begin_list();
}

void Stream::end_list(std::string resource_version, Moment now) {
  listing_ = false;
  step_ = Step::kWatch;  // a streamed list goes on as one
  resource_version_ = std::move(resource_version);
  continue_.clear();
  page_size_ = options_.page_size;
  broken_streamed_lists_ = 0;
  loaded_ = true;
  missed_ = false;
  ++status_.reads;
  status_.seconds = std::chrono::duration<double>(now.steady - list_began_).count();
  sink_.end_list();
  current(now);
}

void Stream::end_page(Moment now) {
  auto page = reader_.list(body_);
  if (!page) {
    listing_ = false;
    continue_.clear();
    retry_after_failure(Condition::kFailing, page.error().message(), now);
    return;
  }
  if (continue_.empty()) {
    auto bytes = list_bytes_;
    begin_list();
    list_bytes_ = bytes;
  }
  for (auto item : page->items) take(item);
  list_count_ += page->items.size();
  continue_ = page->continue_token;
  if (continue_.empty()) end_list(page->resource_version, now);
  body_ = {};
  retry_at(now.steady);
}

void Stream::current(Moment now) {
  condition_ = Condition::kCurrent;
  status_.error.clear();
  status_.last_success = now.wall;
}

model::SourceStatus Stream::status(Moment now) const {
  auto status = status_;
  status.records = list_count_;
  status.bytes = list_bytes_;
  status.unreadable_records = unreadable_.count();
  status.warnings = unreadable_.examples();
  using model::SourceState;
  switch (condition_) {
    case Condition::kStarting:
    case Condition::kNotServed:
      status.state = SourceState::kNever;
      break;
    case Condition::kCurrent:
      status.state = unreadable_.empty() ? SourceState::kFresh : SourceState::kPartial;
      if (missed_) {
        status.state = SourceState::kStale;
        if (status.error.empty())
          status.error = "the server no longer knows what changed; everything is being read anew";
      }
      break;
    case Condition::kFailing:
    case Condition::kForbidden:
    case Condition::kRefused:
      status.state = SourceState::kFailed;
      break;
  }
  grow_old(status, now.wall, options_);
  return status;
}

Seconds oldest_current(const StreamOptions& options) {
  return {std::chrono::duration_cast<std::chrono::seconds>(options.watch_silence + 10s).count()};
}

void grow_old(model::SourceStatus& status, Timestamp now, const StreamOptions& options) {
  using model::SourceState;
  if (status.state != SourceState::kFresh && status.state != SourceState::kPartial) return;
  bool old = !status.last_success || now - *status.last_success > oldest_current(options);
  if (old) status.state = SourceState::kStale;
}

}  // namespace schedlens::kube
