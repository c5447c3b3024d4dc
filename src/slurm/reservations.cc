// SPDX-License-Identifier: Apache-2.0
#include "slurm/reservations.h"

#include "slurm/gres.h"
#include "slurm/record.h"

namespace schedlens::slurm {
namespace {

constexpr std::string_view kAfterFeatures[] = {"PartitionName"};
constexpr FreeText kFreeTexts[] = {{"Features", kAfterFeatures}, {"Comment", {}}};

Result<model::Reservation> read_reservation(const Record& r, NodeTable& nodes, TimeReader& time,
                                            Complaints& complaints) {
  model::Reservation reservation;
  reservation.name = Symbol(r.get("ReservationName"));
  if (reservation.name.empty()) return fail("no ReservationName");
  if (!r.has("State") || !r.has("StartTime")) return fail("no State or StartTime");
  reservation.start = time(r.get("StartTime"));
  reservation.end = time(r.get("EndTime"));
  reservation.active = r.get("State") == "ACTIVE";
  auto ids = nodes.resolve(r.get("Nodes"));
  if (!ids) return fail(ids.error().within("Nodes"));
  reservation.nodes = std::move(*ids);
  reservation.node_count = parse_count32(r.get("NodeCnt")).value_or(0);
  reservation.core_count = parse_count32(r.get("CoreCnt")).value_or(0);
  for (auto flag : split(text_or_empty(r.get("Flags")), ',')) {
    if (!flag.empty()) reservation.flags.emplace_back(flag);
  }
  reservation.users = symbol_list(r.get("Users"));
  reservation.accounts = symbol_list(r.get("Accounts"));
  reservation.groups = symbol_list(r.get("Groups"));
  reservation.queue = symbol_or_empty(r.get("PartitionName"));
  reservation.features = text_or_empty(r.get("Features"));
  auto licences = parse_licences(r.get("Licenses"));
  if (!licences) return fail(licences.error());
  reservation.licences = std::move(*licences);
  if (auto totals = parse_tres(r.get("TRES"))) {
    reservation.totals = std::move(*totals);
  } else {
    complaints.say(totals.error().within(reservation.name.view()).message());
  }
  return reservation;
}

Result<model::Licence> read_licence(const Record& r) {
  model::Licence licence;
  licence.name = Symbol(r.get("LicenseName"));
  if (licence.name.empty()) return fail("no LicenseName");
  auto total = parse_count(r.get("Total"));
  auto used = parse_count(r.get("Used"));
  if (!total || !used) return fail("no Total or Used");
  licence.total = *total;
  licence.used = *used;
  licence.reserved = parse_count(r.get("Reserved")).value_or(0);
  licence.deficit = parse_count(r.get("LastDeficit"));
  licence.remote = equal_ignoring_case(r.get("Remote"), "yes");
  return licence;
}

// Lines joined so that each begins with the key.
std::vector<std::string> joined_records(std::string_view text, std::string_view first_key) {
  std::vector<std::string> records;
  for (auto line : lines(text)) {
    if (line.starts_with(first_key) || records.empty()) {
      records.emplace_back(line);
    } else {
      records.back() += ' ';
      records.back() += line;
    }
  }
  return records;
}

}  // namespace

Result<Parsed<model::Reservation>> parse_reservations(std::string_view text, NodeTable& nodes,
                                                      TimeReader& time) {
  if (trim(text).empty()) return fail("no output");
  Parsed<model::Reservation> parsed;
  if (trim(text).starts_with("No reservations in the system")) return parsed;
  if (text.back() != '\n') return fail("output is cut off after {} bytes", text.size());
  for (auto line : lines(text)) {
    auto reservation = read_reservation(Record(line, kFreeTexts), nodes, time, parsed.complaints);
    if (reservation) {
      parsed.records.push_back(std::move(*reservation));
    } else {
      parsed.complaints.unreadable(line, reservation.error().message());
    }
  }
  return unless_all_unreadable(std::move(parsed));
}

Result<Parsed<model::Licence>> parse_licence_pool(std::string_view text) {
  if (trim(text).empty()) return fail("no output");
  Parsed<model::Licence> parsed;
  if (trim(text).starts_with("No licenses")) return parsed;
  if (text.back() != '\n') return fail("output is cut off after {} bytes", text.size());
  for (const auto& record : joined_records(text, "LicenseName=")) {
    auto licence = read_licence(Record(record, {}));
    if (licence) {
      parsed.records.push_back(*licence);
    } else {
      parsed.complaints.unreadable(record, licence.error().message());
    }
  }
  return unless_all_unreadable(std::move(parsed));
}

}  // namespace schedlens::slurm
