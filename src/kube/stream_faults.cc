// SPDX-License-Identifier: Apache-2.0
// How a Stream goes on when a request ends, well or badly.

#include "base/text.h"
#include "kube/stream.h"

namespace schedlens::kube {
namespace {

using namespace std::chrono_literals;

constexpr unsigned kMaxPageSize = 100'000;
// A watch that ends sooner without having brought anything was no use.
constexpr auto kUsefulWatch = 5s;
constexpr unsigned kFruitlessWatches = 3;
constexpr unsigned kBrokenStreamedLists = 2;
constexpr unsigned kQuickRefusals = 6;  // about half a minute
constexpr auto kMostServerWait = 300s;
constexpr auto kEverydayWait = 5s;

std::string sentence(const ApiStatus& status) {
  if (!status.message.empty()) return fmt::format("status {}: {}", status.code, status.message);
  return fmt::format("status {}", status.code);
}

}  // namespace

void Stream::end(const net::End& end, Moment now) {
  if (!in_flight_) return;
  if (head_.status != 0 && head_.status != 200 && end.cause != net::EndCause::kIdle) {
    on_status(read_status(head_.status, head_.content_type, body_), now);
    return;
  }
  if (head_.status == 200 && !good_) {
    retry_after_failure(Condition::kFailing,
                        fmt::format("the server answers with '{}' where {} was asked for",
                                    printable(head_.content_type), media_type(resource_.encoding)),
                        now);
    return;
  }
  if (!good_) {
    fresh_connection_ = end.cause == net::EndCause::kIdle;
    auto why = end.error.empty() ? std::string("the server did not answer") : end.error;
    retry_after_failure(Condition::kFailing, std::move(why), now);
    return;
  }
  if (step_ == Step::kPagedList && end.cause == net::EndCause::kComplete) {
    end_page(now);
  } else {
    end_watch(end, now);
  }
}

// A watch, or a list whose end is missing.
void Stream::end_watch(const net::End& end, Moment now) {
  bool was_listing = listing_ || step_ == Step::kPagedList;
  bool idle = end.cause == net::EndCause::kIdle;
  fresh_connection_ = idle;
  if (was_listing) {
    auto why = end.error.empty() ? std::string("the server ended the list before it was whole")
                                 : end.error;
    retry_after_failure(Condition::kFailing, std::move(why), now);
    return;
  }
  bool useful = events_seen_ || now.steady - opened_ >= kUsefulWatch;
  if (useful) {
    fruitless_watches_ = 0;
    failures_in_row_ = expired_in_row_ = 0;
  } else {
    fruitless_watch();
  }
  bool cut = frames_.inside_frame();
  if (end.cause == net::EndCause::kComplete && useful && !cut) {
    retry_at(now.steady);
  } else if (idle) {
    // Where bookmarks do not come, silence says nothing: a new connection shows what is true.
    retry_at(now.steady);
  } else if (end.cause == net::EndCause::kComplete && !cut) {
    retry_at(now.steady + backoff_.after_failures(failures_in_row_++));
  } else {
    auto why =
        end.error.empty() ? std::string("the server ended the watch inside an event") : end.error;
    retry_after_failure(Condition::kFailing, std::move(why), now);
  }
}

void Stream::unsent(const std::string& why, Moment now) {
  retry_after_failure(Condition::kRefused, why, now);
}

void Stream::lose(const std::string& why, Moment now) {
  if (!in_flight_) return;
  if (step_ == Step::kStreamingList) listing_ = false;
  fresh_connection_ = true;
  ++status_.failures;
  status_.error = why;
  condition_ = Condition::kFailing;
  retry_at(now.steady + backoff_.after_failures(failures_in_row_++));
}

void Stream::hurry(Moment now) {
  bool refused = condition_ == Condition::kForbidden || condition_ == Condition::kRefused;
  // A server that answered with another error, or said when to come again, has its reasons.
  bool unanswered = condition_ == Condition::kFailing && head_.status == 0;
  if (in_flight_ || !(refused || unanswered)) return;
  due_ = std::min<SteadyTime>(due_, now.steady + backoff_.up_to(1s));
}

void Stream::on_status(const ApiStatus& status, Moment now) {
  auto wait = head_.retry_after;
  if (status.retry_after_seconds) wait = std::chrono::seconds(*status.retry_after_seconds);
  bool streamed = step_ == Step::kStreamingList;
  switch (status.code) {
    case 401:
      on_refused(status, now);
      return;
    case 403:
      retry_after_failure(
          Condition::kForbidden,
          "forbidden: " + (status.message.empty() ? sentence(status) : status.message), now,
          after_refusal(options_.forbidden_retry));
      return;
    case 404:
      on_not_served(status, now);
      return;
    case 400:
    case 405:
    case 406:
    case 415:
    case 422:
    case 500:
      // Among others, a server whose etcd is too old says so inside a stream that began well.
      if (streamed) {
        list_in_pages_from_now(now);
        return;
      }
      if (status.code == 500) break;
      resource_version_.clear();
      continue_.clear();
      retry_after_failure(Condition::kFailing, sentence(status), now, options_.forbidden_retry);
      return;
    default:
      break;
  }
  if (status.expired()) {
    on_expired(now);
    return;
  }
  // The server says when it wants to be asked again; other clients are told the same.
  if (wait && status.code >= 429) {
    auto patience = std::chrono::duration_cast<Duration>(
        std::min<std::chrono::seconds>(std::max<std::chrono::seconds>(*wait, 1s), kMostServerWait));
    retry_after_failure(Condition::kFailing, sentence(status), now, patience + backoff_.up_to(1s));
    return;
  }
  if (step_ == Step::kWatch) fruitless_watch();
  retry_after_failure(Condition::kFailing, sentence(status), now);
}

// Credentials that have just expired are no trouble yet: new ones are tried at once.
void Stream::on_refused(const ApiStatus& status, Moment now) {
  renew_credentials_ = true;
  if (!std::exchange(renewed_, true)) {
    ++status_.failures;
    listing_ = listing_ && step_ == Step::kPagedList;
    retry_at(now.steady);
    return;
  }
  const auto& which = options_.credentials;
  retry_after_failure(
      Condition::kRefused,
      fmt::format("the credentials are refused{}: {}",
                  which.empty() ? "" : fmt::format(" ({})", which), sentence(status)),
      now, after_refusal(options_.refused_retry));
}

// A server that has just started refuses everybody until it has read its own rules and accounts.
Stream::Duration Stream::after_refusal(Duration usual) {
  if (refusals_in_row_ >= kQuickRefusals) return usual;
  return std::min(usual, backoff_.after_failures(refusals_in_row_++));
}

// Another version may be served, otherwise the resource may come later.
void Stream::on_not_served(const ApiStatus& status, Moment now) {
  resource_version_.clear();
  continue_.clear();
  version_ = (version_ + 1) % resource_.versions.size();
  if (version_ != 0) {
    listing_ = in_flight_ = false;
    retry_at(now.steady);
    return;
  }
  std::string tried;
  for (const auto& version : resource_.versions) {
    tried += (tried.empty() ? "" : ", ") + api_version(version);
  }
  retry_after_failure(
      Condition::kNotServed,
      fmt::format("the server has no {} of {}: {}", resource_.name, tried, sentence(status)), now,
      options_.not_served_retry);
}

// What we wanted to go on from is no longer known there.
void Stream::on_expired(Moment now) {
  if (step_ == Step::kPagedList && !continue_.empty()) {
    // The pages came too slowly; fewer of them are done sooner.
    page_size_ = std::min(page_size_ * 4, kMaxPageSize);
  }
  resource_version_.clear();
  continue_.clear();
  listing_ = false;
  missed_ = loaded_;
  // However often something else has failed before.
  auto wait = expired_in_row_ == 0 ? Duration(0) : backoff_.after_failures(expired_in_row_);
  ++expired_in_row_;
  retry_at(now.steady + wait);
}

void Stream::list_in_pages_from_now(Moment now) {
  pages_until_ = now.steady + options_.streaming_retry;
  broken_streamed_lists_ = 0;
  listing_ = false;
  continue_.clear();
  resource_version_.clear();
  retry_at(now.steady);
}

void Stream::fruitless_watch() {
  if (++fruitless_watches_ < kFruitlessWatches) return;
  fruitless_watches_ = 0;
  resource_version_.clear();
}

void Stream::retry_at(SteadyTime when) {
  in_flight_ = false;
  due_ = when;
}

void Stream::retry_after_failure(Condition condition, std::string error, Moment now,
                                 std::optional<Duration> wait) {
  // A page can be asked for again, a streamed list is begun anew: in pages, where the server keeps
  // failing to stream it.
  bool streamed = in_flight_ && step_ == Step::kStreamingList;
  if (streamed) listing_ = false;
  bool answered = head_.status != 0 || fresh_connection_;
  if (streamed && answered && condition == Condition::kFailing && !wait &&
      ++broken_streamed_lists_ >= kBrokenStreamedLists) {
    list_in_pages_from_now(now);
  }
  ++status_.failures;
  status_.error = std::move(error);
  // One broken connection is an everyday matter while the data are known.
  bool everyday = condition == Condition::kFailing && condition_ == Condition::kCurrent &&
                  failures_in_row_ == 0 && wait.value_or(Duration(0)) <= kEverydayWait;
  if (!everyday) condition_ = condition;
  retry_at(now.steady + wait.value_or(backoff_.after_failures(failures_in_row_)));
  ++failures_in_row_;
}

}  // namespace schedlens::kube
