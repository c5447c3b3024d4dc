// SPDX-License-Identifier: Apache-2.0
#include "alert/yaml_reader.h"

#include <algorithm>
#include <set>

#include "alert/amounts.h"
#include "base/text.h"

namespace schedlens::alert {

void YamlReader::complain(const YAML::Node& at, std::string_view what) {
  complain_at_line(line_of(at), what);
}

void YamlReader::complain_at_line(int line, std::string_view what) {
  complaints_.push_back(fmt::format("{}:{}: {}{}", file_, line, subject_, what));
}

void YamlReader::each_entry(
    const YAML::Node& map, std::string_view what, const std::vector<std::string>& known,
    const std::function<void(const std::string&, const YAML::Node&)>& take) {
  if (!map.IsMap()) {
    complain(map, fmt::format("{} must hold keys with values", what));
    return;
  }
  std::set<std::string> seen;
  for (const auto& entry : map) {
    if (!entry.first.IsScalar()) {
      complain(entry.first, "a key must be a word");
      continue;
    }
    const auto& name = entry.first.Scalar();
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      auto near = nearest(name, known);
      complain(entry.first,
               fmt::format("unknown key '{}' in {}, {}", printable(name), what,
                           near ? fmt::format("did you mean '{}'?", *near)
                                : fmt::format("there are: {}", fmt::join(known, ", "))));
    } else if (!seen.insert(name).second) {
      complain(entry.first, fmt::format("key '{}' is given twice", name));
    } else if (entry.second.IsNull()) {
      complain(entry.first, fmt::format("key '{}' has no value", name));
    } else {
      take(name, entry.second);
    }
  }
}

void YamlReader::read(const YAML::Node& node, std::string_view field, std::string& value) {
  if (!node.IsScalar()) return complain(node, fmt::format("{}: one text is wanted", field));
  value = std::string(trim(node.Scalar()));
}

void YamlReader::read(const YAML::Node& node, std::string_view field, double& value) {
  if (!node.IsScalar()) return complain(node, fmt::format("{}: one number is wanted", field));
  auto number = parse_amount(node.Scalar());
  if (!number) return complain(node, fmt::format("{}: {}", field, number.error().message()));
  value = *number;
}

void YamlReader::read(const YAML::Node& node, std::string_view field, Seconds& value) {
  if (!node.IsScalar()) return complain(node, fmt::format("{}: one duration is wanted", field));
  auto span = parse_span(node.Scalar());
  if (!span) return complain(node, fmt::format("{}: {}", field, span.error().message()));
  value = *span;
}

void YamlReader::read(const YAML::Node& node, std::string_view field, bool& value) {
  const auto text = node.IsScalar() ? node.Scalar() : std::string();
  if (text != "true" && text != "false") {
    return complain(node, fmt::format("{}: it is true or false", field));
  }
  value = text == "true";
}

void YamlReader::read(const YAML::Node& node, std::string_view field,
                      std::vector<std::string>& value) {
  if (!node.IsSequence())
    return complain(node, fmt::format("{}: a list, [a, b], is wanted", field));
  std::vector<std::string> list;
  for (const auto& item : node) {
    if (!item.IsScalar())
      return complain(item, fmt::format("{}: a list of words is wanted", field));
    list.push_back(item.Scalar());
  }
  value = std::move(list);
}

void YamlReader::read(const YAML::Node& node, std::string_view field, std::vector<Matcher>& value) {
  if (!node.IsMap()) {
    return complain(
        node, fmt::format("{}: labels with patterns, {{state: down|fail}}, are wanted", field));
  }
  std::vector<Matcher> list;
  for (const auto& entry : node) {
    if (!entry.first.IsScalar() || !entry.second.IsScalar()) {
      return complain(entry.first, fmt::format("{}: a label and one pattern are wanted", field));
    }
    list.push_back({entry.first.Scalar(), Pattern(entry.second.Scalar())});
  }
  value = std::move(list);
}

}  // namespace schedlens::alert
