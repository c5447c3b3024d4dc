// SPDX-License-Identifier: Apache-2.0
#pragma once
// Slurm's reason words: what each means, and the class it stands for where the word alone tells.

#include <string>
#include <string_view>

#include "diagnose/verdict.h"

namespace schedlens::diagnose {

struct ReasonMeaning {
  std::string meaning;  // empty for a word that is not known
  // kUnknown where the word says too little ("Priority", "Resources").
  RootCause cause = RootCause::kUnknown;
};

// "Resources", "QOSGrpGRES", "ReqNodeNotAvail,_UnavailableNodes:n1": what follows the word does not
// matter.
ReasonMeaning reason_meaning(std::string_view reason);

// The word alone: "ReqNodeNotAvail".
std::string_view reason_word(std::string_view reason);

// The reason names a QOS or association limit on use.
bool is_account_limit(std::string_view reason);

}  // namespace schedlens::diagnose
