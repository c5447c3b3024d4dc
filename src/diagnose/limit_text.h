// SPDX-License-Identifier: Apache-2.0
#pragma once
// Limits in words.

#include <string>

#include "diagnose/verdict.h"

namespace schedlens::diagnose {

// "account llm may use 8 gres/gpu (GrpTRES), 6 are in use and the job asks for 4".
std::string limit_sentence(const ReachedLimit& limit);

}  // namespace schedlens::diagnose
