// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a function returns when it can fail: a value or an Error that reads like a path from the
// outermost step to the cause, for example "slurm: squeue: exit 1: slurm_load_jobs error".

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

namespace schedlens {

// Why something failed. Callers prepend their own step with within(); nobody parses the text.
class Error {
 public:
  explicit Error(std::string message) : message_(std::move(message)) {}

  const std::string& message() const { return message_; }

  // Prepends the step that failed: Error("exit 1").within("squeue") reads "squeue: exit 1".
  Error within(std::string_view step) const { return Error(fmt::format("{}: {}", step, message_)); }

 private:
  std::string message_;
};

template <class T>
using Result = tl::expected<T, Error>;
using Status = Result<void>;

// return fail("no node named {}", name);
template <class... Args>
tl::unexpected<Error> fail(fmt::format_string<Args...> format, Args&&... args) {
  return tl::unexpected<Error>(Error(fmt::format(format, std::forward<Args>(args)...)));
}

inline tl::unexpected<Error> fail(Error error) {
  return tl::unexpected<Error>(std::move(error));
}

}  // namespace schedlens
