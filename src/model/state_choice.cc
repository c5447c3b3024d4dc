// SPDX-License-Identifier: Apache-2.0
#include "model/state_choice.h"

#include <algorithm>
#include <optional>

#include "base/text.h"

namespace schedlens::model {
namespace {

constexpr std::array<std::string_view, kStateKinds> kNames = {"pods",
                                                              "nodes",
                                                              "namespaces",
                                                              "deployments",
                                                              "replicasets",
                                                              "statefulsets",
                                                              "daemonsets",
                                                              "jobs",
                                                              "cronjobs",
                                                              "horizontalpodautoscalers",
                                                              "poddisruptionbudgets",
                                                              "resourcequotas",
                                                              "persistentvolumeclaims",
                                                              "persistentvolumes"};

std::optional<std::size_t> place_of(std::string_view name) {
  const auto at = std::find(kNames.begin(), kNames.end(), name);
  if (at == kNames.end()) return std::nullopt;
  return static_cast<std::size_t>(at - kNames.begin());
}

auto no_kind(std::string_view name) {
  std::vector<std::string> names(kNames.begin(), kNames.end());
  const auto near = nearest(std::string(name), names);
  return fail("'{}' is no kind of object that can be shown{}", printable(name),
              near ? fmt::format(", did you mean '{}'?", *near)
                   : fmt::format("; there are {}", fmt::join(kNames, ", ")));
}

LabelChoice read_keys(std::string_view text) {
  LabelChoice choice;
  for (const auto part : split(text, ',')) {
    const auto key = trim(part);
    if (key == "*") {
      choice.all = true;
    } else if (!key.empty()) {
      choice.keys.emplace_back(key);
    }
  }
  return choice;
}

void add(const LabelChoice& more, LabelChoice& to) {
  to.all = to.all || more.all;
  to.keys.insert(to.keys.end(), more.keys.begin(), more.keys.end());
}

}  // namespace

std::string_view resource_name(StateKind kind) {
  return kNames[static_cast<std::size_t>(kind)];
}

std::span<const std::string_view> state_resource_names() {
  return kNames;
}

bool LabelChoice::allows(std::string_view key) const {
  return all || std::find(keys.begin(), keys.end(), key) != keys.end();
}

bool StateChoice::any() const {
  return std::find(kinds.begin(), kinds.end(), true) != kinds.end();
}

Status read_state_kinds(std::string_view text, StateChoice& into) {
  std::array<bool, kStateKinds> kinds{};
  for (const auto part : split(text, ',')) {
    const auto name = trim(part);
    if (name.empty()) continue;
    if (name == "all") {
      kinds.fill(true);
      continue;
    }
    const auto place = place_of(name);
    if (!place) return no_kind(name);
    kinds[*place] = true;
  }
  into.kinds = kinds;
  return {};
}

Status read_state_labels(std::string_view text, StateChoice& into) {
  std::array<LabelChoice, kStateKinds> choices;
  auto rest = trim(text);
  while (!rest.empty()) {
    const auto open = rest.find("=[");
    const auto close = rest.find(']');
    if (open == std::string_view::npos || close == std::string_view::npos || close < open) {
      return fail("'{}' is no list of labels, such as pods=[app,team],nodes=[*]", printable(rest));
    }
    const auto name = trim(rest.substr(0, open));
    const auto keys = read_keys(rest.substr(open + 2, close - open - 2));
    rest = trim(rest.substr(close + 1));
    if (rest.starts_with(',')) {
      rest = trim(rest.substr(1));
    } else if (!rest.empty()) {
      return fail("a comma is missing before '{}'", printable(rest));
    }
    if (name == "*") {
      for (auto& choice : choices) add(keys, choice);
      continue;
    }
    const auto place = place_of(name);
    if (!place) return no_kind(name);
    add(keys, choices[*place]);
  }
  into.label_choices = std::move(choices);
  return {};
}

}  // namespace schedlens::model
