// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the benchmark itself has used so far: CPU of all its threads, and memory.

#include <sys/resource.h>

#include <cstddef>
#include <ctime>
#include <fstream>

namespace schedlens::bench {

inline double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

inline double resident_megabytes() {
  std::ifstream file("/proc/self/statm");
  std::size_t size = 0, resident = 0;
  file >> size >> resident;
  return static_cast<double>(resident) * 4096 / 1e6;
}

inline double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024 / 1e6;
}

}  // namespace schedlens::bench
