// SPDX-License-Identifier: Apache-2.0
#include "diagnose/device_selector.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/text.h"
#include "diagnose/device_selector_parse.h"

namespace schedlens::diagnose {
namespace {

using Node = DeviceSelector::Node;
using Op = DeviceSelector::Op;

struct Value {
  enum class Kind : std::uint8_t {
    kError,    // text says why
    kUnknown,  // not evaluated
    kBoolean,
    kInteger,
    kText,
    kQuantity,  // in thousandths
    kVersion,
    kDevice,
    kAttributes,  // by domain
    kCapacities,
    kAttributeDomain,  // text is the domain
    kCapacityDomain
  } kind = Kind::kUnknown;
  std::int64_t number = 0;
  std::string text;
};
using Kind = Value::Kind;

Value error(std::string why) {
  return {Kind::kError, 0, std::move(why)};
}
Value boolean(bool b) {
  return {Kind::kBoolean, b ? 1 : 0, {}};
}
Value no_overload() {
  return error("no such overload");
}
bool is_failure(const Value& v) {
  return v.kind == Kind::kError || v.kind == Kind::kUnknown;
}

using Version = std::array<std::int64_t, 3>;
// Major, minor and patch; nothing for one that has more to it.
std::optional<Version> parse_version(std::string_view text) {
  const auto parts = split(text, '.');
  if (parts.size() != 3) return std::nullopt;
  Version version{};
  for (std::size_t i = 0; i < 3; ++i) {
    const auto number = parse_number<std::int64_t>(parts[i]);
    if (!number || *number < 0) return std::nullopt;
    version[i] = *number;
  }
  return version;
}

// -1, 0, 1; nothing where the two cannot be compared here.
std::optional<int> compare(const Value& a, const Value& b) {
  auto sign = [](const auto& x, const auto& y) { return x < y ? -1 : (y < x ? 1 : 0); };
  if (a.kind != b.kind) return std::nullopt;
  if (a.kind == Kind::kText) return sign(a.text, b.text);
  if (a.kind == Kind::kVersion) {
    const auto x = parse_version(a.text), y = parse_version(b.text);
    return x && y ? std::optional(sign(*x, *y)) : std::nullopt;
  }
  return sign(a.number, b.number);
}

class Evaluation {
 public:
  Evaluation(const std::vector<Node>& nodes, Symbol driver, const model::Device& device)
      : nodes_(nodes), driver_(driver), device_(device) {}

  Value value(std::uint32_t at) const {
    const auto& n = nodes_[at];
    switch (n.op) {
      case Op::kBoolean:
        return boolean(n.number != 0);
      case Op::kInteger:
        return {Kind::kInteger, n.number, {}};
      case Op::kText:
        return {Kind::kText, 0, n.text};
      case Op::kQuantity:
        return {Kind::kQuantity, n.number, {}};
      case Op::kVersion:
        return {Kind::kVersion, 0, n.text};
      case Op::kDevice:
        return {Kind::kDevice, 0, {}};
      case Op::kField:
        return member(value(n.parts[0]), n.text);
      case Op::kIndex:
        return index(value(n.parts[0]), value(n.parts[1]));
      case Op::kMethod:
        return method(n);
      case Op::kHas:
        return has(nodes_[n.parts[0]]);
      case Op::kNot: {
        const auto v = value(n.parts[0]);
        if (is_failure(v)) return v;
        return v.kind == Kind::kBoolean ? boolean(v.number == 0) : no_overload();
      }
      case Op::kAnd:
        return logic(n, false);
      case Op::kOr:
        return logic(n, true);
      case Op::kCompare:
        return relation(n);
      case Op::kIn:
        return in(n);
      case Op::kIf: {
        const auto v = value(n.parts[0]);
        if (is_failure(v)) return v;
        if (v.kind != Kind::kBoolean) return no_overload();
        return value(n.parts[v.number != 0 ? 1 : 2]);
      }
      case Op::kList:
        break;
    }
    return {};
  }

