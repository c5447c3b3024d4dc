// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a server remembers, as its routes read it.

#include <filesystem>
#include <mutex>
#include <utility>

#include "base/result.h"
#include "memory/reader.h"

namespace schedlens::api {

// Any thread; one reads at a time.
class Remembered {
 public:
  explicit Remembered(memory::Reader reader) : reader_(std::move(reader)) {}

  template <class Body>
  auto read(Body&& body) {
    const std::lock_guard lock(mutex_);
    return body(reader_);
  }

 private:
  std::mutex mutex_;
  memory::Reader reader_;
};

}  // namespace schedlens::api
