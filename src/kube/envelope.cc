// SPDX-License-Identifier: Apache-2.0
#include "kube/envelope.h"

#include "base/text.h"
#include "kube/envelope_json.h"
#include "kube/envelope_protobuf.h"

namespace schedlens::kube {

std::string_view media_type(Encoding encoding) {
  return encoding == Encoding::kProtobuf ? "application/vnd.kubernetes.protobuf"
                                         : "application/json";
}

struct EnvelopeReader::Json {
  JsonDocument list, event, head;
};

EnvelopeReader::EnvelopeReader(Encoding encoding) : encoding_(encoding) {
  if (encoding == Encoding::kJson) json_ = std::make_unique<Json>();
}
EnvelopeReader::~EnvelopeReader() = default;
EnvelopeReader::EnvelopeReader(EnvelopeReader&&) noexcept = default;

Result<ListPage> EnvelopeReader::list(std::string_view body) {
  return json_ ? json_list(json_->list, body) : protobuf_list(body);
}

Result<WatchEvent> EnvelopeReader::event(std::string_view frame) {
  return json_ ? json_event(json_->event, frame) : protobuf_event(frame);
}

Result<ObjectHead> EnvelopeReader::head(std::string_view object) {
  return json_ ? json_head(json_->head, object) : protobuf_head(object);
}

Result<ApiStatus> EnvelopeReader::error_object(std::string_view object) {
  return json_ ? json_status(json_->head, object) : protobuf_status(object);
}

ApiStatus read_status(int http_status, std::string_view content_type, std::string_view body) {
  ApiStatus status;
  bool json = content_type.starts_with("application/json");
  bool protobuf = content_type.starts_with(media_type(Encoding::kProtobuf));
  if (json || protobuf) {
    JsonDocument document;
    auto object = protobuf ? protobuf_object(body) : body;
    auto read = !object ? Result<ApiStatus>(fail(object.error()))
                : json  ? json_status(document, *object)
                        : protobuf_status(*object);
    if (read) status = std::move(*read);
  } else if (body.find('<') == std::string_view::npos) {
    status.message = body.substr(0, std::min<std::size_t>(body.find('\n'), 300));
  }
  status.message = printable(trim(status.message));
  // What the server did is in the answer's head; a proxy may have changed it.
  status.code = http_status;
  return status;
}

Result<std::string> read_git_version(std::string_view body) {
  JsonDocument document;
  return json_git_version(document, body);
}

void FrameReader::add(std::string_view piece) {
  if (start_ > 0) {
    buffer_.erase(0, start_);
    scanned_ -= std::min(scanned_, start_);
    start_ = 0;
  }
  buffer_.append(piece);
}

void FrameReader::clear() {
  buffer_.clear();
  start_ = scanned_ = 0;
}

Result<std::optional<std::string_view>> FrameReader::next() {
  return encoding_ == Encoding::kProtobuf ? next_protobuf() : next_line();
}

Result<std::optional<std::string_view>> FrameReader::next_protobuf() {
  std::string_view rest = std::string_view(buffer_).substr(start_);
  if (rest.size() < 4) return std::nullopt;
  std::size_t size = 0;
  for (int i = 0; i < 4; ++i) size = size << 8 | static_cast<unsigned char>(rest[i]);
  if (size > max_frame_) {
    return fail("a watch frame says that it has {} bytes, more than {}", size, max_frame_);
  }
  if (rest.size() < 4 + size) return std::nullopt;
  start_ += 4 + size;
  return rest.substr(4, size);
}

Result<std::optional<std::string_view>> FrameReader::next_line() {
  while (true) {
    auto end = buffer_.find('\n', std::max(start_, scanned_));
    if (end == std::string::npos) {
      scanned_ = buffer_.size();
      if (buffer_.size() - start_ > max_frame_) {
        return fail("a watch line has more than {} bytes", max_frame_);
      }
      return std::nullopt;
    }
    auto line = std::string_view(buffer_).substr(start_, end - start_);
    start_ = end + 1;
    if (!trim(line).empty()) return line;
  }
}

}  // namespace schedlens::kube
