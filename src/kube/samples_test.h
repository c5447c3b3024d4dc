// SPDX-License-Identifier: Apache-2.0
#pragma once
// Real objects for the tests of decoding, and messages made by hand.

#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <protozero/pbf_reader.hpp>
#include <protozero/pbf_writer.hpp>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "base/gzip.h"
#include "base/units.h"

namespace schedlens::kube {

inline std::string sample(const std::string& name) {
  std::ifstream file(std::string(SCHEDLENS_FIXTURES) + "/kube/" + name, std::ios::binary);
  EXPECT_TRUE(file.is_open()) << name;
  std::ostringstream text;
  text << file.rdbuf();
  if (!is_gzip(text.str())) return text.str();
  auto data = gunzip(text.str(), 64 << 20);
  EXPECT_TRUE(data) << name;
  return data.value_or("");
}

// The bytes of each object of a list as the API server sends it: "k8s\0", an envelope whose field 2
// is the list, whose field 2 are the objects.
inline std::vector<std::string> sample_items(const std::string& name) {
  const auto data = sample(name);
  std::vector<std::string> items;
  protozero::pbf_reader envelope(data.data() + 4, data.size() - 4);
  while (envelope.next(2)) {
    auto list = envelope.get_message();
    while (list.next(2)) items.push_back(list.get_bytes());
  }
  EXPECT_FALSE(items.empty()) << name;
  return items;
}

// A protobuf message made field by field.
class Message {
 public:
  Message& text(std::uint32_t number, std::string_view value) {
    protozero::pbf_writer(bytes_).add_bytes(number, value.data(), value.size());
    return *this;
  }
  Message& number(std::uint32_t number, std::int64_t value) {
    protozero::pbf_writer(bytes_).add_int64(number, value);
    return *this;
  }
  Message& message(std::uint32_t number, const Message& value) {
    return text(number, value.bytes_);
  }
  // One entry of a map of texts, or of one of quantities.
  Message& entry(std::uint32_t number, std::string_view key, std::string_view value) {
    return message(number, Message().text(1, key).text(2, value));
  }
  Message& amount(std::uint32_t number, std::string_view key, std::string_view value) {
    return message(number, Message().text(1, key).message(2, Message().text(1, value)));
  }
  Message& time(std::uint32_t number_, std::int64_t seconds) {
    return message(number_, Message().number(1, seconds).number(2, 0));
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

}  // namespace schedlens::kube
