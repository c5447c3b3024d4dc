// SPDX-License-Identifier: Apache-2.0
#include "base/gzip_stream.h"

#include <gtest/gtest.h>

#include "base/gzip.h"

namespace schedlens {
namespace {

TEST(GzipStream, PiecesBecomeOneText) {
  std::string whole, packed;
  GzipStream stream(1);
  for (int i = 0; i < 20'000; ++i) {
    const auto piece = "series{n=\"" + std::to_string(i * 7919) + "\"} 1\n";
    whole += piece;
    stream.add(piece, packed);
  }
  stream.finish(packed);
  EXPECT_LT(packed.size(), whole.size() / 2);
  const auto again = gunzip(packed, whole.size());
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_EQ(*again, whole);
}

TEST(GzipStream, WhatCannotBePackedIsWholeToo) {
  std::string whole, packed;
  std::uint32_t noise = 1;
  for (int i = 0; i < 300'000; ++i) {
    noise = noise * 1664525 + 1013904223;
    whole += static_cast<char>(noise >> 24);
  }
  GzipStream stream(9);
  stream.add(whole, packed);
  stream.finish(packed);
  EXPECT_EQ(gunzip(packed, whole.size()).value(), whole);
}

TEST(GzipStream, NothingIsAnEmptyText) {
  std::string packed;
  GzipStream stream(1);
  stream.add("", packed);
  stream.finish(packed);
  EXPECT_EQ(gunzip(packed, 10).value(), "");
}

}  // namespace
}  // namespace schedlens
