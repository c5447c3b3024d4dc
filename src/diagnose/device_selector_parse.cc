// SPDX-License-Identifier: Apache-2.0
#include "diagnose/device_selector_parse.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/text.h"
#include "diagnose/withheld_pods.h"

namespace schedlens::diagnose {
namespace {

using Node = DeviceSelector::Node;
using Op = DeviceSelector::Op;

constexpr int kMostDepth = 60;
constexpr std::size_t kMostNodes = 2000;

constexpr auto kMethods =
    std::to_array<std::pair<std::string_view, std::size_t>>({{"startsWith", 1},
                                                             {"endsWith", 1},
                                                             {"contains", 1},
                                                             {"lowerAscii", 0},
                                                             {"upperAscii", 0},
                                                             {"compareTo", 1},
                                                             {"isLessThan", 1},
                                                             {"isGreaterThan", 1},
                                                             {"isInteger", 0}});

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// Recursive descent, a function for each strength of CEL's operators. The first thing that is not
// understood ends it: then error_ says what.
class Parser {
 public:
  explicit Parser(std::string_view text) : rest_(text) {}

  Result<std::pair<std::vector<Node>, std::uint32_t>> parse() {
    const auto root = condition();
    skip();
    if (error_.empty() && !rest_.empty()) stop(rest_);
    if (!error_.empty()) return fail("{}", error_);
    return std::pair{std::move(nodes_), root};
  }

 private:
  std::uint32_t stop(std::string_view at) {
    if (error_.empty()) {
      error_ = at.empty() ? "it ends too soon"
                          : "\"" + printable(at.substr(0, 30)) + "\" is not evaluated";
    }
    rest_ = {};
    return 0;
  }
  void skip() {
    while (!rest_.empty() &&
           (rest_[0] == ' ' || rest_[0] == '\n' || rest_[0] == '\t' || rest_[0] == '\r')) {
      rest_.remove_prefix(1);
    }
  }
  bool take(std::string_view token) {
    skip();
    if (!rest_.starts_with(token)) return false;
    if (is_word(token.back()) && rest_.size() > token.size() && is_word(rest_[token.size()])) {
      return false;
    }
    rest_.remove_prefix(token.size());
    return true;
  }
  bool need(std::string_view token) {
    if (take(token)) return true;
    stop(rest_);
    return false;
  }
  std::string word() {
    skip();
    std::size_t n = 0;
    while (n < rest_.size() && is_word(rest_[n])) ++n;
    const std::string name(rest_.substr(0, n));
    rest_.remove_prefix(n);
    return name;
  }
  std::uint32_t add(Op op, std::vector<std::uint32_t> parts, std::string text = {},
                    std::int64_t number = 0) {
    if (nodes_.size() >= kMostNodes) return stop("an expression of this length");
    nodes_.push_back({op, std::move(text), number, std::move(parts)});
    return static_cast<std::uint32_t>(nodes_.size() - 1);
  }

  std::uint32_t condition() {
    if (depth_ >= kMostDepth) return stop("an expression of this depth");
    ++depth_;
    auto at = either();
    if (error_.empty() && take("?")) {
      const auto yes = condition();
      if (need(":")) at = add(Op::kIf, {at, yes, condition()});
    }
    --depth_;
    return at;
  }
  std::uint32_t either() {
    auto at = both();
    while (error_.empty() && take("||")) at = add(Op::kOr, {at, both()});
    return at;
  }
  std::uint32_t both() {
    auto at = relation();
    while (error_.empty() && take("&&")) at = add(Op::kAnd, {at, relation()});
    return at;
  }
  std::uint32_t relation() {
    auto at = unary();
    while (error_.empty()) {
      std::string_view found;
      for (std::string_view op : {"==", "!=", "<=", ">=", "<", ">"}) {
        if (found.empty() && take(op)) found = op;
      }
      if (!found.empty()) {
        at = add(Op::kCompare, {at, unary()}, std::string(found));
      } else if (take("in")) {
        at = add(Op::kIn, {at, unary()});
      } else {
        break;
      }
    }
    return at;
  }
  std::uint32_t unary() {
    if (depth_ >= kMostDepth) return stop("an expression of this depth");
    ++depth_;
    const auto at = take("!") ? add(Op::kNot, {unary()}) : member();
    --depth_;
    return at;
  }
  std::uint32_t member() {
    auto at = primary();
    while (error_.empty()) {
      if (take("[")) {
        at = add(Op::kIndex, {at, condition()});
        need("]");
      } else if (take(".")) {
        auto name = word();
        if (name.empty()) return stop(rest_);
        at = take("(") ? method(at, name) : add(Op::kField, {at}, std::move(name));
      } else {
        break;
      }
    }
    return at;
  }
  std::uint32_t method(std::uint32_t target, const std::string& name) {
    const auto known = std::find_if(kMethods.begin(), kMethods.end(),
                                    [&](const auto& m) { return m.first == name; });
    if (known == kMethods.end()) return stop(name);
    std::vector<std::uint32_t> parts = {target};
    if (known->second == 1) parts.push_back(condition());
    if (!need(")")) return 0;
    return add(Op::kMethod, std::move(parts), name);
  }

