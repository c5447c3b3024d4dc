// SPDX-License-Identifier: Apache-2.0
#pragma once
// `scontrol show reservation -o` and `scontrol show licenses -o`

#include <string_view>

#include "model/reservation.h"
#include "slurm/node_table.h"
#include "slurm/parsed.h"
#include "slurm/value_text.h"

namespace schedlens::slurm {

// "No reservations in the system" is none, and no output is an error.
Result<Parsed<model::Reservation>> parse_reservations(std::string_view text, NodeTable& nodes,
                                                      TimeReader& time);

// The same for licences; some versions print a licence on two lines in spite of -o.
Result<Parsed<model::Licence>> parse_licence_pool(std::string_view text);

}  // namespace schedlens::slurm
