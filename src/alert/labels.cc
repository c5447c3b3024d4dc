// SPDX-License-Identifier: Apache-2.0
#include "alert/labels.h"

#include <algorithm>

#include "base/text.h"

namespace schedlens::alert {
namespace {

// '*' takes anything, and a mismatch goes back to the last of them: linear in practice, quadratic
// at worst, and without recursion.
bool glob(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0, star = std::string_view::npos, resume = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = t;
      continue;
    }
    auto at = p;
    if (at + 1 < pattern.size() && pattern[at] == '\\') ++at;
    if (at < pattern.size() && pattern[at] == text[t]) {
      p = at + 1;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

bool plain(std::string_view choice) {
  return choice.find('*') == std::string_view::npos && choice.find('\\') == std::string_view::npos;
}

std::string regex_of(std::string_view choice) {
  static constexpr std::string_view kSpecial = "\\.+*?()|[]{}^$";
  std::string out;
  for (std::size_t i = 0; i < choice.size(); ++i) {
    if (choice[i] == '*') {
      out += ".*";
      continue;
    }
    if (choice[i] == '\\' && i + 1 < choice.size()) ++i;
    if (kSpecial.find(choice[i]) != std::string_view::npos) out += '\\';
    out += choice[i];
  }
  return out;
}

bool name_character(char c, bool first) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ':' ||
         (!first && c >= '0' && c <= '9');
}

std::string take_name(std::string_view& text) {
  std::size_t n = 0;
  while (n < text.size() && name_character(text[n], n == 0)) ++n;
  std::string name(text.substr(0, n));
  text = trim(text.substr(n));
  return name;
}

Result<std::string> take_quoted(std::string_view& text) {
  if (!text.starts_with('"')) return fail("a label's value stands in double quotes");
  std::string value;
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] == '"') {
      text = trim(text.substr(i + 1));
      return value;
    }
    if (text[i] == '\\' && i + 1 < text.size()) {
      ++i;
      value += text[i] == 'n' ? '\n' : text[i];
    } else {
      value += text[i];
    }
  }
  return fail("a label's value lacks its closing quote");
}

}  // namespace

std::string_view label(const Labels& labels, std::string_view name) {
  auto at = labels.find(name);
  return at == labels.end() ? std::string_view() : std::string_view(at->second);
}

Labels only(const Labels& labels, const std::vector<std::string>& names) {
  Labels kept;
  for (const auto& name : names) {
    if (auto at = labels.find(name); at != labels.end()) kept.insert(*at);
  }
  return kept;
}

bool within(const Labels& small, const Labels& large) {
  return std::all_of(small.begin(), small.end(), [&](const auto& entry) {
    auto at = large.find(entry.first);
    return at != large.end() && at->second == entry.second;
  });
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n') {
      out += "\\n";
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string labels_text(const Labels& labels) {
  std::string out;
  for (const auto& [name, value] : labels) {
    out += (out.empty() ? "{" : ",") + name + "=" + quoted(value);
  }
  return out.empty() ? out : out + "}";
}

Pattern::Pattern(std::string_view text) : text_(text) {
  negative_ = text.starts_with('!');
  if (negative_) text.remove_prefix(1);
  choices_.emplace_back();
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '|') {
      choices_.emplace_back();
      continue;
    }
    if (text[i] == '\\' && i + 1 < text.size()) choices_.back() += text[i++];
    choices_.back() += text[i];
  }
}

bool Pattern::matches(std::string_view value) const {
  bool any = std::any_of(choices_.begin(), choices_.end(),
                         [&](const std::string& choice) { return glob(choice, value); });
  return any != negative_;
}

std::string Pattern::promql(std::string_view label) const {
  if (choices_.size() == 1 && plain(choices_[0])) {
    return fmt::format("{}{}{}", label, negative_ ? "!=" : "=", quoted(choices_[0]));
  }
  std::string regex;
  for (const auto& choice : choices_) regex += (regex.empty() ? "" : "|") + regex_of(choice);
  return fmt::format("{}{}{}", label, negative_ ? "!~" : "=~", quoted(regex));
}

bool all_match(const std::vector<Matcher>& matchers, const Labels& labels) {
  return std::all_of(matchers.begin(), matchers.end(),
                     [&](const Matcher& m) { return m.pattern.matches(label(labels, m.label)); });
}

Result<SeriesName> parse_series(std::string_view text) {
  text = trim(text);
  SeriesName series;
  series.name = take_name(text);
  if (series.name.empty()) return fail("it begins with no name of a metric");
  if (text.empty()) return series;
  if (text.front() != '{')
    return fail("'{}' follows the name; labels stand in braces", text.front());
  text = trim(text.substr(1));
  while (!text.starts_with('}')) {
    auto name = take_name(text);
    if (name.empty() || !text.starts_with('='))
      return fail("labels are name=\"value\", with commas");
    text = trim(text.substr(1));
    auto value = take_quoted(text);
    if (!value) return fail(value.error());
    series.labels[name] = *value;
    if (text.starts_with(',')) {
      text = trim(text.substr(1));
    } else if (!text.starts_with('}')) {
      return fail("the labels lack their closing brace");
    }
  }
  if (!trim(text.substr(1)).empty()) return fail("something follows the labels");
  return series;
}

}  // namespace schedlens::alert
