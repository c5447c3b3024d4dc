// SPDX-License-Identifier: Apache-2.0
#include "slurm/sprio.h"

#include <array>

#include "slurm/record.h"

namespace schedlens::slurm {
namespace {

// "cpu=4,mem=1,gres/gpu=42": points, not amounts.
std::optional<double> sum_of_parts(std::string_view text) {
  double sum = 0;
  for (auto part : split(text, ',')) {
    auto pair = cut(part, '=');
    auto points = pair ? parse_number<double>(pair->second) : std::nullopt;
    if (!points) return std::nullopt;
    sum += *points;
  }
  return sum;
}

Result<JobPriority> read_priority(std::string_view line) {
  auto fields = split(line, '|');
  if (fields.size() != 11) return fail("{} columns where 11 were asked for", fields.size());
  JobPriority job;
  auto id = parse_number<std::uint32_t>(trim(fields[0]));
  if (!id) return fail("no job id");
  job.job_id = *id;
  auto& f = job.factors;
  const std::array<double*, 8> places = {&f.site,     &f.age,   &f.association, &f.fair_share,
                                         &f.job_size, &f.queue, &f.qos,         &f.nice};
  for (std::size_t i = 0; i < places.size(); ++i) {
    auto points = parse_number<double>(trim(fields[i + 1]));
    if (!points) return fail("'{}' is no number", printable(fields[i + 1].substr(0, 40)));
    *places[i] = *points;
  }
  job.queue = Symbol(trim(fields[9]));
  auto tres = sum_of_parts(trim(fields[10]));
  if (!tres) return fail("'{}' is no list of points", printable(fields[10].substr(0, 40)));
  f.tres = *tres;
  return job;
}

}  // namespace

std::string sprio_format() {
  return "%i|%S|%A|%B|%F|%J|%P|%Q|%N|%r|%T";
}

Result<Parsed<JobPriority>> parse_sprio(std::string_view text) {
  Parsed<JobPriority> parsed;
  if (!text.empty() && text.back() != '\n') {
    return fail("output is cut off after {} bytes", text.size());
  }
  for (auto line : lines(text)) {
    auto job = read_priority(line);
    if (job) {
      parsed.records.push_back(*job);
    } else {
      parsed.complaints.unreadable(line, job.error().message());
    }
  }
  return unless_all_unreadable(std::move(parsed));
}

}  // namespace schedlens::slurm
