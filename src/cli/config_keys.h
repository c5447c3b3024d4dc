// SPDX-License-Identifier: Apache-2.0
#pragma once
// The declaration of every configuration key.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "cli/config.h"

namespace schedlens::cli {

enum class KeyType : std::uint8_t { kText, kEndpoint, kDuration, kCount, kSwitch, kChoice, kList };

struct ConfigKey {
  std::string_view path;  // "slurm.interval"
  KeyType type;
  std::string_view default_text;  // empty: none, the value stays empty
  // Of counts, and in seconds of durations.
  std::int64_t min, max;
  std::string_view help;
  // Puts a text into its place; the error says only what is wrong with the text.
  Status (*put)(Config& config, std::string_view text);

  std::string type_text() const;  // "duration, 1s to 1h"
};

std::span<const ConfigKey> config_keys();
const ConfigKey* find_config_key(std::string_view path);

// Checks type and range, then puts the value.
Status set_config_key(const ConfigKey& key, Config& config, std::string_view text);

}  // namespace schedlens::cli
