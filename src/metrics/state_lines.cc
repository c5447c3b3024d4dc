// SPDX-License-Identifier: Apache-2.0
#include "metrics/state_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include "base/utf8.h"

namespace schedlens::metrics {
namespace {

constexpr std::size_t kPiece = 64 * 1024;

constexpr bool needs_care(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return c == '\\' || c == '"' || c == '\n' || byte >= 0x80;
}

void put_escaped(std::string_view value, std::string& text) {
  std::size_t clean = 0;  // start of the stretch not yet copied
  for (std::size_t i = 0; i < value.size();) {
    if (!needs_care(value[i])) {
      ++i;
      continue;
    }
    text.append(value, clean, i - clean);
    if (const auto length = utf8_length(value, i); length > 1) {
      text.append(value, i, length);
      i += length;
    } else {
      const char c = value[i++];
      text += c == '\n' ? "\\n" : c == '"' ? "\\\"" : c == '\\' ? "\\\\" : "\xEF\xBF\xBD";
    }
    clean = i;
  }
  text.append(value, clean);
}

void put_value(double value, std::string& text) {
  char digits[32];
  const bool whole = value == std::trunc(value) && std::abs(value) < 1e15;
  const auto end =
      whole ? std::to_chars(digits, digits + sizeof digits, static_cast<std::int64_t>(value)).ptr
            : std::to_chars(digits, digits + sizeof digits, value).ptr;
  text.append(digits, static_cast<std::size_t>(end - digits));
}

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// "nodeType" is node_type.
std::string snake_case(std::string_view name) {
  std::string out;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const bool upper = c >= 'A' && c <= 'Z';
    const char before = i > 0 ? name[i - 1] : '_';
    if (upper && ((before >= 'a' && before <= 'z') || (before >= '0' && before <= '9'))) out += '_';
    out += upper ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return out;
}

}  // namespace

StateLines::StateLines(Sink sink) : sink_(std::move(sink)) {
  text_.reserve(kPiece + 4096);
}

void StateLines::family(std::string_view name, Type type, std::string_view help) {
  name_ = name;
  type_ = type;
  help_ = help;
  started_ = false;
}

void StateLines::object(std::initializer_list<Pair> identity) {
  if (text_.size() >= kPiece) {
    sink_(text_);
    text_.clear();
  }
  lines_.clear();
  identified_by_ = identity.size();
  std::copy(identity.begin(), identity.end(), identity_.begin());
}

void StateLines::begin_line() {
  if (!started_) {
    fmt::format_to(std::back_inserter(text_), "# HELP {} {}\n# TYPE {} {}\n", name_, help_, name_,
                   type_name(type_));
    started_ = true;
  }
  line_ = text_.size();
  text_ += name_;
  text_ += '{';
  for (std::size_t i = 0; i < identified_by_; ++i)
    put_label(identity_[i].first, identity_[i].second);
}

void StateLines::put_label(std::string_view name, std::string_view value) {
  if (text_.back() != '{') text_ += ',';
  text_ += name;
  text_ += "=\"";
  put_escaped(value, text_);
  text_ += '"';
}

void StateLines::end_line(double value) {
  const auto here = std::string_view(text_).substr(line_);
  for (const auto& [begin, length] : lines_) {
    if (std::string_view(text_).substr(begin, length) != here) continue;
    text_.resize(line_);
    return;
  }
  lines_.emplace_back(line_, here.size());
  text_ += "} ";
  put_value(value, text_);
  text_ += '\n';
  ++series_;
}

void StateLines::add(double value, std::initializer_list<Pair> labels) {
  begin_line();
  for (const auto& [name, text] : labels) put_label(name, text);
  end_line(value);
}

void StateLines::add(double value, std::span<const std::pair<std::string, std::string>> labels) {
  begin_line();
  for (const auto& [name, text] : labels) put_label(name, text);
  end_line(value);
}

void StateLines::add_time(std::optional<Timestamp> moment) {
  if (moment) add(static_cast<double>(moment->unix_seconds));
}

void StateLines::add_condition(std::string_view status, std::string_view name,
                               std::initializer_list<Pair> labels) {
  constexpr std::array<Pair, 3> kWords = {
      {{"True", "true"}, {"False", "false"}, {"Unknown", "unknown"}}};
  for (const auto& [api, shown] : kWords) {
    begin_line();
    for (const auto& [label, text] : labels) put_label(label, text);
    put_label(name, shown);
    end_line(status == api ? 1 : 0);
  }
}

void StateLines::finish() {
  if (!text_.empty()) sink_(text_);
  text_.clear();
  lines_.clear();
}

std::string sanitized(std::string_view name) {
  std::string out(name);
  for (char& c : out) {
    if (!is_name_character(c)) c = '_';
  }
  return out;
}

std::vector<std::pair<std::string, std::string>> prometheus_labels(
    std::string_view prefix, std::vector<model::Label> labels) {
  std::sort(labels.begin(), labels.end(),
            [](const auto& a, const auto& b) { return a.key.view() < b.key.view(); });
  std::vector<std::pair<std::string, std::string>> named;
  std::map<std::string, int> seen;
  for (auto& label : labels) {
    auto name = fmt::format("{}_{}", prefix, snake_case(sanitized(label.key.view())));
    ++seen[name];
    named.emplace_back(std::move(name), std::move(label.value));
  }
  std::map<std::string, int> given;
  for (auto& [name, value] : named) {
    const auto times = seen.find(name);
    if (times == seen.end() || times->second < 2) continue;
    const int number = ++given[name];
    name += fmt::format("_conflict{}", number);
  }
  // A key may look like another's name with its number: the first by key stays.
  std::vector<std::pair<std::string, std::string>> unique;
  for (auto& pair : named) {
    const bool known = std::any_of(unique.begin(), unique.end(),
                                   [&](const auto& other) { return other.first == pair.first; });
    if (!known) unique.push_back(std::move(pair));
  }
  return unique;
}

}  // namespace schedlens::metrics
