// SPDX-License-Identifier: Apache-2.0
#include "cli/style.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

namespace schedlens::cli {
namespace {

std::string_view escape(Tone tone) {
  switch (tone) {
    case Tone::kPlain:
      return "";
    case Tone::kBold:
      return "\x1b[1m";
    case Tone::kDim:
      return "\x1b[2m";
    case Tone::kGood:
      return "\x1b[32m";
    case Tone::kWarn:
      return "\x1b[33m";
    case Tone::kBad:
      return "\x1b[31m";
  }
  return "";
}

bool environment_allows_colour() {
  const char* no_color = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  return !(no_color && *no_color) && !(term && std::string_view(term) == "dumb");
}

}  // namespace

std::string paint(const Style& style, Tone tone, std::string_view text) {
  if (!style.colour || tone == Tone::kPlain || text.empty()) return std::string(text);
  return fmt::format("{}{}\x1b[0m", escape(tone), text);
}

Style style_of(int file_descriptor, bool wide) {
  if (isatty(file_descriptor) == 0) return {};
  Style style;
  style.colour = environment_allows_colour();
  winsize size{};
  bool sized = ioctl(file_descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  if (!wide) style.width = sized ? size.ws_col : 80;
  style.height = sized ? size.ws_row : 24;
  return style;
}

}  // namespace schedlens::cli
