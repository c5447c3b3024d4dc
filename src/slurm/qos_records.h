// SPDX-License-Identifier: Apache-2.0
#pragma once
// `sacctmgr show qos`: what only the accounting database knows of a QOS: whom it may preempt, its
// flags, and its bounds for users and accounts that use nothing yet.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/limit.h"
#include "slurm/parsed.h"

namespace schedlens::slurm {

// The value of format=.
std::string qos_format();

struct QosRecord {
  Symbol name;
  std::vector<Symbol> preempts;
  std::optional<Seconds> preempt_exempt_time;
  std::vector<std::string> flags;
  std::optional<double> usage_factor;
  std::vector<model::Limit> each_user;
  std::vector<model::Limit> each_account;
};
Result<Parsed<QosRecord>> parse_qos_records(std::string_view text);

// Completes the QOS of the same name, or adds one. exempt: of those without a time of their own.
void merge_qos_records(const std::vector<QosRecord>& records, std::optional<Seconds> exempt,
                       std::vector<model::Qos>& qos);

// The bounds in "gres/gpu=64,mem=1T", one Limit each.
Status append_tres_limits(std::string_view text, model::LimitKind kind,
                          std::vector<model::Limit>& limits);

}  // namespace schedlens::slurm
