// SPDX-License-Identifier: Apache-2.0
// Rules of all files are read first, then overrides, so that the order within a file does not
// matter; a rule is checked when all that is said of it has been read.
#include "alert/rule_set.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include "alert/rule_check.h"
#include "alert/rule_fields.h"
#include "base/text.h"

namespace schedlens::alert {
namespace {

std::vector<std::string> field_names() {
  std::vector<std::string> names;
  for (const auto& field : rule_fields()) names.emplace_back(field.name);
  return names;
}

// The line of a second document, which the YAML library would leave out without a word; 0: none.
int second_document(std::string_view yaml) {
  bool begun = false;
  int number = 0;
  while (!yaml.empty()) {
    ++number;
    const auto line = yaml.substr(0, yaml.find('\n'));
    yaml.remove_prefix(std::min(line.size() + 1, yaml.size()));
    const bool marker = line.starts_with("---") && (line.size() == 3 || line[3] == ' ');
    if (marker && begun) return number;
    const auto text = trim(line);
    begun = begun || marker || (!text.empty() && text.front() != '#');
  }
  return 0;
}

class Loader {
 public:
  Loader(const std::vector<KnownMetric>& metrics, RuleSet& set) : metrics_(metrics), set_(set) {}

  void load(const std::vector<RuleText>& files, std::size_t first_tested) {
    for (const auto& file : files) {
      readers_.emplace_back(file.file);
      documents_.push_back(parse(file, readers_.back()));
    }
    for_each_section("rules", [&](auto& reader, const auto& node) { read_rules(reader, node); });
    for_each_section("override",
                     [&](auto& reader, const auto& node) { read_override(reader, node); });
    for_each_section("disable",
                     [&](auto& reader, const auto& node) { read_disable(reader, node); });
    for (const auto& problem : rule_problems(set_.rules, metrics_)) complaints_.push_back(problem);
    std::size_t number = 0;
    for_each_section(
        "tests", [&](auto& reader, const auto& node) { read_tests(reader, node); },
        [&] { return number++ >= first_tested; });
  }

  std::vector<std::string> complaints() const {
    std::vector<std::string> all;
    for (const auto& reader : readers_) {
      all.insert(all.end(), reader.complaints().begin(), reader.complaints().end());
    }
    all.insert(all.end(), complaints_.begin(), complaints_.end());
    return all;
  }

 private:
  static YAML::Node parse(const RuleText& file, YamlReader& reader) {
    YAML::Node document;
    try {
      document = YAML::Load(file.yaml);
    } catch (const YAML::Exception& e) {
      reader.complain_at_line(e.mark.is_null() ? 1 : e.mark.line + 1, e.msg);
      return {};
    }
    if (int line = second_document(file.yaml); line > 0) {
      reader.complain_at_line(line,
                              "a second document begins, which would not be read; put it into "
                              "a file of its own");
    }
    if (!document.IsNull()) {
      reader.each_entry(document, "a rule file", {"rules", "override", "disable", "tests"},
                        [](const std::string&, const YAML::Node&) {});
    }
    return document;
  }

  template <class Read>
  void for_each_section(const std::string& name, Read&& read) {
    for_each_section(name, read, [] { return true; });
  }
  template <class Read, class Wanted>
  void for_each_section(const std::string& name, Read&& read, Wanted&& wanted) {
    for (std::size_t i = 0; i < documents_.size(); ++i) {
      if (!wanted() || !documents_[i].IsMap()) continue;
      const YAML::Node section = documents_[i][name];
      readers_[i].set_subject("");
      if (section && !section.IsNull()) read(readers_[i], section);
    }
  }

  static void read_fields(YamlReader& reader, const YAML::Node& node, std::string_view what,
                          Rule& rule) {
    reader.each_entry(node, what, field_names(), [&](const std::string& name, const YAML::Node& v) {
      for (const auto& field : rule_fields()) {
        if (field.name == name) field.put(reader, v, rule);
      }
    });
  }

  void read_rules(YamlReader& reader, const YAML::Node& node) {
    if (!node.IsSequence()) return reader.complain(node, "rules: a list of rules is wanted");
    for (const auto& item : node) {
      Rule rule;
      rule.place = {reader.file(), reader.line_of(item)};
      const YAML::Node name = item.IsMap() ? item["name"] : YAML::Node();
      if (name && name.IsScalar()) {
        reader.set_subject(fmt::format("rule {}: ", printable(name.Scalar())));
      }
      read_fields(reader, item, "a rule", rule);
      check_given(reader, item);
      if (const auto* other = set_.find(rule.name); other && !rule.name.empty()) {
        reader.complain(item, fmt::format("there is one of this name already, {}:{}; to change it, "
                                          "write what differs under 'override'",
                                          other->place.file, other->place.line));
      } else {
        set_.rules.push_back(std::move(rule));
      }
      reader.set_subject("");
    }
  }

