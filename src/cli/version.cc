// SPDX-License-Identifier: Apache-2.0
#include "cli/version.h"

namespace schedlens::cli {

const std::string_view kVersion = SCHEDLENS_VERSION;

}  // namespace schedlens::cli
