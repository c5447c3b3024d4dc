// SPDX-License-Identifier: Apache-2.0
#pragma once
// For tests of what never runs a credentials plugin.

#include "base/result.h"
#include "os/process.h"

namespace schedlens::kube::test {

class NoPlugin final : public os::ProcessRunner {
 public:
  Result<os::Output> run(const os::Command&) override { return fail("no plugin"); }
};

}  // namespace schedlens::kube::test
