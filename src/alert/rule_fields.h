// SPDX-License-Identifier: Apache-2.0
#pragma once
// Every field of a rule in a file, declared once: the reader and docs/alerts.md come from it. Not
// seen outside the folder.

#include <span>
#include <string_view>

#include "alert/rule.h"
#include "alert/yaml_reader.h"

namespace schedlens::alert {

struct RuleField {
  std::string_view name, help;
  void (*put)(YamlReader& reader, const YAML::Node& node, Rule& rule);
};
std::span<const RuleField> rule_fields();

// Of what stands in value, per and each entry of while. The last three stand only in while; of a
// rule itself they are fields of the rule, so that they can be overridden alone.
struct TermField {
  std::string_view name, help;
};
std::span<const TermField> term_fields();

}  // namespace schedlens::alert
