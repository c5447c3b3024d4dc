// SPDX-License-Identifier: Apache-2.0
#include "os/signals.h"

namespace schedlens::os {

Signals::Signals(std::initializer_list<int> numbers) {
  sigemptyset(&set_);
  for (int number : numbers) sigaddset(&set_, number);
  pthread_sigmask(SIG_BLOCK, &set_, &before_);
}

Signals::~Signals() {
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

std::optional<int> Signals::wait(std::chrono::milliseconds patience) {
  timespec time{patience.count() / 1000, patience.count() % 1000 * 1'000'000};
  int number = sigtimedwait(&set_, nullptr, &time);
  return number > 0 ? std::optional(number) : std::nullopt;
}

}  // namespace schedlens::os
