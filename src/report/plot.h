// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "report/document.h"

namespace schedlens::report {

// Safe inside of HTML, in text and attributes.
std::string escaped(std::string_view text);

// A plot as SVG, without anything from elsewhere; colours are those of the page's style. of_days:
// the names under a line, one for each day of it.
std::string svg(const Plot& plot, const std::vector<std::string>& of_days);

}  // namespace schedlens::report
