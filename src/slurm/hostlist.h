// SPDX-License-Identifier: Apache-2.0
#pragma once
// Slurm's short form for many node names: "n[01-03,9],m-[1-2]x,r[1-2]n[01-02]".

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace schedlens::slurm {

// More names than any cluster has; a list that stands for more is refused, not expanded.
constexpr std::size_t kMaxHosts = 1'000'000;

// Calls with each name in the list's order; zero padding is kept. The name is only valid during
// the call. Nothing is called for a list that is refused as a whole.
Status for_each_host(std::string_view list, const std::function<void(std::string_view)>& visit,
                     std::size_t limit = kMaxHosts);

Result<std::vector<std::string>> expand_hostlist(std::string_view list,
                                                 std::size_t limit = kMaxHosts);

}  // namespace schedlens::slurm
