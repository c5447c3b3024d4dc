// SPDX-License-Identifier: Apache-2.0
#pragma once
// List-and-watch of one resource: keeps a Sink equal to what the API server has, through every way
// in which the server, the network or our rights can fail. It does no I/O and has no clock: it says
// what to request next and is told what came.
//
//   list ──────────────> watch ──── ends, breaks, falls silent ───> watch from the last version
//   seen
//     as a stream, where   │
//     the server can;      └─ 410: too old ──> list
//     otherwise in pages
//
// One thread.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/units.h"
#include "kube/backoff.h"
#include "kube/envelope.h"
#include "kube/resources.h"
#include "kube/sink.h"
#include "kube/unreadable.h"
#include "model/source.h"
#include "net/stream_client.h"

namespace schedlens::kube {

struct Moment {
  std::chrono::steady_clock::time_point steady;
  Timestamp wall;
};

struct StreamOptions {
  std::string credentials;  // which they are, for an error: "the token in /run/token"
  std::string ns;           // only this namespace; empty: all
  unsigned page_size = 500;
  // How long a streaming list may go on without an object before the bookmark that ends it.
  std::chrono::milliseconds bookmark_patience{10'000};
  std::chrono::milliseconds list_silence{60'000};
  // Servers send bookmarks about once a minute.
  std::chrono::milliseconds watch_silence{90'000};
  // When nothing at all has come from the server for so long it is asked whether it is there, and
  // has so long to answer.
  std::chrono::milliseconds server_quiet{20'000};
  std::chrono::milliseconds server_patience{15'000};
  std::chrono::milliseconds forbidden_retry{20'000};
  std::chrono::milliseconds refused_retry{30'000};  // the credentials
  std::chrono::milliseconds not_served_retry{180'000};
  // How long a server that cannot stream lists is not asked to.
  std::chrono::milliseconds streaming_retry{3'600'000};
};

// How old data may be that are watched and of which nothing new was said.
Seconds oldest_current(const StreamOptions& options);
// Silence makes data stale, whether or not anybody is there to notice.
void grow_old(model::SourceStatus& status, Timestamp now, const StreamOptions& options);

// A request that the stream wants made.
struct Ask {
  std::string path;  // with the query
  std::string accept;
  std::chrono::milliseconds idle_timeout{0};
  std::size_t max_body = SIZE_MAX;
  bool fresh_connection = false;   // the last one fell silent
  bool renew_credentials = false;  // the last ones were refused
};

enum class Condition : std::uint8_t {
  kStarting,   // nothing has come yet and nothing has failed
  kCurrent,    // what the server last said is known; a moment between two watches is no trouble
  kFailing,    // the server cannot be reached, or does not do its part
  kForbidden,  // by the server's rules
  kRefused,    // the credentials
  kNotServed   // the server does not have this resource
};

class Stream {
 public:
  Stream(const Resource& resource, Sink& sink, StreamOptions options, std::uint32_t seed);

  const Resource& resource() const { return resource_; }
  Condition condition() const { return condition_; }
  bool loaded() const { return loaded_; }  // a whole list has been read
  model::SourceStatus status(Moment now) const;

  // The request to make now, if any. A request that was in flight and no longer is after any of
  // these calls, end() excepted, is to be cancelled.
  std::optional<Ask> poll(Moment now);
  bool in_flight() const { return in_flight_; }
  // When poll() is to be called at the latest.
  std::chrono::steady_clock::time_point due() const;

  void head(const net::ResponseHead& head, Moment now);
  void data(std::string_view piece, Moment now);
  void end(const net::End& end, Moment now);
  // The request could not be made: no credentials.
  void unsent(const std::string& why, Moment now);
  // The server has fallen silent, to all that was asked of it: the request in flight is given up.
  void lose(const std::string& why, Moment now);
  // Another stream that failed gets answers again: there is no reason to wait for much longer.
  void hurry(Moment now);

 private:
  using SteadyTime = std::chrono::steady_clock::time_point;
  using Duration = std::chrono::milliseconds;
  enum class Step : std::uint8_t { kStreamingList, kPagedList, kWatch };

  std::string path_for(Step step);
  void begin_list();
  void end_list(std::string resource_version, Moment now);
  void on_frame(std::string_view frame, Moment now);
  void on_object(const WatchEvent& event, Moment now);
  void on_error_event(std::string_view object, Moment now);
  void end_page(Moment now);
  void end_watch(const net::End& end, Moment now);
  void on_status(const ApiStatus& status, Moment now);
  void on_refused(const ApiStatus& status, Moment now);
  Duration after_refusal(Duration usual);
  void on_not_served(const ApiStatus& status, Moment now);
  void on_expired(Moment now);
  void take(std::string_view object);
  void cannot_read(std::string_view object, const Error& why);
  void current(Moment now);
  void list_in_pages_from_now(Moment now);
  void retry_at(SteadyTime when);
  void retry_after_failure(Condition condition, std::string error, Moment now,
                           std::optional<Duration> wait = std::nullopt);
  void fruitless_watch();

  const Resource& resource_;
  Sink& sink_;
  StreamOptions options_;
  Backoff backoff_;
  EnvelopeReader reader_;
  FrameReader frames_;

  // What is asked for.
  std::size_t version_ = 0;       // of resource_.versions
  std::string resource_version_;  // to watch from; empty: a list is needed
  std::string continue_;          // the next page; empty: the first
  unsigned page_size_;
  SteadyTime pages_until_{};  // until then lists are not streamed
  SteadyTime due_{};
  bool fresh_connection_ = false;
  bool renew_credentials_ = false;
  bool renewed_ = false;  // since the last good answer

  // The request in flight.
  bool in_flight_ = false;
  Step step_ = Step::kPagedList;
  net::ResponseHead head_;
  bool good_ = false;     // status 200 and the encoding that was asked for
  bool listing_ = false;  // the Sink is between begin_list() and end_list()
  std::string body_;      // of a page, or of an answer other than 200
  SteadyTime sent_{}, opened_{}, bookmark_due_{};
  bool events_seen_ = false;

  // How it goes.
  Condition condition_ = Condition::kStarting;
  bool loaded_ = false;
  bool missed_ = false;  // changes that the server no longer knows; until the next whole list
  unsigned failures_in_row_ = 0;
  unsigned expired_in_row_ = 0;     // 410s
  unsigned refusals_in_row_ = 0;    // 401 and 403
  unsigned fruitless_watches_ = 0;  // in a row
  unsigned broken_streamed_lists_ = 0;
  SteadyTime list_began_{};
  std::uint64_t list_count_ = 0, list_bytes_ = 0;
  Unreadable unreadable_;
  model::SourceStatus status_;
};

}  // namespace schedlens::kube
