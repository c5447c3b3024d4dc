// SPDX-License-Identifier: Apache-2.0
#include "slurm/assoc_mgr.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <unordered_map>

#include "slurm/gres.h"
#include "slurm/record.h"
#include "slurm/value_text.h"

namespace schedlens::slurm {
namespace {

using model::Limit;
using model::LimitKind;

constexpr FreeText kFreeTexts[] = {{"Comment", {}}};

struct LimitField {
  std::string_view key;
  LimitKind kind;
  bool tres;
  bool keep_use;  // even without a limit
};
constexpr std::array<LimitField, 16> kOwnLimits = {
    {{"GrpJobs", LimitKind::kGrpJobs, false, true},
     {"GrpJobsAccrue", LimitKind::kGrpJobsAccrue, false, false},
     {"GrpSubmitJobs", LimitKind::kGrpSubmitJobs, false, false},
     {"GrpWall", LimitKind::kGrpWall, false, false},
     {"GrpTRES", LimitKind::kGrpTres, true, true},
     {"GrpTRESMins", LimitKind::kGrpTresMins, true, false},
     {"GrpTRESRunMins", LimitKind::kGrpTresRunMins, true, false},
     {"MaxJobs", LimitKind::kMaxJobs, false, false},
     {"MaxJobsAccrue", LimitKind::kMaxJobsAccrue, false, false},
     {"MaxSubmitJobs", LimitKind::kMaxSubmitJobs, false, false},
     {"MaxWallPJ", LimitKind::kMaxWallPerJob, false, false},
     {"MaxTRESPJ", LimitKind::kMaxTresPerJob, true, false},
     {"MaxTRESPN", LimitKind::kMaxTresPerNode, true, false},
     {"MaxTRESMinsPJ", LimitKind::kMaxTresMinsPerJob, true, false},
     {"MinPrioThresh", LimitKind::kMinPrioThreshold, false, false},
     {"MinTRESPJ", LimitKind::kMinTresPerJob, true, false}}};
constexpr std::array<LimitField, 5> kUserLimits = {
    {{"MaxJobsPU", LimitKind::kMaxJobsPerUser, false, true},
     {"MaxJobsAccruePU", LimitKind::kMaxJobsAccruePerUser, false, false},
     {"MaxSubmitJobsPU", LimitKind::kMaxSubmitJobsPerUser, false, true},
     {"MaxTRESPU", LimitKind::kMaxTresPerUser, true, true},
     {"MaxTRESRunMinsPU", LimitKind::kMaxTresRunMinsPerUser, true, false}}};
constexpr std::array<LimitField, 5> kAccountLimits = {
    {{"MaxJobsPA", LimitKind::kMaxJobsPerAccount, false, true},
     {"MaxJobsAccruePA", LimitKind::kMaxJobsAccruePerAccount, false, false},
     {"MaxSubmitJobsPA", LimitKind::kMaxSubmitJobsPerAccount, false, true},
     {"MaxTRESPA", LimitKind::kMaxTresPerAccount, true, true},
     {"MaxTRESRunMinsPA", LimitKind::kMaxTresRunMinsPerAccount, true, false}}};

// "40(36)", "N(36)" or "40".
struct Bounded {
  std::optional<double> limit, used;
};
std::optional<Bounded> parse_bounded(std::string_view text) {
  Bounded b;
  if (auto open = text.find('('); open != std::string_view::npos) {
    if (!text.ends_with(')')) return std::nullopt;
    b.used = parse_number<double>(text.substr(open + 1, text.size() - open - 2));
    if (!b.used) return std::nullopt;
    text = text.substr(0, open);
  }
  if (text == "N") return b;
  b.limit = parse_scaled(text);
  return b.limit ? std::optional(b) : std::nullopt;
}

Status append_limit(const LimitField& field, std::string_view resource, std::string_view text,
                    std::vector<Limit>& limits) {
  auto bounded = parse_bounded(text);
  if (!bounded) {
    return fail("{}: '{}' is no limit", field.key, printable(text.substr(0, 40)));
  }
  if (!bounded->limit && !(field.keep_use && bounded->used.value_or(0) > 0)) return {};
  // Memory is counted in MiB here.
  double unit = resource == "mem" || resource == "vmem" ? 1024.0 * 1024.0 : 1.0;
  if (bounded->limit) *bounded->limit *= unit;
  if (bounded->used) *bounded->used *= unit;
  limits.push_back({field.kind, Symbol(resource), bounded->limit, bounded->used});
  return {};
}

Status read_limits(const Record& r, std::span<const LimitField> fields,
                   std::vector<Limit>& limits) {
  for (const auto& field : fields) {
    auto text = r.get(field.key);
    if (text.empty()) continue;
    if (!field.tres) {
      if (auto done = append_limit(field, "", text, limits); !done) return done;
      continue;
    }
    for (auto part : split(text, ',')) {
      auto pair = cut(part, '=');
      if (!pair) return fail("{}: '{}' is no name=limit", field.key, printable(part.substr(0, 40)));
      auto done = append_limit(field, pair->first, pair->second, limits);
      if (!done) return done;
    }
  }
  return {};
}

// "alice(1001)"
struct NamedId {
  std::string_view name;
  std::optional<std::uint32_t> id;
};
NamedId parse_named_id(std::string_view text) {
  auto open = text.rfind('(');
  if (open == std::string_view::npos || !text.ends_with(')')) return {text, std::nullopt};
  auto id = parse_number<std::uint32_t>(text.substr(open + 1, text.size() - open - 2));
  if (!id) return {text, std::nullopt};
  return {text.substr(0, open), id};
}

Result<model::User> read_user(const Record& r) {
  auto named = parse_named_id(r.get("UserName"));
  if (named.name.empty() || !named.id) return fail("no user name and number");
  model::User user;
  user.name = Symbol(named.name);
  user.uid = *named.id;
  user.default_account = symbol_or_empty(r.get("DefAccount"));
  user.admin_level = r.get("AdminLevel");
  return user;
}

// "a/b/c" under a key like "SharesRaw/Norm/Level/Factor".
void read_slashed(std::string_view text, std::span<std::optional<double>* const> into) {
  auto parts = split(text, '/');
  for (std::size_t i = 0; i < into.size() && i < parts.size(); ++i) {
    if (auto number = parse_number<double>(parts[i])) *into[i] = *number;
  }
}

Result<model::Association> read_association(const Record& r) {
  model::Association a;
  auto id = parse_count32(r.get("ID"));
  if (!id || !r.has("Account")) return fail("no ID or Account");
  a.id = *id;
  a.account = Symbol(r.get("Account"));
  a.user = Symbol(parse_named_id(r.get("UserName")).name);
  a.queue = symbol_or_empty(r.get("Partition"));
  a.parent_id = parse_named_id(r.get("ParentAccount")).id;
  std::optional<double> raw;
  const std::array<std::optional<double>*, 4> shares = {&raw, &a.shares_normalized,
                                                        &a.level_fair_share, &a.fair_share_factor};
  read_slashed(r.get("SharesRaw/Norm/Level/Factor"), shares);
  if (raw && *raw >= 0 && *raw < 1e18) a.shares = static_cast<std::uint64_t>(*raw);
  std::optional<double> normalized;
  const std::array<std::optional<double>*, 3> usage = {&a.usage_raw, &normalized,
                                                       &a.usage_effective};
  read_slashed(r.get("UsageRaw/Norm/Efctv"), usage);
  if (auto done = read_limits(r, kOwnLimits, a.limits); !done) return fail(done.error());
  return a;
}

// The groups of "1001={MaxJobsPU=N(12) ...} 1003={...}".
Status read_holders(std::string_view text, std::span<const LimitField> fields,
                    std::vector<model::LimitHolder>& holders) {
  for (;;) {
    auto open = text.find("={");
    if (open == std::string_view::npos) return {};
    auto close = text.find('}', open);
    if (close == std::string_view::npos) return fail("a group of limits is cut off");
    auto name = trim(text.substr(0, open));
    if (auto space = name.rfind(' '); space != std::string_view::npos)
      name.remove_prefix(space + 1);
    model::LimitHolder holder;
    holder.name = Symbol(parse_named_id(name).name);
    Record group(text.substr(open + 2, close - open - 2), {});
    if (auto done = read_limits(group, fields, holder.limits); !done) return done;
    if (!holder.limits.empty()) holders.push_back(std::move(holder));
    text.remove_prefix(close + 1);
  }
}

Result<model::Qos> read_qos(std::string_view line) {
  auto accounts = line.find(" Account Limits=");
  auto users = line.find(" User Limits=");
  Record r(line.substr(0, std::min(accounts, users)), {});
  model::Qos qos;
  auto named = parse_named_id(r.get("QOS"));
  if (named.name.empty()) return fail("no name");
  qos.name = Symbol(named.name);
  qos.id = named.id.value_or(0);
  qos.priority = parse_count(r.get("Priority")).value_or(0);
  qos.usage_raw = parse_number<double>(r.get("UsageRaw"));
  qos.preempt_mode = text_or_empty(r.get("PreemptMode"));
  if (auto done = read_limits(r, kOwnLimits, qos.limits); !done) return fail(done.error());
  constexpr auto kNone = std::string_view::npos;
  auto part = [&](std::size_t from, std::size_t other) {
    if (from == kNone) return std::string_view();
    auto text = line.substr(from, other != kNone && other > from ? other - from : kNone);
    return text.substr(text.find('=') + 1);
  };
  auto done = read_holders(part(accounts, users), kAccountLimits, qos.accounts);
  if (done) done = read_holders(part(users, accounts), kUserLimits, qos.users);
  if (!done) return fail(done.error());
  return qos;
}

// Version 22.05 names users within a QOS by number only.
void name_users(AssocMgr& all) {
  std::unordered_map<std::string, Symbol> names;
  for (const auto& user : all.users) names.emplace(std::to_string(user.uid), user.name);
  for (auto& qos : all.qos) {
    for (auto& holder : qos.users) {
      if (auto it = names.find(holder.name.str()); it != names.end()) holder.name = it->second;
    }
  }
}

}  // namespace

Result<AssocMgr> parse_assoc_mgr(std::string_view text) {
  if (trim(text).empty()) return fail("no output");
  if (!trim(text).starts_with("Current Association Manager state")) {
    return fail("output does not begin as it should: '{}'", printable(text.substr(0, 60)));
  }
  if (text.back() != '\n') return fail("output is cut off after {} bytes", text.size());
  AssocMgr all;
  auto& complaints = all.complaints;
  auto keep = [&](std::string_view line, auto record, auto& into) {
    if (record) {
      into.push_back(std::move(*record));
    } else {
      complaints.unreadable(line, record.error().message());
    }
  };
  for (auto line : lines(text)) {
    if (line.starts_with("UserName=")) {
      keep(line, read_user(Record(line, kFreeTexts)), all.users);
    } else if (line.starts_with("ClusterName=")) {
      keep(line, read_association(Record(line, kFreeTexts)), all.associations);
    } else if (line.starts_with("QOS=")) {
      keep(line, read_qos(line), all.qos);
    } else if (line.find('=') != std::string_view::npos) {
      complaints.unreadable(line, "neither a user, an association nor a QOS");
    }
  }
  if (all.users.empty() && all.associations.empty() && all.qos.empty() &&
      complaints.unreadable_records() > 0) {
    return fail("no record can be read, for example {}", complaints.examples().front());
  }
  name_users(all);
  return all;
}

}  // namespace schedlens::slurm
