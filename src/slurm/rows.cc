// SPDX-License-Identifier: Apache-2.0
#include "slurm/rows.h"

#include <random>

namespace schedlens::slurm {

std::string draw_nonce() {
  std::random_device device;
  return fmt::format("{:08x}{:08x}", device(), device());
}

std::string row_format(std::span<const std::string_view> fields, std::string_view last,
                       std::string_view nonce) {
  std::string format;
  for (auto field : fields) {
    format += field;
    format += ':';
    format += kSeparator;
    format += ',';
  }
  format += last;
  format += ':';
  format += kSeparator;
  format += nonce;
  return format;
}

}  // namespace schedlens::slurm
