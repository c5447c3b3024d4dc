// SPDX-License-Identifier: Apache-2.0
#include "base/files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace schedlens {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

TEST(Files, WhatIsWrittenIsRead) {
  const auto dir = fs::temp_directory_path() / ("schedlens_files_" + std::to_string(getpid()));
  fs::create_directories(dir);
  const auto path = dir / "a.txt";
  ASSERT_TRUE(write_file(path, "one\n"));
  ASSERT_TRUE(write_file(path, std::string("two\0three", 9)));
  EXPECT_EQ(read_file(path), std::string("two\0three", 9));
  EXPECT_FALSE(fs::exists(path.string() + ".part"));
  ASSERT_TRUE(write_file(path, ""));
  EXPECT_EQ(read_file(path), "");
  fs::remove_all(dir);
}

TEST(Files, ErrorsNameTheFile) {
  EXPECT_THAT(read_file("/no/such/file").error().message(), HasSubstr("/no/such/file"));
  EXPECT_THAT(write_file("/no/such/file", "x").error().message(), HasSubstr("/no/such/file"));
  EXPECT_FALSE(read_file("/tmp")) << "a directory";
}

}  // namespace
}  // namespace schedlens
