// SPDX-License-Identifier: Apache-2.0
// What stands in a kubeconfig, read from a file that lives in memory alone.
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "kube/kubeconfig.h"

using namespace schedlens;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const int file = memfd_create("kubeconfig", 0);
  if (file < 0 || ftruncate(file, 0) != 0) std::abort();
  if (pwrite(file, data, size, 0) != static_cast<ssize_t>(size)) std::abort();
  kube::Surroundings around;
  around.service_account = "/nonexistent";
  kube::Choice choice;
  choice.kubeconfig = "/proc/self/fd/" + std::to_string(file);
  const auto access = kube::find_access(choice, around);
  if (!access && access.error().message().empty()) std::abort();
  choice.context = "a";
  (void)kube::find_access(choice, around);
  return 0;
}
