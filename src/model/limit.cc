// SPDX-License-Identifier: Apache-2.0
#include "model/limit.h"

#include <array>

namespace schedlens::model {

std::string_view limit_name(LimitKind kind) {
  constexpr std::array<std::string_view, static_cast<std::size_t>(LimitKind::kCount)> kNames = {
      "GrpJobs",          "GrpJobsAccrue",  "GrpSubmitJobs",   "GrpWall",         "GrpTRES",
      "GrpTRESMins",      "GrpTRESRunMins", "MaxJobs",         "MaxJobsAccrue",   "MaxSubmitJobs",
      "MaxWallPJ",        "MaxTRESPJ",      "MaxTRESPN",       "MaxTRESMinsPJ",   "MinTRESPJ",
      "MinPrioThresh",    "MaxJobsPU",      "MaxJobsAccruePU", "MaxSubmitJobsPU", "MaxTRESPU",
      "MaxTRESRunMinsPU", "MaxJobsPA",      "MaxJobsAccruePA", "MaxSubmitJobsPA", "MaxTRESPA",
      "MaxTRESRunMinsPA"};
  return kNames[static_cast<std::size_t>(kind)];
}

}  // namespace schedlens::model
