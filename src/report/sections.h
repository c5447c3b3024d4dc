// SPDX-License-Identifier: Apache-2.0
#pragma once
// The sections of the weekly report, each from the facts of the week and of the week before. Pure.

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "report/document.h"
#include "report/facts.h"
#include "report/sample.h"

namespace schedlens::report {

Section headline(const Facts& now, const Facts& before);
Section waits(const Facts& now);
Section utilisation(const Facts& now);
Section fragmentation(const Facts& now);
Section reasons(const Facts& now);
Section failures(const Facts& now);
Section node_health(const Facts& now, const Facts& before);
Section gpu_time(const Facts& now, const Facts& before);
Section preemptions(const Facts& now);
Section alerts(const Facts& now);
Section configuration(const Facts& now);

// Shared by several.

// Waits of runs that started in the period, and of those that gave up in it, by what name() says of
// a run.
std::map<std::string, Waits> waits_by(
    const Facts& facts, const std::function<std::string(const memory::EndedWorkload&)>& name);
Waits all_waits(const Facts& facts);
std::optional<double> mean_of(const std::vector<std::optional<double>>& hours);
std::optional<double> share_of(std::optional<double> part, std::optional<double> whole);
// GPU hours of a run that fall into the period.
std::optional<double> gpu_hours_within(const memory::EndedWorkload& run, const Period& period);
bool failed(const memory::EndedWorkload& run);

}  // namespace schedlens::report
