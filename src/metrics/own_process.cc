// SPDX-License-Identifier: Apache-2.0
#include "metrics/own_process.h"

#include <sys/resource.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "base/text.h"

namespace schedlens::metrics {
namespace {

// Clock ticks since the machine booted at which this process started: the 22nd word of
// /proc/self/stat, counted from behind the program's name, which may hold anything.
std::optional<std::int64_t> start_ticks() {
  std::ifstream file("/proc/self/stat");
  std::string line;
  if (!std::getline(file, line)) return std::nullopt;
  auto behind_name = line.rfind(") ");
  if (behind_name == std::string::npos) return std::nullopt;
  auto words = split(std::string_view(line).substr(behind_name + 2), ' ');
  return words.size() > 19 ? parse_number<std::int64_t>(words[19]) : std::nullopt;
}

std::optional<std::int64_t> boot_time() {
  std::ifstream file("/proc/stat");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("btime ")) return parse_number<std::int64_t>(line.substr(6));
  }
  return std::nullopt;
}

}  // namespace

ProcessUse own_process() {
  ProcessUse use;
  rusage r{};
  if (getrusage(RUSAGE_SELF, &r) == 0) {
    auto seconds = [](const timeval& t) {
      return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
    };
    use.cpu_seconds = seconds(r.ru_utime) + seconds(r.ru_stime);
  }
  std::ifstream pages("/proc/self/statm");
  std::int64_t total = 0, resident = 0;
  if (pages >> total >> resident) use.resident = Bytes{resident * sysconf(_SC_PAGESIZE)};
  auto ticks = start_ticks(), boot = boot_time();
  if (ticks && boot) use.started = Timestamp{*boot + *ticks / sysconf(_SC_CLK_TCK)};
  return use;
}

}  // namespace schedlens::metrics
