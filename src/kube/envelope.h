// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the API server wraps objects in: lists, watch events, statuses, and how they are framed.
// Objects inside are handed on as byte ranges, not looked into, except for what every object says
// about itself.
//
// Protobuf: each document is "k8s\0" and a runtime.Unknown; watch frames have their length before
// them. JSON, the only form of custom resources: one document per watch line.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace schedlens::kube {

enum class Encoding : std::uint8_t { kProtobuf, kJson };

std::string_view media_type(Encoding encoding);  // "application/vnd.kubernetes.protobuf"

struct ListPage {
  std::string resource_version;
  std::string continue_token;  // empty on the last page
  std::vector<std::string_view> items;
};

enum class EventType : std::uint8_t { kAdded, kModified, kDeleted, kBookmark, kError };

struct WatchEvent {
  EventType type = EventType::kError;
  std::string_view object;  // without its envelope; of kError a Status
};

// From the object's metadata.
struct ObjectHead {
  std::string_view name, ns, resource_version;
  bool initial_events_end = false;  // of a bookmark: the initial objects were all sent
};

// Why the server did not do what was asked.
struct ApiStatus {
  int code = 0;
  std::string reason;  // "Expired", "Forbidden"
  std::string message;
  std::optional<int> retry_after_seconds;
  bool expired() const { return code == 410 || reason == "Expired" || reason == "Gone"; }
};

// One thread. Views in results point into what was given or into the reader; they are good until
// the next call of the same function.
class EnvelopeReader {
 public:
  explicit EnvelopeReader(Encoding encoding);
  ~EnvelopeReader();
  EnvelopeReader(EnvelopeReader&&) noexcept;

  Encoding encoding() const { return encoding_; }
  Result<ListPage> list(std::string_view body);
  Result<WatchEvent> event(std::string_view frame);
  Result<ObjectHead> head(std::string_view object);
  // The object of an event kError.
  Result<ApiStatus> error_object(std::string_view object);

 private:
  struct Json;
  Encoding encoding_;
  std::unique_ptr<Json> json_;
};

// Whatever the body of an answer other than 200 holds: a Status in either encoding, or text.
ApiStatus read_status(int http_status, std::string_view content_type, std::string_view body);

// "v1.36.3" of GET /version.
Result<std::string> read_git_version(std::string_view body);

// Cuts a watch's body into frames.
class FrameReader {
 public:
  explicit FrameReader(Encoding encoding, std::size_t max_frame = std::size_t{64} << 20)
      : encoding_(encoding), max_frame_(max_frame) {}

  void add(std::string_view piece);
  // The next whole frame, nothing when more must come first; an error when what came cannot be
  // frames. Good until the next call.
  Result<std::optional<std::string_view>> next();
  bool inside_frame() const { return start_ < buffer_.size(); }
  void clear();

 private:
  Result<std::optional<std::string_view>> next_protobuf();
  Result<std::optional<std::string_view>> next_line();

  Encoding encoding_;
  std::size_t max_frame_;
  std::string buffer_;
  std::size_t start_ = 0;    // of the next frame
  std::size_t scanned_ = 0;  // no line end before here
};

}  // namespace schedlens::kube