 private:
  // One side that decides hides an error of the other.
  Value logic(const Node& n, bool decides) const {
    const auto a = value(n.parts[0]);
    if (a.kind == Kind::kBoolean && (a.number != 0) == decides) return a;
    const auto b = value(n.parts[1]);
    if (b.kind == Kind::kBoolean && (b.number != 0) == decides) return b;
    if (is_failure(a)) return a;
    if (is_failure(b)) return b;
    if (a.kind != Kind::kBoolean || b.kind != Kind::kBoolean) return no_overload();
    return boolean(!decides);
  }

  const model::DeviceAttribute* attribute(std::string_view domain, std::string_view id) const {
    const auto name = fmt::format("{}/{}", domain, id);
    auto at = std::find_if(device_.attributes.begin(), device_.attributes.end(),
                           [&](const auto& a) { return a.name.view() == name; });
    return at == device_.attributes.end() ? nullptr : &*at;
  }
  std::optional<std::int64_t> capacity(std::string_view domain, std::string_view id) const {
    const auto name = fmt::format("{}/{}", domain, id);
    for (const auto& item : device_.capacity.items()) {
      if (item.name.view() == name) return item.amount;
    }
    return std::nullopt;
  }

  Value of_domain(const Value& domain, std::string_view id) const {
    if (domain.kind == Kind::kCapacityDomain) {
      const auto amount = capacity(domain.text, id);
      return amount ? Value{Kind::kQuantity, *amount, {}}
                    : error(fmt::format("no such key: {}", id));
    }
    const auto* a = attribute(domain.text, id);
    if (!a) return error(fmt::format("no such key: {}", id));
    switch (a->kind) {
      case model::AttributeKind::kInteger:
        return {Kind::kInteger, parse_number<std::int64_t>(a->value).value_or(0), {}};
      case model::AttributeKind::kBoolean:
        return boolean(a->value == "true");
      case model::AttributeKind::kText:
        return {Kind::kText, 0, a->value};
      case model::AttributeKind::kVersion:
        return {Kind::kVersion, 0, a->value};
      case model::AttributeKind::kList:
        break;
    }
    return {};
  }

  Value member(const Value& of, std::string_view name) const {
    if (is_failure(of)) return of;
    if (of.kind == Kind::kDevice) {
      if (name == "driver") return {Kind::kText, 0, driver_.str()};
      if (name == "attributes") return {Kind::kAttributes, 0, {}};
      if (name == "capacity") return {Kind::kCapacities, 0, {}};
      if (name == "allowMultipleAllocations") return boolean(device_.several_claims);
      return {};
    }
    return index(of, {Kind::kText, 0, std::string(name)});
  }
  Value index(const Value& of, const Value& key) const {
    if (is_failure(of)) return of;
    if (is_failure(key)) return key;
    if (key.kind != Kind::kText) return no_overload();
    if (of.kind == Kind::kAttributes) return {Kind::kAttributeDomain, 0, key.text};
    if (of.kind == Kind::kCapacities) return {Kind::kCapacityDomain, 0, key.text};
    if (of.kind == Kind::kAttributeDomain || of.kind == Kind::kCapacityDomain) {
      return of_domain(of, key.text);
    }
    return {};
  }

  Value has(const Node& field) const {
    const auto of = value(field.parts[0]);
    if (is_failure(of)) return of;
    if (of.kind == Kind::kAttributeDomain)
      return boolean(attribute(of.text, field.text) != nullptr);
    if (of.kind == Kind::kCapacityDomain) return boolean(capacity(of.text, field.text).has_value());
    return {};
  }

  Value relation(const Node& n) const {
    const auto a = value(n.parts[0]);
    if (is_failure(a)) return a;
    const auto b = value(n.parts[1]);
    if (is_failure(b)) return b;
    const bool equality = n.text == "==" || n.text == "!=";
    if (a.kind >= Kind::kDevice || b.kind >= Kind::kDevice) return {};
    // Values of two kinds are not equal; to ask for their order is an error.
    if (a.kind != b.kind) return equality ? boolean(n.text == "!=") : no_overload();
    const bool ordered = a.kind != Kind::kQuantity && a.kind != Kind::kVersion;
    if (!equality && !ordered) return no_overload();
    const auto order = compare(a, b);
    if (!order) return {};
    if (n.text == "==") return boolean(*order == 0);
    if (n.text == "!=") return boolean(*order != 0);
    if (n.text == "<") return boolean(*order < 0);
    if (n.text == "<=") return boolean(*order <= 0);
    if (n.text == ">") return boolean(*order > 0);
    return boolean(*order >= 0);
  }