  std::uint32_t primary() {
    skip();
    if (rest_.empty()) return stop({});
    if (take("(")) {
      const auto at = condition();
      need(")");
      return at;
    }
    if (take("[")) return list();
    if (rest_[0] == '"' || rest_[0] == '\'') return add(Op::kText, {}, literal());
    if (rest_[0] == '-' || (rest_[0] >= '0' && rest_[0] <= '9')) return integer();
    const auto before = rest_;
    const auto name = word();
    if (name == "true" || name == "false") return add(Op::kBoolean, {}, {}, name == "true");
    if (name == "device") return add(Op::kDevice, {});
    if (!take("(")) return stop(before);
    if (name == "has") {
      const auto at = condition();
      if (!need(")")) return 0;
      if (nodes_[at].op != Op::kField) return stop(before);
      return add(Op::kHas, {at});
    }
    if (name == "quantity" || name == "semver") return constant(name, before);
    return stop(before);
  }
  std::uint32_t list() {
    std::vector<std::uint32_t> items;
    if (take("]")) return add(Op::kList, {});
    do {
      items.push_back(condition());
    } while (error_.empty() && take(","));
    need("]");
    return add(Op::kList, std::move(items));
  }
  // quantity("40Gi"), semver("1.2.3")
  std::uint32_t constant(std::string_view name, std::string_view before) {
    skip();
    if (rest_.empty() || (rest_[0] != '"' && rest_[0] != '\'')) return stop(before);
    auto text = literal();
    if (!need(")")) return 0;
    if (name == "semver") return add(Op::kVersion, {}, std::move(text));
    const auto amount = parse_amount(text);
    if (!amount) return stop(before);
    // Larger or finer ones are not exact in a double.
    const double thousandths = *amount * 1000;
    if (std::abs(thousandths) > 9e15 || thousandths != std::floor(thousandths)) return stop(before);
    return add(Op::kQuantity, {}, {}, static_cast<std::int64_t>(thousandths));
  }
  std::string literal() {
    const char quote = rest_[0];
    const auto before = rest_;
    std::string text;
    for (std::size_t i = 1; i < rest_.size(); ++i) {
      const char c = rest_[i];
      if (c == '\\' || c == '\n' || (i == 1 && rest_.substr(0, 3) == std::string(3, quote))) break;
      if (c == quote) {
        rest_.remove_prefix(i + 1);
        return text;
      }
      text += c;
    }
    stop(before);
    return {};
  }
  std::uint32_t integer() {
    std::size_t n = 1;
    while (n < rest_.size() && is_word(rest_[n])) ++n;
    const auto number = parse_number<std::int64_t>(rest_.substr(0, n));
    if (!number || (n < rest_.size() && rest_[n] == '.')) return stop(rest_);
    rest_.remove_prefix(n);
    return add(Op::kInteger, {}, {}, *number);
  }

  std::string_view rest_;
  std::vector<Node> nodes_;
  std::string error_;
  int depth_ = 0;
};

}  // namespace

Result<std::pair<std::vector<Node>, std::uint32_t>> parse_device_selector(
    std::string_view expression) {
  return Parser(expression).parse();
}

}  // namespace schedlens::diagnose
