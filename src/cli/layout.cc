// SPDX-License-Identifier: Apache-2.0
#include "cli/layout.h"

#include <algorithm>
#include <clocale>
#include <cwchar>

#include "base/text.h"
#include "base/utf8.h"

namespace schedlens::cli {
namespace {

constexpr std::string_view kEllipsis = "…";

char32_t code_point(std::string_view text, std::size_t i, std::size_t length) {
  auto at = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  if (length <= 1) return at(i);
  char32_t c = at(i) & (0xFFu >> (length + 1));
  for (std::size_t k = 1; k < length; ++k) c = c << 6 | (at(i + k) & 0x3Fu);
  return c;
}

// wcwidth() depends on the locale; this one knows Unicode and is part of glibc.
locale_t unicode_locale() {
  static const locale_t locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
  return locale;
}

class UnicodeScope {
 public:
  UnicodeScope() : before_(unicode_locale() ? uselocale(unicode_locale()) : nullptr) {}
  ~UnicodeScope() {
    if (before_) uselocale(before_);
  }
  UnicodeScope(const UnicodeScope&) = delete;
  UnicodeScope& operator=(const UnicodeScope&) = delete;

 private:
  locale_t before_;
};

std::size_t columns(char32_t c) {
  if (c < 0x7F) return 1;
  int width = wcwidth(static_cast<wchar_t>(c));
  return width < 0 ? 1 : static_cast<std::size_t>(width);
}

bool is_ascii(std::string_view text) {
  for (char c : text) {
    if (static_cast<unsigned char>(c) >= 0x80) return false;
  }
  return true;
}

// Bytes of the longest beginning that takes at most width columns.
std::size_t bytes_within(std::string_view text, std::size_t width) {
  if (is_ascii(text)) return std::min(text.size(), width);
  UnicodeScope scope;
  std::size_t used = 0;
  for (std::size_t i = 0; i < text.size();) {
    auto length = std::max<std::size_t>(1, utf8_length(text, i));
    used += columns(code_point(text, i, length));
    if (used > width) return i;
    i += length;
  }
  return text.size();
}

// Where to break a word that is longer than a line: behind the last comma that fits.
std::size_t break_at(std::string_view word, std::size_t width) {
  auto most = std::max<std::size_t>(1, bytes_within(word, width));
  auto comma = word.substr(0, most).rfind(',');
  return comma == std::string_view::npos || comma < most / 2 ? most : comma + 1;
}

}  // namespace

std::size_t display_width(std::string_view text) {
  if (is_ascii(text)) return text.size();
  UnicodeScope scope;
  std::size_t used = 0;
  for (std::size_t i = 0; i < text.size();) {
    auto length = std::max<std::size_t>(1, utf8_length(text, i));
    used += columns(code_point(text, i, length));
    i += length;
  }
  return used;
}

std::size_t visible_width(std::string_view painted) {
  std::string plain;
  for (std::size_t i = 0; i < painted.size(); ++i) {
    if (painted[i] != '\x1b') {
      plain += painted[i];
      continue;
    }
    while (i < painted.size() && painted[i] != 'm') ++i;
  }
  return display_width(plain);
}

std::string cut_to(std::string_view text, std::size_t width) {
  if (width == 0 || display_width(text) <= width) return std::string(text);
  return std::string(text.substr(0, bytes_within(text, width - 1))).append(kEllipsis);
}

std::vector<std::string> wrap(std::string_view text, std::size_t width) {
  if (width == 0 || display_width(text) <= width) return {std::string(text)};
  std::vector<std::string> lines(1);
  for (auto word : split(text, ' ')) {
    if (word.empty()) continue;
    auto* line = &lines.back();
    if (!line->empty() && display_width(*line) + 1 + display_width(word) > width) {
      line = &lines.emplace_back();
    }
    while (display_width(word) > width) {
      auto at = break_at(word, width);
      line->append(word.substr(0, at));
      word.remove_prefix(at);
      line = &lines.emplace_back();
    }
    if (!line->empty()) line->push_back(' ');
    line->append(word);
  }
  return lines;
}

std::string labelled(const Style& style, std::string_view label, std::size_t label_width,
                     std::string_view text, Tone tone) {
  auto room = style.width > label_width + 20 ? style.width - label_width : 0;
  std::string out;
  std::string head = std::string(label);
  for (const auto& line : wrap(text, room)) {
    auto gap = label_width - std::min(label_width, display_width(head));
    out += paint(style, Tone::kDim, head) + std::string(gap, ' ') + paint(style, tone, line) + '\n';
    head.clear();
  }
  return out;
}

std::string beside(std::string_view left, std::string_view right, std::size_t gap) {
  auto lines = [](std::string_view block) {
    return split(block.substr(0, block.find_last_not_of('\n') + 1), '\n');
  };
  auto left_lines = lines(left), right_lines = lines(right);
  std::size_t left_width = 0;
  for (auto line : left_lines) left_width = std::max(left_width, visible_width(line));
  std::string out;
  for (std::size_t i = 0; i < std::max(left_lines.size(), right_lines.size()); ++i) {
    auto l = i < left_lines.size() ? left_lines[i] : std::string_view();
    out += l;
    if (i < right_lines.size() && !right_lines[i].empty()) {
      out.append(left_width - visible_width(l) + gap, ' ');
      out += right_lines[i];
    }
    out += '\n';
  }
  return out;
}

}  // namespace schedlens::cli
