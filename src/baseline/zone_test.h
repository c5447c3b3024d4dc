// SPDX-License-Identifier: Apache-2.0
#pragma once
// The time zone of a test: set while the object lives.

#include <cstdlib>
#include <ctime>
#include <optional>
#include <string>

namespace schedlens::baseline {

class InZone {
 public:
  explicit InZone(const char* name) {
    if (const char* before = std::getenv("TZ")) before_ = before;
    setenv("TZ", name, 1);
    tzset();
  }
  ~InZone() {
    if (before_) {
      setenv("TZ", before_->c_str(), 1);
    } else {
      unsetenv("TZ");
    }
    tzset();
  }
  InZone(const InZone&) = delete;
  InZone& operator=(const InZone&) = delete;

 private:
  std::optional<std::string> before_;
};

}  // namespace schedlens::baseline
