// SPDX-License-Identifier: Apache-2.0
#pragma once
// How text is shown: colour, and the width to fit it to. The default is what goes into pipes and
// files: no colour, nothing cut.

#include <cstddef>
#include <string>
#include <string_view>

namespace schedlens::cli {

struct Style {
  bool colour = false;
  std::size_t width = 0;   // columns to fit to; 0: as wide as the text is
  std::size_t height = 0;  // rows of the screen; 0: not a screen
};

enum class Tone { kPlain, kBold, kDim, kGood, kWarn, kBad };

// The text in that tone, unchanged where there is no colour. The text must be printable already.
std::string paint(const Style& style, Tone tone, std::string_view text);

// For an open file: colour and size of a terminal, the default for anything else. NO_COLOR and
// TERM=dumb switch colour off; wide keeps lines uncut.
Style style_of(int file_descriptor, bool wide);

}  // namespace schedlens::cli
