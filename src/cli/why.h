// SPDX-License-Identifier: Apache-2.0
#pragma once
// `schedlens why JOB`: the explanation of one waiting workload.

#include <span>
#include <string>

#include "cli/style.h"
#include "diagnose/verdict.h"
#include "model/snapshot.h"

namespace schedlens::cli {

std::string render_why(const model::Snapshot& snapshot, const diagnose::Verdict& verdict,
                       const Style& style);

}  // namespace schedlens::cli
