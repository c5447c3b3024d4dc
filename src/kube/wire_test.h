// SPDX-License-Identifier: Apache-2.0
#pragma once
// Bytes as an API server sends them, and a Sink that remembers what it was told.

#include <map>
#include <protozero/pbf_writer.hpp>
#include <string>
#include <vector>

#include "kube/envelope.h"
#include "kube/sink.h"

namespace schedlens::kube::test {

using protozero::pbf_writer;

inline std::string wrapped(const std::string& raw) {
  std::string out("k8s\0", 4);
  pbf_writer unknown(out);
  unknown.add_bytes(2, raw);
  return out;
}

inline std::string object(const std::string& name, const std::string& version,
                          const std::string& annotation = "", const std::string& ns = "ml") {
  std::string out;
  pbf_writer writer(out);
  pbf_writer meta(writer, 1);
  if (!name.empty()) meta.add_string(1, name);
  if (!ns.empty() && !name.empty()) meta.add_string(3, ns);
  meta.add_string(6, version);
  if (!annotation.empty()) {
    pbf_writer entry(meta, 12);
    entry.add_string(1, annotation);
    entry.add_string(2, "true");
  }
  return out;
}

inline std::string list(const std::string& version, const std::vector<std::string>& objects,
                        const std::string& next = "") {
  std::string out;
  pbf_writer writer(out);
  {
    pbf_writer meta(writer, 1);
    meta.add_string(2, version);
    if (!next.empty()) meta.add_string(3, next);
  }
  for (const auto& o : objects) writer.add_bytes(2, o);
  return wrapped(out);
}

inline std::string status(int code, const std::string& reason, const std::string& message,
                          int retry_after = 0) {
  std::string out;
  pbf_writer writer(out);
  writer.add_string(2, "Failure");
  writer.add_string(3, message);
  writer.add_string(4, reason);
  if (retry_after > 0) {
    pbf_writer details(writer, 5);
    details.add_int32(5, retry_after);
  }
  writer.add_int32(6, code);
  return out;
}

inline std::string frame_of(const std::string& message) {
  std::string out;
  for (int shift = 24; shift >= 0; shift -= 8) {
    out += static_cast<char>(message.size() >> shift & 0xff);
  }
  return out + message;
}

inline std::string event(const std::string& type, const std::string& raw) {
  std::string out;
  pbf_writer writer(out);
  writer.add_string(1, type);
  pbf_writer(writer, 2).add_bytes(1, wrapped(raw));
  return frame_of(out);
}

inline std::string end_of_initial_events(const std::string& version) {
  return event("BOOKMARK", object("", version, "k8s.io/initial-events-end"));
}

class Recorder final : public Sink {
 public:
  explicit Recorder(Encoding encoding = Encoding::kProtobuf) : reader_(encoding) {}

  void use_version(std::string_view version) override { version_ = version; }
  void begin_list() override {
    ++lists_begun;
    listed_.clear();
    listing_ = true;
  }
  void end_list() override {
    ++lists_ended;
    listing_ = false;
    std::erase_if(objects, [&](const auto& entry) { return !listed_.contains(entry.first); });
  }
  Status take(std::string_view bytes) override {
    auto head = reader_.head(bytes);
    if (!head) return fail(head.error());
    std::string name(head->name);
    if (name.starts_with("bad")) return fail("{}: spec makes no sense", name);
    objects[name] = head->resource_version;
    if (listing_) listed_[name] = true;
    return {};
  }
  Status remove(std::string_view bytes) override {
    auto head = reader_.head(bytes);
    if (!head) return fail(head.error());
    objects.erase(std::string(head->name));
    listed_.erase(std::string(head->name));
    return {};
  }
  const std::string& version() const { return version_; }
  // "a:1 b:2"
  std::string text() const {
    std::string out;
    for (const auto& [name, version] : objects)
      out += (out.empty() ? "" : " ") + name + ":" + version;
    return out;
  }

  std::map<std::string, std::string> objects;
  int lists_begun = 0, lists_ended = 0;

 private:
  EnvelopeReader reader_;
  std::map<std::string, bool> listed_;
  bool listing_ = false;
  std::string version_;
};

}  // namespace schedlens::kube::test
