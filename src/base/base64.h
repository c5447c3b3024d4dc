// SPDX-License-Identifier: Apache-2.0
#pragma once
// Base64 with the standard alphabet.

#include <optional>
#include <string>
#include <string_view>

namespace schedlens {

std::string encode_base64(std::string_view bytes);
// White space is skipped, padding may be left out; nothing for any other character.
std::optional<std::string> decode_base64(std::string_view text);

}  // namespace schedlens
