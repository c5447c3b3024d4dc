// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the readers of rule files share: complaints with their place, maps whose keys are all known,
// and values of the kinds that rules have. It is not seen outside the folder.

#include <yaml-cpp/yaml.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "alert/labels.h"
#include "base/result.h"
#include "base/units.h"

namespace schedlens::alert {

class YamlReader {
 public:
  explicit YamlReader(std::string file) : file_(std::move(file)) {}

  // "rules.yaml:12: rule NodesDown: above: 'x' is no number"
  void complain(const YAML::Node& at, std::string_view what);
  void complain_at_line(int line, std::string_view what);
  // What complaints begin with, such as "rule NodesDown: ".
  void set_subject(std::string subject) { subject_ = std::move(subject); }
  const std::string& subject() const { return subject_; }

  // Calls take(key, value) for each entry; keys that are not known, given twice or without a value
  // are complained of, with the nearest that is known. "what" names the map.
  void each_entry(const YAML::Node& map, std::string_view what,
                  const std::vector<std::string>& known,
                  const std::function<void(const std::string&, const YAML::Node&)>& take);
  // Each complains and leaves the value alone when the node is not of its kind.
  void read(const YAML::Node& node, std::string_view field, std::string& value);
  void read(const YAML::Node& node, std::string_view field, double& value);  // parse_amount
  void read(const YAML::Node& node, std::string_view field, Seconds& value);
  void read(const YAML::Node& node, std::string_view field, bool& value);
  void read(const YAML::Node& node, std::string_view field, std::vector<std::string>& value);
  void read(const YAML::Node& node, std::string_view field, std::vector<Matcher>& value);

  int line_of(const YAML::Node& node) const { return node.Mark().line + 1; }
  const std::string& file() const { return file_; }
  const std::vector<std::string>& complaints() const { return complaints_; }

 private:
  std::string file_, subject_;
  std::vector<std::string> complaints_;
};

}  // namespace schedlens::alert
