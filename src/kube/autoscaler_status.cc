// SPDX-License-Identifier: Apache-2.0
#include "kube/autoscaler_status.h"

#include <yaml-cpp/yaml.h>

#include "base/text.h"
#include "kube/credentials.h"
#include "kube/fields.h"

namespace schedlens::kube {
namespace {

using model::AutoscalerStatus;
using model::NodeGroup;

constexpr std::string_view kFreeText = "Cluster-autoscaler status at ";

// The number behind "minSize=" in "(ready=1 ... (minSize=1, maxSize=3))".
std::optional<std::int64_t> number_behind(std::string_view text, std::string_view key) {
  const auto at = text.find(key);
  if (at == std::string_view::npos) return std::nullopt;
  text.remove_prefix(at + key.size());
  return parse_number<std::int64_t>(text.substr(0, text.find_first_not_of("0123456789")));
}

std::string first_word(std::string_view text) {
  return std::string(text.substr(0, text.find(' ')));
}

// "2026-11-30 03:39:21.5 +0000 UTC m=+7.1" without what is behind the seconds; the zone is UTC.
std::optional<Timestamp> free_text_time(std::string_view text) {
  if (text.size() < 19) return std::nullopt;
  auto iso = std::string(text.substr(0, 19)) + "Z";
  iso[10] = 'T';
  return parse_rfc3339(iso);
}

void read_free_line(std::string_view line, AutoscalerStatus& status, bool& in_groups) {
  line = trim(line);
  if (line == "NodeGroups:") in_groups = true;
  const auto parts = cut(line, ':');
  if (!in_groups || !parts) return;
  const auto value = trim(parts->second);
  if (parts->first == "Name") status.groups.emplace_back().name = value;
  if (status.groups.empty()) return;
  auto& group = status.groups.back();
  if (parts->first == "Health") {
    group.health = first_word(value);
    group.target = number_behind(value, "cloudProviderTarget=");
    group.min = number_behind(value, "minSize=");
    group.max = number_behind(value, "maxSize=");
  }
  if (parts->first == "ScaleUp") group.scale_up = first_word(value);
}

AutoscalerStatus read_free_text(std::string_view text) {
  AutoscalerStatus status;
  status.time = free_text_time(text.substr(kFreeText.size()));
  bool in_groups = false;
  for (const auto line : split(text, '\n')) read_free_line(line, status, in_groups);
  return status;
}

std::string text_at(const YAML::Node& node, const char* key) {
  const auto value = node.IsMap() ? node[key] : YAML::Node(YAML::NodeType::Undefined);
  return value && value.IsScalar() ? value.Scalar() : std::string();
}

std::optional<std::int64_t> number_at(const YAML::Node& node, const char* key) {
  return parse_number<std::int64_t>(text_at(node, key));
}

NodeGroup read_group(const YAML::Node& node) {
  NodeGroup group;
  group.name = text_at(node, "name");
  if (const auto health = node["health"]; health && health.IsMap()) {
    group.health = text_at(health, "status");
    group.target = number_at(health, "cloudProviderTarget");
    group.min = number_at(health, "minSize");
    group.max = number_at(health, "maxSize");
  }
  if (const auto scale_up = node["scaleUp"]; scale_up && scale_up.IsMap()) {
    group.scale_up = text_at(scale_up, "status");
    if (const auto backoff = scale_up["backoffInfo"]; backoff && backoff.IsMap()) {
      group.backoff = text_at(backoff, "errorMessage");
    }
  }
  return group;
}

AutoscalerStatus read_yaml(const YAML::Node& root) {
  AutoscalerStatus status;
  status.time = free_text_time(text_at(root, "time"));
  const auto groups = root["nodeGroups"];
  if (!groups || !groups.IsSequence()) return status;
  for (const auto& group : groups) {
    if (group.IsMap()) status.groups.push_back(read_group(group));
  }
  return status;
}

}  // namespace

Result<AutoscalerStatus> read_autoscaler_status(std::string_view text) {
  if (text.starts_with(kFreeText)) return read_free_text(text);
  try {
    const auto root = YAML::Load(std::string(text));
    if (root.IsMap() && (root["nodeGroups"] || root["clusterWide"] || root["autoscalerStatus"])) {
      return read_yaml(root);
    }
  } catch (const YAML::Exception& error) {
    return fail("status: neither the autoscaler's free text nor YAML: {}", error.what());
  }
  return fail("status: not the text of a cluster autoscaler");
}

Result<Decoded<AutoscalerStatus>> decode_autoscaler_status(std::string_view object) {
  std::string_view text;
  Meta meta;
  auto read = decoded([&] {
    Fields fields(object);
    while (fields.next()) {
      if (fields.number() == 1) meta = read_object_meta(fields.message("metadata")).meta;
      if (fields.number() != 2) continue;
      auto entry = fields.message("data");
      std::string_view key, value;
      while (entry.next()) {
        if (entry.number() == 1) key = entry.text("key");
        if (entry.number() == 2) value = entry.text("value");
      }
      if (key == "status") text = value;
    }
    return true;
  });
  if (!read) return fail(read.error());
  auto status = read_autoscaler_status(text);
  if (!status) return fail(status.error());
  return Decoded<AutoscalerStatus>{std::move(meta), std::move(*status)};
}

}  // namespace schedlens::kube
