// SPDX-License-Identifier: Apache-2.0
#include "slurm/exclusions.h"

#include <array>

#include "slurm/rows.h"
#include "slurm/value_text.h"

namespace schedlens::slurm {

std::string exclusion_format(std::string_view nonce) {
  return fmt::format("%A{0}%x{0}{1}", kSeparator, nonce);
}

Result<Parsed<Exclusion>> parse_exclusions(std::string_view text, NodeTable& nodes,
                                           std::string_view nonce) {
  Parsed<Exclusion> parsed;
  auto done = for_each_row(text, nonce, [&](std::string_view record) {
    std::array<std::string_view, 1> id;
    std::string_view list;
    bool whole = split_row(record, id, list);
    auto number = whole ? parse_count32(id[0]) : std::nullopt;
    if (!number) return parsed.complaints.unreadable(record, "no job id");
    auto excluded = nodes.resolve(list);
    if (!excluded) return parsed.complaints.unreadable(record, excluded.error().message());
    parsed.records.push_back({*number, std::move(*excluded)});
  });
  if (!done) return fail(done.error());
  return unless_all_unreadable(std::move(parsed));
}

}  // namespace schedlens::slurm
