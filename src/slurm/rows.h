// SPDX-License-Identifier: Apache-2.0
#pragma once
// Output in columns of our choice that free text cannot upset.
//
// Columns are separated by the unit separator (0x1f). The one column that may hold anything, even
// separators and line ends, comes last; every record ends with a separator, a nonce drawn for the
// run, and a line end. Who writes the free text cannot know the nonce, and so can neither end a
// record early nor add one.

#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace schedlens::slurm {

constexpr char kSeparator = '\x1f';

// A new nonce: 16 hexadecimal digits.
std::string draw_nonce();

// The argument of squeue's -O for these fields.
std::string row_format(std::span<const std::string_view> fields, std::string_view last,
                       std::string_view nonce);

// Takes the columns before the last one apart; the rest, whatever it holds, is the last one.
inline bool split_row(std::string_view record, std::span<std::string_view> fields,
                      std::string_view& last) {
  for (auto& field : fields) {
    auto end = record.find(kSeparator);
    if (end == std::string_view::npos) return false;
    field = record.substr(0, end);
    record.remove_prefix(end + 1);
  }
  last = record;
  return true;
}

// Calls with each record; an output that does not end with the end of a record was cut off.
template <class Visit>
Status for_each_row(std::string_view text, std::string_view nonce, Visit&& visit) {
  std::string end;
  end += kSeparator;
  end += nonce;
  end += '\n';
  while (!text.empty()) {
    auto at = text.find(end);
    if (at == std::string_view::npos) {
      return fail("output is cut off: its last {} bytes have no end of record", text.size());
    }
    visit(text.substr(0, at));
    text.remove_prefix(at + end.size());
  }
  return {};
}

}  // namespace schedlens::slurm
