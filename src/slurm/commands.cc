// SPDX-License-Identifier: Apache-2.0
#include "slurm/commands.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <initializer_list>

#include "base/text.h"
#include "slurm/exclusions.h"
#include "slurm/jobs.h"
#include "slurm/qos_records.h"
#include "slurm/sprio.h"

namespace schedlens::slurm {
namespace {

constexpr std::array<SourceKind, kSources> kKinds = {
    {{.name = "scontrol show config", .slow = true},
     {.name = "scontrol show node", .feeds = "nodes"},
     {.name = "scontrol show partition", .feeds = "queues"},
     {.name = "squeue", .feeds = "workloads"},
     {.name = "squeue (excluded nodes)", .slow = true},
     {.name = "scontrol show reservation", .feeds = "reservations"},
     {.name = "scontrol show licenses", .feeds = "licences"},
     {.name = "scontrol show assoc_mgr", .feeds = "associations"},
     {.name = "sdiag"},
     {.name = "sacctmgr show qos", .slow = true, .asks_controller = false},
     {.name = "sprio", .slow = true}}};

constexpr std::array kConfPlaces = {"/etc/slurm/slurm.conf", "/etc/slurm-llnl/slurm.conf",
                                    "/run/slurm/conf/slurm.conf"};

std::string own_variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

std::string search_path(const Options& options) {
  auto path = own_variable("PATH");
  if (path.empty()) path = "/usr/local/bin:/usr/bin:/bin";
  return options.bin_dir.empty() ? path : options.bin_dir + ":" + path;
}

std::string chosen_conf(const Options& options) {
  return options.slurm_conf.empty() ? own_variable("SLURM_CONF") : options.slurm_conf;
}

os::Command command(const Options& options, std::vector<std::string> argv) {
  os::Command made;
  made.argv = std::move(argv);
  if (!options.bin_dir.empty()) made.argv[0] = options.bin_dir + "/" + made.argv[0];
  made.environment = command_environment(options);
  made.timeout = std::chrono::seconds(options.timeout.value);
  return made;
}

os::Command scontrol(const Options& options, std::initializer_list<std::string> what) {
  std::vector<std::string> argv = {"scontrol", "--all", "--details", "--oneliner", "show"};
  argv.insert(argv.end(), what);
  return command(options, std::move(argv));
}

}  // namespace

const SourceKind& source_kind(SourceId id) {
  return kKinds[static_cast<std::size_t>(id)];
}

std::optional<Timestamp> fresh_until(const model::SourceStatus& source, const Options& options) {
  using enum model::SourceState;
  if (source.state != kFresh && source.state != kPartial) return std::nullopt;
  if (!source.last_success) return std::nullopt;
  auto kind = std::find_if(kKinds.begin(), kKinds.end(),
                           [&](const SourceKind& k) { return k.name == source.name; });
  bool slow = kind != kKinds.end() && kind->slow;
  constexpr std::int64_t kIntervals = 3;
  auto interval = slow ? options.slow_interval : options.interval;
  return *source.last_success + Seconds{kIntervals * interval.value};
}

os::Command make_command(SourceId id, const Options& options, std::string_view nonce, int version) {
  switch (id) {
    case SourceId::kConfig:
      return command(options, {"scontrol", "show", "config"});
    case SourceId::kNodes:
      return scontrol(options, {"node"});
    case SourceId::kPartitions:
      return scontrol(options, {"partition"});
    case SourceId::kJobs:
      return command(options, {"squeue", "--all", "--states=all", "--noheader", "--noconvert",
                               "--Format=" + job_format(nonce, version)});
    case SourceId::kExclusions:
      return command(options, {"squeue", "--all", "--states=PENDING", "--noheader",
                               "--format=" + exclusion_format(nonce)});
    case SourceId::kReservations:
      return scontrol(options, {"reservation"});
    case SourceId::kLicences:
      return scontrol(options, {"licenses"});
    case SourceId::kAssociations:
      return scontrol(options, {"assoc_mgr"});
    case SourceId::kVitals:
      return command(options, {"sdiag"});
    case SourceId::kQos:
      return command(options, {"sacctmgr", "--noheader", "--parsable2", "show", "qos",
                               "format=" + qos_format()});
    case SourceId::kPriorities:
      return command(options, {"sprio", "--noheader", "--format=" + sprio_format()});
    case SourceId::kCount:
      break;
  }
  return {};
}

os::Command make_detail_command(std::string_view job, const Options& options) {
  return scontrol(options, {"job", std::string(job)});
}

os::Command make_row_command(std::string_view job, const Options& options, std::string_view nonce,
                             int version) {
  auto made = make_command(SourceId::kJobs, options, nonce, version);
  made.argv.push_back("--jobs=" + std::string(job));
  return made;
}

std::vector<std::string> command_environment(const Options& options) {
  std::vector<std::string> environment = {"PATH=" + search_path(options), "LC_ALL=C",
                                          // Array task lists in full, not cut with "...".
                                          "SLURM_BITSTR_LEN=0"};
  for (const char* name : {"HOME", "TZ", "LD_LIBRARY_PATH", "SLURM_JWT"}) {
    if (auto value = own_variable(name); !value.empty()) {
      environment.push_back(std::string(name) + "=" + value);
    }
  }
  if (auto conf = chosen_conf(options); !conf.empty()) {
    environment.push_back("SLURM_CONF=" + conf);
  }
  return environment;
}

bool named_conf_is_missing(const Options& options) {
  auto conf = chosen_conf(options);
  return !conf.empty() && ::access(conf.c_str(), R_OK) != 0;
}

bool slurm_seems_installed(const Options& options) {
  auto folders = options.bin_dir.empty() ? search_path(options) : options.bin_dir;
  bool program = false;
  for (auto folder : split(folders, ':')) {
    program |= ::access((std::string(folder) + "/scontrol").c_str(), X_OK) == 0;
  }
  if (!program) return false;
  if (!chosen_conf(options).empty()) return !named_conf_is_missing(options);
  for (const char* place : kConfPlaces) {
    if (::access(place, R_OK) == 0) return true;
  }
  return false;
}

std::string where_slurm_was_looked_for(const Options& options) {
  auto text =
      fmt::format("looked for scontrol, squeue and sdiag in {}",
                  options.bin_dir.empty() ? "PATH=" + search_path(options) : options.bin_dir);
  auto state = [](const char* file) { return ::access(file, R_OK) == 0 ? "there" : "not there"; };
  if (auto conf = chosen_conf(options); !conf.empty()) {
    text += fmt::format("; for slurm.conf at {} ({})", conf, state(conf.c_str()));
  } else {
    text += "; for slurm.conf at $SLURM_CONF (not set)";
    for (const char* place : kConfPlaces) text += fmt::format(", {} ({})", place, state(place));
  }
  return text;
}

}  // namespace schedlens::slurm
