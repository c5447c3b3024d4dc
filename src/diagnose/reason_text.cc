// SPDX-License-Identifier: Apache-2.0
#include "diagnose/reason_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace schedlens::diagnose {
namespace {

struct Entry {
  std::string_view word;
  RootCause cause;
  std::string_view meaning;
};

using enum RootCause;

constexpr std::array kWords = std::to_array<Entry>({
    {"None", kUnknown, "the scheduler has not evaluated the job in its current cycle"},
    {"Priority", kUnknown,
     "the main scheduler stopped at a job ahead in the same partition or reservation and did not "
     "test this one against the nodes"},
    {"Resources", kUnknown, "the main scheduler tested the job and found no room for it"},
    {"ReqNodeNotAvail", kUnknown, "nodes that the job needs are not available now"},
    {"Dependency", kDependency, "a job that it depends on has not finished as required"},
    {"DependencyNeverSatisfied", kDependency,
     "a job that it depends on can no longer end as "
     "required"},
    {"BeginTime", kBeginTime, "its earliest start is in the future"},
    {"JobHeldUser", kHold, "its user (or a coordinator) holds it"},
    {"JobHeldAdmin", kHold, "an administrator holds it, or its priority is 0"},
    {"JobHoldMaxRequeue", kHold, "it was requeued as often as allowed and is held"},
    {"JobArrayTaskLimit", kLimit, "as many tasks of its array run as the array allows"},
    {"Licenses", kLicence, "a licence that it asks for is not free"},
    {"Reservation", kReservation, "its reservation is not active or its nodes are not free"},
    {"ReservationDeleted", kReservation, "its reservation was deleted"},
    {"ReservationInvalid", kReservation, "its reservation is over or not valid for it"},
    {"PartitionNodeLimit", kUnknown,
     "its node count is outside the partition's bounds, or required nodes are out of service"},
    {"PartitionTimeLimit", kLimit, "its time limit is longer than the partition allows"},
    {"PartitionDown", kHold, "the partition starts no jobs (state DOWN)"},
    {"PartitionInactive", kHold, "the partition starts no jobs (state INACTIVE)"},
    {"PartitionConfig", kLimit, "the partition's rules do not admit it"},
    {"AccountingPolicy", kLimit, "an accounting rule does not admit it"},
    {"AccountNotAllowed", kLimit, "its account or its user's groups may not use the partition"},
    {"QOSNotAllowed", kLimit, "its QOS may not be used in the partition"},
    {"InvalidAccount", kLimit, "its account or association is not valid"},
    {"InvalidQOS", kLimit, "its QOS is not valid for its association"},
    {"QOSUsageThreshold", kLimit, "its association has used more than its QOS admits"},
    {"MaxMemPerLimit", kLimit, "it asks for more memory per CPU or node than allowed"},
    {"BadConstraints", kUnknown,
     "no set of configured nodes satisfies its constraints; it is held"},
    {"Constraints", kUnknown, "its constraints cannot be satisfied now"},
    {"Cleaning", kNotConsidered, "an earlier run of it is still being cleaned up"},
    {"Prolog", kNotConsidered, "its prolog is still running"},
    {"SchedDefer", kNotConsidered, "the scheduler defers jobs that ask to start at once"},
    {"DeadLine", kImpossible, "it cannot meet its deadline"},
    {"FedJobLock", kNotConsidered, "another cluster of the federation holds its lock"},
    {"BurstBufferResources", kVolume, "the burst buffer has no room for it"},
    {"BurstBufferStageIn", kVolume, "the burst buffer is loading its data"},
    {"BurstBufferOperation", kVolume, "a burst buffer operation failed or is pending"},
    {"MaxPoweredUpNodes", kLimit, "no more nodes may be powered up"},
    {"MpiPortsBusy", kCapacity, "all reserved MPI ports are in use"},
    {"NvidiaImexChannels", kCapacity, "all NVLink channels are in use"},
    {"FrontEndDown", kUnhealthyNodes, "the front end node is down"},
    {"NodeDown", kUnhealthyNodes, "a node it needs is down"},
});

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// "GRES", "CPU", ...: the quantity in the names of QOS and association reasons.
std::string_view quantity(std::string_view word) {
  if (contains(word, "GRES")) return "GPUs or other devices";
  if (contains(word, "CPU") || contains(word, "Cpu")) return "CPUs";
  if (contains(word, "Mem")) return "memory";
  if (contains(word, "Node")) return "nodes";
  if (contains(word, "Billing")) return "billing units";
  if (contains(word, "License")) return "licences";
  if (contains(word, "Job")) return "running jobs";
  if (contains(word, "Wall") || contains(word, "Time")) return "run time";
  return "resources";
}

std::string account_limit_meaning(std::string_view word) {
  bool qos = word.starts_with("QOS") || contains(word, "PerAccount") || contains(word, "PerUser");
  auto whose = qos ? "QOS" : "association";
  if (contains(word, "Min") && word.starts_with("QOSMin")) {
    return fmt::format("it asks for fewer {} than its QOS demands", quantity(word));
  }
  if (contains(word, "RunMin")) {
    return fmt::format("{} times remaining run time reach a limit of its {}", quantity(word),
                       whose);
  }
  if (contains(word, "Minutes")) {
    return fmt::format("{} times minutes, past use included, reach a limit of its {}",
                       quantity(word), whose);
  }
  if (contains(word, "PerJob") || contains(word, "PerNode") || contains(word, "WallDuration")) {
    return fmt::format("it asks for more {} than its {} allows one job", quantity(word), whose);
  }
  if (contains(word, "Grp")) {
    return fmt::format("the {} of all in its {} reach the group's limit", quantity(word), whose);
  }
  return fmt::format("its own {} reach a limit of its {}", quantity(word), whose);
}

}  // namespace

std::string_view reason_word(std::string_view reason) {
  return reason.substr(0, reason.find_first_of(", _("));
}

bool is_account_limit(std::string_view reason) {
  auto word = reason_word(reason);
  if (word == "QOSNotAllowed" || word == "QOSUsageThreshold" || word == "AssociationJobLimit") {
    return word == "AssociationJobLimit";
  }
  return word.starts_with("QOS") || word.starts_with("Assoc") ||
         (word.starts_with("Max") && (contains(word, "PerAccount") || contains(word, "PerUser")));
}

ReasonMeaning reason_meaning(std::string_view reason) {
  auto word = reason_word(reason);
  const auto* it =
      std::find_if(kWords.begin(), kWords.end(), [&](const Entry& e) { return e.word == word; });
  if (it != kWords.end()) return {std::string(it->meaning), it->cause};
  if (is_account_limit(word)) return {account_limit_meaning(word), RootCause::kLimit};
  return {};
}

}  // namespace schedlens::diagnose
