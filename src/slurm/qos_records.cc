// SPDX-License-Identifier: Apache-2.0
#include "slurm/qos_records.h"

#include <algorithm>
#include <array>

#include "slurm/gres.h"
#include "slurm/record.h"
#include "slurm/value_text.h"

namespace schedlens::slurm {
namespace {

using model::LimitKind;

struct BoundField {
  std::string_view name;
  LimitKind kind;
  bool tres = false;
  bool account = false;
};
constexpr std::array<BoundField, 10> kBounds = {
    {{"MaxTRESPU", LimitKind::kMaxTresPerUser, true, false},
     {"MaxJobsPU", LimitKind::kMaxJobsPerUser, false, false},
     {"MaxSubmitPU", LimitKind::kMaxSubmitJobsPerUser, false, false},
     {"MaxJobsAccruePU", LimitKind::kMaxJobsAccruePerUser, false, false},
     {"MaxTRESRunMinsPU", LimitKind::kMaxTresRunMinsPerUser, true, false},
     {"MaxTRESPA", LimitKind::kMaxTresPerAccount, true, true},
     {"MaxJobsPA", LimitKind::kMaxJobsPerAccount, false, true},
     {"MaxSubmitPA", LimitKind::kMaxSubmitJobsPerAccount, false, true},
     {"MaxJobsAccruePA", LimitKind::kMaxJobsAccruePerAccount, false, true},
     {"MaxTRESRunMinsPA", LimitKind::kMaxTresRunMinsPerAccount, true, true}}};
constexpr std::size_t kLeading = 5;  // Name, Preempt, Flags, UsageFactor, PreemptExemptTime

Result<QosRecord> read_qos(std::string_view line) {
  auto fields = split(line, '|');
  if (fields.size() != kLeading + kBounds.size()) {
    return fail("{} columns where {} were asked for", fields.size(), kLeading + kBounds.size());
  }
  QosRecord qos;
  qos.name = Symbol(fields[0]);
  if (qos.name.empty()) return fail("no name");
  qos.preempts = symbol_list(fields[1]);
  for (auto flag : split(fields[2], ',')) {
    if (!flag.empty()) qos.flags.emplace_back(flag);
  }
  qos.usage_factor = parse_number<double>(fields[3]);
  if (!fields[4].empty()) {
    qos.preempt_exempt_time = parse_duration(fields[4]);
    if (!qos.preempt_exempt_time) {
      return fail("PreemptExemptTime: '{}' is no time", printable(fields[4].substr(0, 40)));
    }
  }
  for (std::size_t i = 0; i < kBounds.size(); ++i) {
    auto text = fields[kLeading + i];
    if (text.empty()) continue;
    const auto& bound = kBounds[i];
    auto& limits = bound.account ? qos.each_account : qos.each_user;
    if (bound.tres) {
      auto done = append_tres_limits(text, bound.kind, limits);
      if (!done) return fail(done.error().within(bound.name));
    } else if (auto count = parse_count(text)) {
      limits.push_back({bound.kind, {}, static_cast<double>(*count), std::nullopt});
    } else {
      return fail("{}: '{}' is no number", bound.name, printable(text.substr(0, 40)));
    }
  }
  return qos;
}

}  // namespace

std::string qos_format() {
  std::string format = "Name,Preempt,Flags,UsageFactor,PreemptExemptTime";
  for (const auto& bound : kBounds) {
    format += ',';
    format += bound.name;
  }
  return format;
}

Status append_tres_limits(std::string_view text, LimitKind kind,
                          std::vector<model::Limit>& limits) {
  auto amounts = parse_tres(text);
  if (!amounts) return fail(amounts.error());
  for (const auto& item : amounts->items()) {
    limits.push_back({kind, item.name, item.count, std::nullopt});
  }
  return {};
}

Result<Parsed<QosRecord>> parse_qos_records(std::string_view text) {
  if (trim(text).empty()) return fail("no output");
  if (text.back() != '\n') return fail("output is cut off after {} bytes", text.size());
  Parsed<QosRecord> parsed;
  for (auto line : lines(text)) {
    auto qos = read_qos(line);
    if (qos) {
      parsed.records.push_back(std::move(*qos));
    } else {
      parsed.complaints.unreadable(line, qos.error().message());
    }
  }
  return unless_all_unreadable(std::move(parsed));
}

void merge_qos_records(const std::vector<QosRecord>& records, std::optional<Seconds> exempt,
                       std::vector<model::Qos>& qos) {
  for (const auto& record : records) {
    auto it = std::find_if(qos.begin(), qos.end(),
                           [&](const model::Qos& q) { return q.name == record.name; });
    if (it == qos.end()) {
      it = qos.emplace(qos.end());
      it->name = record.name;
    }
    it->preempts = record.preempts;
    it->preempt_exempt_time = record.preempt_exempt_time ? record.preempt_exempt_time : exempt;
    it->flags = record.flags;
    it->usage_factor = record.usage_factor;
    it->each_user = record.each_user;
    it->each_account = record.each_account;
  }
}

}  // namespace schedlens::slurm
