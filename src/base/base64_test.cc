// SPDX-License-Identifier: Apache-2.0
#include "base/base64.h"

#include <gtest/gtest.h>

namespace schedlens {
namespace {

TEST(Base64, ReadsWhatItWrites) {
  EXPECT_EQ(encode_base64(""), "");
  EXPECT_EQ(encode_base64("f"), "Zg==");
  EXPECT_EQ(encode_base64("fo"), "Zm8=");
  EXPECT_EQ(encode_base64("foo"), "Zm9v");
  EXPECT_EQ(encode_base64("\xff\xfe\xfd"), "//79");
  std::string bytes;
  for (int i = 0; i < 300; ++i) {
    EXPECT_EQ(decode_base64(encode_base64(bytes)), bytes);
    bytes += static_cast<char>(i * 7);
  }
}

TEST(Base64, SkipsWhiteSpaceAndTakesMissingPadding) {
  EXPECT_EQ(decode_base64("Zm\n9v Zg"), "foof");
}

TEST(Base64, RefusesWhatIsNotBase64) {
  EXPECT_FALSE(decode_base64("Zm9*"));
  EXPECT_FALSE(decode_base64("Zg==Zg"));
  EXPECT_FALSE(decode_base64("Z"));
}

}  // namespace
}  // namespace schedlens
