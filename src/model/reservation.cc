// SPDX-License-Identifier: Apache-2.0
#include "model/reservation.h"

#include <algorithm>

namespace schedlens::model {

bool Reservation::has_flag(std::string_view flag) const {
  return std::find(flags.begin(), flags.end(), flag) != flags.end();
}

bool Reservation::whole_nodes(std::uint64_t cores_of_its_nodes) const {
  // A reservation of whole nodes lists all their cores or, in some versions, none.
  return core_count == 0 || core_count >= cores_of_its_nodes;
}

}  // namespace schedlens::model
