// SPDX-License-Identifier: Apache-2.0
#include "metrics/state_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <map>

#include "base/utf8.h"

namespace schedlens::metrics {
namespace {

constexpr std::size_t kPiece = 256 * 1024;
constexpr std::size_t kSlack = 16 * 1024;  // what an object's lines rarely exceed

constexpr bool needs_care(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return c == '\\' || c == '"' || c == '\n' || byte >= 0x80;
}

constexpr std::uint64_t eight_of(char c) {
  return 0x0101010101010101u * static_cast<unsigned char>(c);
}

// Whether one of eight bytes of ASCII is c: nothing else borrows into a highest bit.
constexpr std::uint64_t any_is(std::uint64_t eight, char c) {
  return (eight ^ eight_of(c)) - eight_of(1);
}

constexpr bool any_needs_care(std::uint64_t eight) {
  return ((eight | any_is(eight, '\\') | any_is(eight, '"') | any_is(eight, '\n')) &
          eight_of('\x80')) != 0;
}

char* copy(std::string_view text, char* to) {
  std::memcpy(to, text.data(), text.size());
  return to + text.size();
}

// At most three bytes for one.
char* copy_escaped(std::string_view value, char* to) {
  std::size_t i = 0;
  for (; i + 8 <= value.size(); i += 8) {
    std::uint64_t eight;
    std::memcpy(&eight, value.data() + i, 8);
    if (any_needs_care(eight)) break;
    std::memcpy(to, &eight, 8);
    to += 8;
  }
  while (i < value.size()) {
    const char c = value[i];
    if (!needs_care(c)) {
      *to++ = c;
      ++i;
    } else if (const auto length = utf8_length(value, i); length > 1) {
      to = copy(value.substr(i, length), to);
      i += length;
    } else {
      to = copy(c == '\n' ? "\\n" : c == '"' ? "\\\"" : c == '\\' ? "\\\\" : "\xEF\xBF\xBD", to);
      ++i;
    }
  }
  return to;
}

constexpr std::size_t kLongestNumber = 32;

char* copy_number(double value, char* to) {
  if (value == 0 || value == 1) {
    *to = value == 0 ? '0' : '1';
    return to + 1;
  }
  const bool whole = value == std::trunc(value) && std::abs(value) < 1e15;
  return whole ? std::to_chars(to, to + kLongestNumber, static_cast<std::int64_t>(value)).ptr
               : std::to_chars(to, to + kLongestNumber, value).ptr;
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

StateLines::StateLines() {
  text_.resize(kPiece + kSlack);
}

void StateLines::family(std::string_view name, Type type, std::string_view help) {
  name_ = name;
  type_ = type;
  help_ = help;
  head_.assign(name).push_back('{');
  started_ = false;
}

void StateLines::object(std::initializer_list<Pair> identity) {
  own_identity_.clear();
  for (const auto& [name, value] : identity) {
    if (!own_identity_.empty()) own_identity_ += ',';
    own_identity_.append(name).append("=\"");
    const auto before = own_identity_.size();
    own_identity_.resize(before + 3 * value.size());
    const auto* end = copy_escaped(value, own_identity_.data() + before);
    own_identity_.resize(static_cast<std::size_t>(end - own_identity_.data()));
    own_identity_ += '"';
  }
  object(std::string_view(own_identity_));
}

void StateLines::object(std::string_view identity) {
  lines_.clear();
  identity_ = identity;
}

void StateLines::put(std::string_view text) {
  copy(text, room(text.size()));
  used_ += text.size();
}

void StateLines::begin_line() {
  if (!started_) {
    put(fmt::format("# HELP {} {}\n# TYPE {} {}\n", name_, help_, name_, type_name(type_)));
    started_ = true;
  }
  line_ = used_;
  put(head_);
  put(identity_);
}

void StateLines::put_label(std::string_view name, std::string_view value) {
  char* to = room(name.size() + 3 * value.size() + 4);
  if (to[-1] != '{') *to++ = ',';
  to = copy(name, to);
  *to++ = '=';
  *to++ = '"';
  to = copy_escaped(value, to);
  *to++ = '"';
  used_ = static_cast<std::size_t>(to - text_.data());
}

void StateLines::end_line(double value) {
  const auto written = std::string_view(text_).substr(0, used_);
  const auto here = written.substr(line_);
  for (const auto& [begin, length] : lines_) {
    if (length != here.size() || written.substr(begin, length) != here) continue;
    used_ = line_;
    return;
  }
  lines_.emplace_back(line_, here.size());
  char* to = copy("} ", room(3 + kLongestNumber));
  to = copy_number(value, to);
  *to++ = '\n';
  used_ = static_cast<std::size_t>(to - text_.data());
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

bool StateLines::full() const {
  return used_ >= kPiece;
}

void StateLines::take(std::string& piece) {
  text_.resize(used_);
  text_.swap(piece);
  if (text_.size() < kPiece + kSlack) text_.resize(kPiece + kSlack);
  used_ = 0;
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
