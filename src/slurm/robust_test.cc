// SPDX-License-Identifier: Apache-2.0
// Every parser against real output that was cut, garbled or multiplied: it may refuse, it may not
// crash, and a cut output is never taken for a smaller cluster.
#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "slurm/assoc_mgr.h"
#include "slurm/config.h"
#include "slurm/exclusions.h"
#include "slurm/fixture_test.h"
#include "slurm/job_detail.h"
#include "slurm/jobs.h"
#include "slurm/nodes.h"
#include "slurm/partitions.h"
#include "slurm/qos_records.h"
#include "slurm/reservations.h"
#include "slurm/sdiag.h"
#include "slurm/sprio.h"

namespace schedlens::slurm {
namespace {

struct Parser {
  const char* file;
  // True when the text was accepted.
  std::function<bool(std::string_view)> parse;
  // Records end with line ends: only there may a cut output still be accepted.
  bool strict = true;
};

std::vector<Parser> parsers() {
  static TimeReader time;
  static NodeTable nodes{{}};
  auto all_nodes = [](std::string_view t) { return parse_nodes(t, time).has_value(); };
  auto partitions = [](std::string_view t) { return parse_partitions(t, nodes).has_value(); };
  auto reservations = [](std::string_view t) {
    return parse_reservations(t, nodes, time).has_value();
  };
  auto licences = [](std::string_view t) { return parse_licence_pool(t).has_value(); };
  auto assoc = [](std::string_view t) { return parse_assoc_mgr(t).has_value(); };
  auto sdiag = [](std::string_view t) { return parse_sdiag(t).has_value(); };
  auto config = [](std::string_view t) { return parse_config(t).has_value(); };
  auto jobs = [](std::string_view t) {
    return parse_jobs(t, {nodes, time, kNonce, 2205}).has_value();
  };
  auto jobs_2605 = [](std::string_view t) {
    return parse_jobs(t, {nodes, time, kNonce, 2605}).has_value();
  };
  auto excluded = [](std::string_view t) { return parse_exclusions(t, nodes, kNonce).has_value(); };
  auto qos = [](std::string_view t) { return parse_qos_records(t).has_value(); };
  auto sprio = [](std::string_view t) { return parse_sprio(t).has_value(); };
  auto detail = [](std::string_view t) {
    model::Workload w;
    w.job_id = 64;
    w.name = "train-llm";
    Complaints complaints;
    return complete_with_details(t, {&w}, nodes, complaints).has_value();
  };
  return {{"22.05/node.txt", all_nodes},
          {"26.05/node.txt", all_nodes},
          {"22.05/partition.txt", partitions},
          {"26.05/partition.txt", partitions},
          {"22.05/reservation.txt", reservations},
          {"22.05/licenses_two_lines.txt", licences},
          {"22.05/assoc_mgr.txt", assoc},
          {"26.05/assoc_mgr.txt", assoc},
          {"22.05/sdiag.txt", sdiag},
          {"26.05/sdiag.txt", sdiag},
          {"22.05/config.txt", config},
          {"22.05/squeue.txt", jobs},
          {"26.05/squeue.txt", jobs_2605},
          {"22.05/excluded.txt", excluded},
          {"22.05/qos.txt", qos},
          {"22.05/sprio.txt", sprio},
          // One job's record is recognised by its beginning and read as far as it goes.
          {"22.05/job_64.txt", detail, false}};
}

TEST(Robust, CutAtEveryByte) {
  for (const auto& parser : parsers()) {
    auto text = fixture(parser.file);
    ASSERT_TRUE(parser.parse(text)) << parser.file;
    // A fresh block of exactly that size, so that reading past its end is noticed.
    for (std::size_t length = 0; length < text.size(); ++length) {
      std::vector<char> part(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(length));
      bool accepted = parser.parse({part.data(), part.size()});
      if (parser.strict && length > 0) {
        EXPECT_TRUE(!accepted || part.back() == '\n') << parser.file << " cut at " << length;
      }
    }
  }
}

TEST(Robust, BytesChangedAtRandom) {
  std::mt19937 random(20261130);
  for (const auto& parser : parsers()) {
    auto text = fixture(parser.file);
    for (int round = 0; round < 300; ++round) {
      auto garbled = text;
      for (int k = 0; k < 1 + round / 10; ++k) {
        constexpr char kBytes[] = "\0\n =|,:()[]{}-*0129\x1f\xff";
        garbled[random() % garbled.size()] = kBytes[random() % (sizeof kBytes - 1)];
      }
      parser.parse(garbled);
    }
  }
}

TEST(Robust, NoiseIsRefused) {
  std::mt19937 random(7);
  std::string noise(20000, '\0');
  for (auto& c : noise) c = static_cast<char>(random());
  noise.back() = '\n';
  for (const auto& parser : parsers()) {
    EXPECT_FALSE(parser.parse(noise)) << parser.file;
    EXPECT_FALSE(parser.parse(std::string(100000, '\0') + "\n")) << parser.file;
    EXPECT_FALSE(parser.parse(std::string(100000, '=') + "\n")) << parser.file;
    EXPECT_FALSE(parser.parse("a" + std::string(100000, '[') + "\n")) << parser.file;
  }
}

}  // namespace
}  // namespace schedlens::slurm
