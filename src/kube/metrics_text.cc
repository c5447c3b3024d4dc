// SPDX-License-Identifier: Apache-2.0
#include "kube/metrics_text.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>

namespace schedlens::kube {
namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

void skip_blanks(std::string_view& rest) {
  while (!rest.empty() && is_blank(rest.front())) rest.remove_prefix(1);
}

std::string_view take_while_not(std::string_view& rest, std::string_view stop) {
  const auto end = std::min(rest.find_first_of(stop), rest.size());
  const auto word = rest.substr(0, end);
  rest.remove_prefix(end);
  return word;
}

std::optional<double> number(std::string_view text) {
  if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (text == "+Inf" || text == "Inf") return std::numeric_limits<double>::infinity();
  if (text == "-Inf") return -std::numeric_limits<double>::infinity();
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// Milliseconds; OpenMetrics writes seconds with a fraction.
std::optional<std::int64_t> time(std::string_view text) {
  if (text.empty() || text.front() == '#') return std::nullopt;
  const auto value = number(text);
  // Before 1970 and after the year 5000 are no times that anybody measured at.
  if (!value || !(*value > 0) || !(*value < 1e14)) return std::nullopt;
  const bool seconds = text.find('.') != std::string_view::npos;
  return static_cast<std::int64_t>(seconds ? *value * 1000 : *value);
}

// Reads line after line into the same buffers.
class LineReader {
 public:
  // False with a reason when the line is none of the format's.
  bool read(std::string_view line, std::string_view name) {
    sample_.name = name;
    sample_.labels.clear();
    unescaped_.clear();
    auto rest = line.substr(name.size());
    skip_blanks(rest);
    if (rest.starts_with('{') && !read_labels(rest)) return false;
    skip_blanks(rest);
    const auto value = number(take_while_not(rest, " \t"));
    if (!value) return complain("the value is no number");
    sample_.value = *value;
    skip_blanks(rest);
    sample_.time_ms = time(take_while_not(rest, " \t"));
    return true;
  }
  const Sample& sample() const { return sample_; }
  const std::string& error() const { return error_; }

 private:
  bool complain(std::string_view what) {
    error_ = what;
    return false;
  }

  bool read_labels(std::string_view& rest) {
    rest.remove_prefix(1);
    while (true) {
      skip_blanks(rest);
      if (rest.starts_with('}')) break;
      const auto key = take_while_not(rest, "=}, \t\"");
      skip_blanks(rest);
      if (key.empty() || !rest.starts_with('=')) return complain("a label lacks its value");
      rest.remove_prefix(1);
      skip_blanks(rest);
      const auto value = read_quoted(rest);
      if (!value) return complain("a label's value is not closed");
      sample_.labels.emplace_back(key, *value);
      skip_blanks(rest);
      if (rest.starts_with(',')) rest.remove_prefix(1);
      if (rest.empty()) return complain("the labels are not closed");
    }
    rest.remove_prefix(1);
    return true;
  }

  // The text between quotes: as it stands where nothing is escaped, otherwise unescaped.
  std::optional<std::string_view> read_quoted(std::string_view& rest) {
    if (!rest.starts_with('"')) return std::nullopt;
    rest.remove_prefix(1);
    std::size_t end = 0;
    bool escaped = false;
    while (end < rest.size() && rest[end] != '"') {
      escaped |= rest[end] == '\\';
      end += rest[end] == '\\' ? 2 : 1;
    }
    if (end >= rest.size()) return std::nullopt;
    const auto raw = rest.substr(0, end);
    rest.remove_prefix(end + 1);
    return escaped ? unescape(raw) : raw;
  }

  std::string_view unescape(std::string_view raw) {
    auto& text = unescaped_.emplace_back(std::make_unique<std::string>());
    for (std::size_t i = 0; i < raw.size(); ++i) {
      if (raw[i] != '\\' || i + 1 == raw.size()) {
        *text += raw[i];
        continue;
      }
      const char c = raw[++i];
      if (c == 'n') {
        *text += '\n';
      } else if (c == '\\' || c == '"') {
        *text += c;
      } else {
        (*text += '\\') += c;
      }
    }
    return *text;
  }

  Sample sample_;
  std::vector<std::unique_ptr<std::string>> unescaped_;
  std::string error_;
};

}  // namespace

std::string_view Sample::label(std::string_view key) const {
  for (const auto& [own_key, text] : labels) {
    if (own_key == key) return text;
  }
  return {};
}

TextFacts read_metrics_text(std::string_view text,
                            const std::function<bool(std::string_view)>& wanted,
                            const std::function<void(const Sample&)>& take) {
  TextFacts facts;
  LineReader reader;
  std::uint64_t number_of_line = 0;
  while (!text.empty()) {
    ++number_of_line;
    auto line = take_while_not(text, "\n");
    if (!text.empty()) text.remove_prefix(1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    skip_blanks(line);
    if (line.empty() || line.front() == '#') continue;
    auto rest = line;
    const auto name = take_while_not(rest, "{ \t");
    if (!wanted(name)) continue;
    if (reader.read(line, name)) {
      ++facts.samples;
      take(reader.sample());
      continue;
    }
    if (++facts.unreadable == 1) {
      facts.first_error = fmt::format("line {}: {}", number_of_line, reader.error());
    }
  }
  return facts;
}

}  // namespace schedlens::kube
