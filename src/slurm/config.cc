// SPDX-License-Identifier: Apache-2.0
#include "slurm/config.h"

#include <array>

#include "base/text.h"

namespace schedlens::slurm {
namespace {

constexpr std::array<std::string_view, 8> kSecretWords = {
    "password", "passwd", "secret", "token", "credential", "apikey", "api_key", "privatekey"};

bool mentions_secret(std::string_view text) {
  auto low = lower(text);
  for (auto word : kSecretWords) {
    if (low.find(word) != std::string::npos) return true;
  }
  return low.ends_with("pass");
}

// "https://user:word@host" and "a=1,token=abc": the secret part becomes "***".
std::string masked(std::string_view value) {
  std::string out;
  for (auto part : split(value, ',')) {
    if (!out.empty()) out += ',';
    auto pair = cut(part, '=');
    auto scheme = part.find("://");
    auto at = part.rfind('@');
    if (pair && mentions_secret(pair->first)) {
      out += fmt::format("{}=***", pair->first);
    } else if (scheme != std::string_view::npos && at != std::string_view::npos && at > scheme &&
               part.substr(scheme + 3, at - scheme - 3).find(':') != std::string_view::npos) {
      out += fmt::format("{}***{}", part.substr(0, scheme + 3), part.substr(at));
    } else {
      out += part;
    }
  }
  return out;
}

}  // namespace

int version_number(std::string_view version) {
  if (version.size() < 5 || version[2] != '.') return 0;
  auto year = parse_number<int>(version.substr(0, 2));
  auto month = parse_number<int>(version.substr(3, 2));
  return year && month ? *year * 100 + *month : 0;
}

Result<model::SchedulerConfig> parse_config(std::string_view text) {
  if (trim(text).empty()) return fail("no output");
  model::SchedulerConfig config;
  for (auto line : split(text, '\n')) {
    // Sections of plugins ("Cgroup Support Configuration:") follow with keys of their own; the
    // first of a key is the scheduler's.
    auto pair = cut(line, '=');
    if (!pair) continue;
    auto key = trim(pair->first);
    if (key.empty() || key.find(' ') != std::string_view::npos) continue;
    if (mentions_secret(key) || config.get(key)) continue;
    config.entries.emplace_back(key, masked(trim(pair->second)));
  }
  if (!config.get("ClusterName") || !config.get("SLURM_VERSION")) {
    return fail("no ClusterName or SLURM_VERSION in {} bytes of output", text.size());
  }
  if (text.back() != '\n') return fail("output is cut off after {} bytes", text.size());
  return config;
}

}  // namespace schedlens::slurm
