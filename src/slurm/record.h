// SPDX-License-Identifier: Apache-2.0
#pragma once
// The "Key=Value Key=Value ..." lines of `scontrol show ... -o`.
//
// Values may hold spaces ("AdminLevel=Not Set"), and some are free text in which anything may
// stand, even "State=DOWN". Slurm prints keys in one order, so a key ends a free text only when it
// belongs after it.

#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace schedlens::slurm {

// A key whose value is free text, and those keys that may end it.
struct FreeText {
  std::string_view key;
  std::span<const std::string_view> followers;
  // The text ends with this character wherever a follower comes after it (0: no such mark).
  char last = 0;
};

// Views into the line. Values are trimmed.
class Record {
 public:
  // Nothing before the first key is kept. Whether it is a record of the right kind is seen from
  // its first key.
  Record(std::string_view line, std::span<const FreeText> free_texts);

  std::string_view first_key() const { return fields_.empty() ? "" : fields_.front().first; }
  bool has(std::string_view key) const { return find(key).data() != nullptr; }
  // "" when the key is absent.
  std::string_view get(std::string_view key) const;
  const std::vector<std::pair<std::string_view, std::string_view>>& fields() const {
    return fields_;
  }

 private:
  // Its data() is null when the key is absent.
  std::string_view find(std::string_view key) const;

  std::vector<std::pair<std::string_view, std::string_view>> fields_;
  // Keys are mostly asked for in the order they are printed in.
  mutable std::size_t next_ = 0;
};

// The lines that are not empty, trimmed.
std::vector<std::string_view> lines(std::string_view text);

}  // namespace schedlens::slurm
