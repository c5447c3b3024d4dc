// SPDX-License-Identifier: Apache-2.0
#pragma once
// Real output for the tests of this folder.

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "base/time_text.h"

namespace schedlens::slurm {

inline std::string fixture(const std::string& name) {
  std::ifstream file(std::string(SCHEDLENS_FIXTURES) + "/slurm/" + name);
  EXPECT_TRUE(file.is_open()) << name;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// The nonce in fixtures of squeue.
inline constexpr const char* kNonce = "0123456789abcdef";

// Fixtures were taken in UTC; reading them must not depend on the zone of the test machine.
inline std::optional<Timestamp> at(const char* text) {
  return parse_local_time(text);
}

}  // namespace schedlens::slurm