  static void check_given(YamlReader& reader, const YAML::Node& item) {
    if (!item.IsMap()) return;
    for (const char* field :
         {"name", "severity", "layer", "summary", "meaning", "remedy", "value"}) {
      if (!item[field]) reader.complain(item, fmt::format("the field '{}' is missing", field));
    }
    int comparisons = 0;
    for (const char* field : {"above", "below", "equals", "baseline"}) {
      if (item[field]) ++comparisons;
    }
    if (comparisons != 1) {
      reader.complain(item, "one of the fields above, below, equals and baseline is wanted");
    }
  }

  Rule* rule_named(YamlReader& reader, const YAML::Node& at, const std::string& name) {
    std::vector<std::string> names;
    for (auto& rule : set_.rules) {
      if (rule.name == name) return &rule;
      names.push_back(rule.name);
    }
    auto near = nearest(name, names);
    reader.complain(at, fmt::format("no rule is called {}{}", printable(name),
                                    near ? fmt::format(", did you mean {}?", *near) : ""));
    return nullptr;
  }

  void read_override(YamlReader& reader, const YAML::Node& node) {
    if (!node.IsMap())
      return reader.complain(node, "override: names of rules with fields are wanted");
    for (const auto& entry : node) {
      const auto name = entry.first.IsScalar() ? entry.first.Scalar() : std::string();
      auto* rule = rule_named(reader, entry.first, name);
      if (!rule) continue;
      reader.set_subject(fmt::format("override of {}: ", rule->name));
      if (entry.second.IsMap() && entry.second["name"]) {
        reader.complain(entry.second,
                        "a rule keeps its name; write a new rule and disable this one");
      } else {
        read_fields(reader, entry.second, "an override", *rule);
        // What is wrong with it now is wrong because of this.
        rule->place = {reader.file(), reader.line_of(entry.first)};
      }
      reader.set_subject("");
    }
  }

  void read_disable(YamlReader& reader, const YAML::Node& node) {
    std::vector<std::string> names;
    reader.read(node, "disable", names);
    for (const auto& name : names) {
      if (auto* rule = rule_named(reader, node, name)) rule->enabled = false;
    }
  }

  void read_tests(YamlReader& reader, const YAML::Node& node) {
    if (!node.IsSequence()) return reader.complain(node, "tests: a list of tests is wanted");
    for (const auto& item : node) {
      auto test = read_test(reader, item);
      for (const auto& expectation : test.expect) {
        for (const auto& alert : expectation.firing) {
          if (!set_.find(alert.name)) (void)rule_named(reader, item, alert.name);
        }
      }
      set_.tests.push_back(std::move(test));
      reader.set_subject("");
    }
  }

  const std::vector<KnownMetric>& metrics_;
  RuleSet& set_;
  std::vector<YamlReader> readers_;
  std::vector<YAML::Node> documents_;
  std::vector<std::string> complaints_;
};

}  // namespace

const Rule* RuleSet::find(std::string_view name) const {
  auto at = std::find_if(rules.begin(), rules.end(), [&](const Rule& r) { return r.name == name; });
  return at == rules.end() ? nullptr : &*at;
}

Result<RuleSet> load_rules(const std::vector<RuleText>& files,
                           const std::vector<KnownMetric>& metrics, std::size_t first_tested) {
  RuleSet set;
  Loader loader(metrics, set);
  loader.load(files, first_tested);
  auto complaints = loader.complaints();
  if (complaints.empty()) return set;
  return fail("{}", fmt::join(complaints, "\n"));
}

Result<RuleText> read_rule_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::error_code ignored;
  if (!file || std::filesystem::is_directory(path, ignored)) {
    return fail("{}: {}", path, file ? "it is a directory, not a file" : std::strerror(errno));
  }
  return RuleText{path, std::string(std::istreambuf_iterator<char>(file), {})};
}

Result<std::vector<RuleText>> with_directory(const std::string& directory) {
  auto files = stock_rules();
  if (directory.empty()) return files;
  std::error_code error;
  std::vector<std::string> paths;
  for (std::filesystem::directory_iterator at(directory, error), end; !error && at != end;
       at.increment(error)) {
    const auto extension = at->path().extension();
    if (extension == ".yaml" || extension == ".yml") paths.push_back(at->path().string());
  }
  if (error) return fail("{}: {}", directory, error.message());
  std::sort(paths.begin(), paths.end());
  for (const auto& path : paths) {
    auto file = read_rule_file(path);
    if (!file) return fail(file.error());
    files.push_back(std::move(*file));
  }
  return files;
}

}  // namespace schedlens::alert
