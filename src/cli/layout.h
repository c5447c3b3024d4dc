// SPDX-License-Identifier: Apache-2.0
#pragma once
// Fitting text into columns of a terminal, where a character can be zero, one or two columns wide.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "cli/style.h"

namespace schedlens::cli {

// Columns that printable text without escapes takes on a terminal.
std::size_t display_width(std::string_view text);
// The same for text that paint() has coloured.
std::size_t visible_width(std::string_view painted);

// The text, or as much of its beginning as fits with a "…" behind it. Width 0 leaves it alone.
std::string cut_to(std::string_view text, std::size_t width);

// Broken between words into lines of at most width columns (0: one line); longer words are broken
// at commas, or where they must.
std::vector<std::string> wrap(std::string_view text, std::size_t width);

// "label   text", wrapped under itself; the label takes label_width columns.
std::string labelled(const Style& style, std::string_view label, std::size_t label_width,
                     std::string_view text, Tone tone = Tone::kPlain);

// Two blocks of lines side by side, gap columns apart.
std::string beside(std::string_view left, std::string_view right, std::size_t gap);

}  // namespace schedlens::cli