  Value in(const Node& n) const {
    const auto a = value(n.parts[0]);
    if (is_failure(a)) return a;
    const auto& list = nodes_[n.parts[1]];
    if (list.op != Op::kList) return in_map(a, value(n.parts[1]));
    for (auto item : list.parts) {
      const auto b = value(item);
      if (is_failure(b)) return b;
      if (a.kind != b.kind) continue;
      const auto order = compare(a, b);
      if (!order) return {};
      if (*order == 0) return boolean(true);
    }
    return boolean(false);
  }
  Value in_map(const Value& key, const Value& map) const {
    if (is_failure(map)) return map;
    if (key.kind != Kind::kText) return boolean(false);
    if (map.kind == Kind::kAttributeDomain)
      return boolean(attribute(map.text, key.text) != nullptr);
    if (map.kind == Kind::kCapacityDomain) return boolean(capacity(map.text, key.text).has_value());
    const auto prefix = key.text + "/";
    auto begins = [&](const auto& item) { return item.name.view().starts_with(prefix); };
    if (map.kind == Kind::kAttributes) {
      return boolean(std::any_of(device_.attributes.begin(), device_.attributes.end(), begins));
    }
    if (map.kind == Kind::kCapacities) {
      const auto& items = device_.capacity.items();
      return boolean(std::any_of(items.begin(), items.end(), begins));
    }
    return {};
  }

  Value method(const Node& n) const {
    const auto of = value(n.parts[0]);
    if (is_failure(of)) return of;
    Value with;
    if (n.parts.size() > 1) {
      with = value(n.parts[1]);
      if (is_failure(with)) return with;
    }
    if (of.kind == Kind::kText) return text_method(of.text, n.text, with);
    if (of.kind != Kind::kQuantity && of.kind != Kind::kVersion) return no_overload();
    if (n.text == "isInteger" && of.kind == Kind::kQuantity) return boolean(of.number % 1000 == 0);
    if (with.kind != of.kind) return no_overload();
    const auto order = compare(of, with);
    if (!order) return {};
    if (n.text == "compareTo") return {Kind::kInteger, *order, {}};
    if (n.text == "isLessThan") return boolean(*order < 0);
    if (n.text == "isGreaterThan") return boolean(*order > 0);
    return no_overload();
  }
  static Value text_method(const std::string& text, std::string_view name, const Value& with) {
    auto mapped = [&](char from, char to, int by) {
      auto copy = text;
      for (auto& c : copy) {
        if (c >= from && c <= to) c = static_cast<char>(c + by);
      }
      return Value{Kind::kText, 0, std::move(copy)};
    };
    if (name == "lowerAscii") return mapped('A', 'Z', 'a' - 'A');
    if (name == "upperAscii") return mapped('a', 'z', 'A' - 'a');
    if (with.kind != Kind::kText) return no_overload();
    if (name == "startsWith") return boolean(text.starts_with(with.text));
    if (name == "endsWith") return boolean(text.ends_with(with.text));
    if (name == "contains") return boolean(text.find(with.text) != std::string::npos);
    return no_overload();
  }

  const std::vector<Node>& nodes_;
  Symbol driver_;
  const model::Device& device_;
};

}  // namespace

Result<DeviceSelector> DeviceSelector::parse(std::string_view expression) {
  auto parsed = parse_device_selector(expression);
  if (!parsed) return fail(parsed.error());
  DeviceSelector selector;
  selector.nodes_ = std::move(parsed->first);
  selector.root_ = parsed->second;
  return selector;
}

Selection DeviceSelector::test(Symbol driver, const model::Device& device, std::string* why) const {
  auto result = Evaluation(nodes_, driver, device).value(root_);
  if (result.kind == Kind::kBoolean) {
    return result.number != 0 ? Selection::kYes : Selection::kNo;
  }
  if (result.kind != Kind::kError) return Selection::kUnknown;
  if (why) *why = std::move(result.text);
  return Selection::kError;
}

}  // namespace schedlens::diagnose
