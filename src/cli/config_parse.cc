// SPDX-License-Identifier: Apache-2.0
// Reads the YAML document key by key, so that every error has a place. The library's own lookups
// would accept unknown keys and keys given twice.

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <optional>
#include <set>
#include <sstream>

#include "base/text.h"
#include "cli/config_keys.h"

namespace schedlens::cli {
namespace {

class Reader {
 public:
  Reader(std::string_view file, Config& config) : file_(file), config_(config) {}

  // A map: the document itself, or the section of that name.
  void read(const YAML::Node& map, const std::string& section) {
    std::set<std::string> seen;
    for (const auto& entry : map) {
      if (!entry.first.IsScalar()) {
        complain(entry.first, "a key must be a word");
        continue;
      }
      auto name = entry.first.Scalar();
      if (!seen.insert(name).second) {
        complain(entry.first, fmt::format("key '{}' is given twice", printable(name)));
        continue;
      }
      read_entry(entry.first, entry.second, section, name);
    }
  }

  void complain(const YAML::Mark& mark, std::string_view what) {
    complaints_.push_back(
        mark.is_null() ? fmt::format("{}: {}", file_, what)
                       : fmt::format("{}:{}:{}: {}", file_, mark.line + 1, mark.column + 1, what));
  }
  void complain(const YAML::Node& node, std::string_view what) { complain(node.Mark(), what); }

  const std::vector<std::string>& complaints() const { return complaints_; }

 private:
  void read_entry(const YAML::Node& key, const YAML::Node& value, const std::string& section,
                  const std::string& name) {
    auto path = section.empty() ? name : section + "." + name;
    if (const auto* known = find_config_key(path)) {
      read_value(*known, key, value);
    } else if (section.empty() && is_section(name)) {
      if (value.IsMap()) {
        read(value, name);
      } else if (!value.IsNull()) {
        complain(value, fmt::format("'{}' holds keys of its own, not a value", name));
      }
    } else {
      complain(key, unknown(section, name));
    }
  }

  void read_value(const ConfigKey& known, const YAML::Node& key, const YAML::Node& value) {
    if (value.IsNull()) {
      complain(key, fmt::format("key '{}' has no value", known.path));
    } else if (!value.IsScalar()) {
      complain(value, fmt::format("key '{}' takes one value ({})", known.path, known.type_text()));
    } else if (auto put = set_config_key(known, config_, value.Scalar()); !put) {
      complain(value, fmt::format("key '{}': {}", known.path, put.error().message()));
    }
  }

  static bool is_section(std::string_view name) {
    auto keys = config_keys();
    return std::any_of(keys.begin(), keys.end(), [&](const ConfigKey& key) {
      auto parts = cut(key.path, '.');
      return parts && parts->first == name;
    });
  }

  static std::string unknown(const std::string& section, const std::string& name) {
    std::vector<std::string> here;
    for (const auto& key : config_keys()) {
      auto parts = cut(key.path, '.');
      if (section.empty()) {
        here.emplace_back(parts ? parts->first : key.path);
      } else if (parts && parts->first == section) {
        here.emplace_back(parts->second);
      }
    }
    auto text = fmt::format("unknown key '{}'{}", printable(name),
                            section.empty() ? "" : fmt::format(" in '{}'", section));
    if (auto near = nearest(name, here)) return text + fmt::format(", did you mean '{}'?", *near);
    // Right word, wrong place.
    for (const auto& key : config_keys()) {
      auto parts = cut(key.path, '.');
      if (parts && parts->second == name) return text + fmt::format("; there is '{}'", key.path);
      if (!parts && key.path == name) return text + fmt::format("; '{}' stands at the top", name);
    }
    return text;
  }

  std::string_view file_;
  Config& config_;
  std::vector<std::string> complaints_;
};

Config defaults() {
  Config config;
  for (const auto& key : config_keys()) {
    if (!key.default_text.empty()) (void)set_config_key(key, config, key.default_text);
  }
  return config;
}

// Looks at one document without building anything of it, and remembers where it begins.
class Skim : public YAML::EventHandler {
 public:
  void OnDocumentStart(const YAML::Mark& mark) override { begin = mark; }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t,
                const std::string&) override {}
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {}
  void OnMapEnd() override {}

  YAML::Mark begin;
};

// Where a second document begins. Two are asked for and no more: on some broken texts the library
// finds documents without end.
std::optional<YAML::Mark> second_document(const std::string& yaml) {
  std::istringstream stream(yaml);
  YAML::Parser parser(stream);
  Skim first, second;
  if (!parser.HandleNextDocument(first) || !parser.HandleNextDocument(second)) return std::nullopt;
  return second.begin;
}

}  // namespace

Result<Config> parse_config(std::string_view yaml, std::string_view file_name) {
  auto config = defaults();
  Reader reader(file_name, config);
  try {
    std::string text(yaml);
    auto document = YAML::Load(text);
    if (auto second = second_document(text)) {
      reader.complain(*second, "there is more than one document in the file");
    } else if (document.IsMap()) {
      reader.read(document, "");
    } else if (!document.IsNull()) {
      reader.complain(document, "the file must hold keys with values");
    }
  } catch (const YAML::Exception& e) {
    reader.complain(e.mark, e.msg);
  }
  if (reader.complaints().empty()) return config;
  std::string text;
  for (const auto& line : reader.complaints()) text += (text.empty() ? "" : "\n") + line;
  return fail("{}", text);
}

}  // namespace schedlens::cli
