// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "kube/envelope.h"

using namespace schedlens;

// Every view that comes out is read, so that one that points elsewhere is found.
static std::size_t touch(std::string_view text) {
  std::size_t sum = 0;
  for (char c : text) sum += static_cast<unsigned char>(c);
  return sum;
}

static std::size_t touch_object(kube::EnvelopeReader& reader, std::string_view object) {
  auto sum = touch(object);
  if (auto head = reader.head(object)) {
    sum += touch(head->name) + touch(head->ns) + touch(head->resource_version);
  }
  return sum;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  volatile std::size_t sum = 0;
  for (auto encoding : {kube::Encoding::kProtobuf, kube::Encoding::kJson}) {
    kube::EnvelopeReader reader(encoding);
    if (auto page = reader.list(text)) {
      for (auto item : page->items) sum = sum + touch_object(reader, item);
    }
    kube::FrameReader frames(encoding, 1 << 20);
    frames.add(text.substr(0, size / 2));
    frames.add(text.substr(size / 2));
    while (true) {
      auto frame = frames.next();
      if (!frame || !*frame) break;
      auto event = reader.event(**frame);
      if (!event) continue;
      if (event->type == kube::EventType::kError) (void)reader.error_object(event->object);
      sum = sum + touch_object(reader, event->object);
    }
    (void)kube::read_status(500, kube::media_type(encoding), text);
  }
  (void)kube::read_git_version(text);
  return 0;
}
