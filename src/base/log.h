// SPDX-License-Identifier: Apache-2.0
#pragma once
// The program's own log, on standard error. Messages are lower case, without a full stop, with
// key=value pairs at the end; secrets never. Any thread may log.

#include <fmt/format.h>

#include <string_view>

#include "base/result.h"

namespace schedlens::log {

enum class Level { kDebug, kInfo, kWarning, kError };

// "debug", "info", "warning" or "error".
Result<Level> parse_level(std::string_view text);
void set_level(Level level);

void write(Level level, std::string_view message);

template <class... Args>
void debug(fmt::format_string<Args...> format, Args&&... args) {
  write(Level::kDebug, fmt::format(format, std::forward<Args>(args)...));
}
template <class... Args>
void info(fmt::format_string<Args...> format, Args&&... args) {
  write(Level::kInfo, fmt::format(format, std::forward<Args>(args)...));
}
template <class... Args>
void warning(fmt::format_string<Args...> format, Args&&... args) {
  write(Level::kWarning, fmt::format(format, std::forward<Args>(args)...));
}
template <class... Args>
void error(fmt::format_string<Args...> format, Args&&... args) {
  write(Level::kError, fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace schedlens::log
