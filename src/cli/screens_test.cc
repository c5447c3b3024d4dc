// SPDX-License-Identifier: Apache-2.0
// Every screen against its golden text in tests/fixtures/faces.

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "api/filter.h"
#include "api/pending_causes.h"
#include "base/text.h"
#include "cli/efficiency.h"
#include "cli/forecast.h"
#include "cli/frag.h"
#include "cli/job.h"
#include "cli/layout.h"
#include "cli/nodes.h"
#include "cli/queue.h"
#include "cli/sample_cluster_test.h"
#include "cli/starvation.h"
#include "cli/status.h"
#include "cli/why.h"
#include "diagnose/fragmentation.h"
#include "diagnose/holdings.h"

namespace schedlens::cli {
namespace {

using diagnose::RootCause;
using model::WorkloadId;

constexpr Style kPlain{};
constexpr Style kScreen{.colour = false, .width = 100, .height = 40};
constexpr Style kSmall{.colour = false, .width = 80, .height = 24};
constexpr Style kColour{.colour = true, .width = 100, .height = 40};

// The expected screen; SCHEDLENS_UPDATE=1 in the environment writes it instead.
std::string golden(const std::string& name, const std::string& actual) {
  auto path = std::string(SCHEDLENS_FIXTURES) + "/faces/" + name;
  if (std::getenv("SCHEDLENS_UPDATE")) std::ofstream(path) << actual;
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

class Screens : public testing::Test {
 protected:
  StatusFacts status_facts() const {
    return {diagnose::holdings(s_), diagnose::fragmentation(s_), groups_};
  }

  std::vector<WorkloadId> selected(const api::WorkloadFilter& filter) const {
    auto found = api::select_workloads(s_, causes_, filter);
    EXPECT_TRUE(found.has_value());
    return found ? *found : std::vector<WorkloadId>{};
  }

  void expect_golden(const std::string& name, const std::string& text) const {
    EXPECT_EQ(golden(name, text), text);
  }

  // No line is wider, no escape is left, no line ends in a space.
  void expect_fits(const std::string& text, const Style& style) const {
    for (auto line : split(text, '\n')) {
      EXPECT_LE(display_width(line), style.width) << line;
      EXPECT_EQ(line.find('\x1b'), std::string_view::npos) << line;
      EXPECT_FALSE(line.ends_with(' ')) << line;
    }
  }

  diagnose::Verdict verdict() const {
    diagnose::Verdict v;
    v.workload = {6};
    v.cause = RootCause::kFragmentation;
    v.summary =
        "asks for 8 GPUs on one node; 14 are free on 6 nodes, but the largest hole has 2, and 4 "
        "more are stranded without CPUs";
    v.details = {"2 drained nodes would hold it if they were in service"};
    v.unsure = {"core reservations are not modelled"};
    v.scheduler_reason = "Resources";
    v.reason_difference = "Slurm says Resources for any shortage; here the sum would be enough";
    v.constraints = {
        {"gres/gpu", "8 gpu on one node", {{0}, {1}, {2}, {3}, {4}, {5}, {9}}, {{1}, {2}}},
        {"drain", "", {{6}, {7}}, {{6}}},
        {"down", "", {{8}}, {}},
        {"partition", "train", {}, {}}};
    v.limits.push_back({.holder = "QOS normal",
                        .name = "MaxTRESPU",
                        .resource = Symbol("gres/gpu"),
                        .unit = "",
                        .limit = 16,
                        .used = 14,
                        .requested = 8,
                        .filled_by = {{"101", 14}}});
    v.reservations.push_back({Symbol("firmware"),
                              s_.reservations[0].start,
                              s_.reservations[0].end,
                              {{0}, {1}},
                              "2 nodes are set aside and the job may run until then"});
    v.unhealthy_nodes = {{{6}, "drained", "ECC error on GPU 3", true},
                         {{7}, "draining", "ECC error on GPU 3", false},
                         {{8}, "down", "", false}};
    v.ahead = {{9}};
    v.gpus = {8, 8, 14, 10, 4, 2, 14};
    v.fit = {false, {}, 0, 1};
    using diagnose::RemedyKind;
    v.remedies = {
        {diagnose::Actor::kUser,
         RemedyKind::kSmallerRequest,
         "scontrol update JobId=105 Gres=gpu:2",
         "The job has 2 instead of 8 GPUs on each node.",
         diagnose::Starts::kInTurn,
         {},
         {}},
        {diagnose::Actor::kOperator,
         RemedyKind::kEndWorkloads,
         "scontrol release 105\nscontrol requeuehold 101",
         "The job is released and considered in the next cycle. Takes 1 job of alice off "
         "node[0-1] for a while: requeued and held, until released with scontrol release.",
         diagnose::Starts::kNow,
         {{0}},
         {{9}}}};
    return v;
  }

  model::Snapshot s_ = test::sample_cluster();
  std::vector<api::CauseGroup> groups_ = test::sample_causes(s_);
  api::Causes causes_ = api::causes_by_id(s_, groups_);
};

TEST_F(Screens, Status) {
  auto text = render_status(s_, status_facts(), kScreen);
  expect_golden("status.txt", text);
  expect_fits(text, kScreen);
  EXPECT_LE(split(text, '\n').size() - 1, 39u);
}

TEST_F(Screens, StatusOnASmallTerminal) {
  auto text = render_status(s_, status_facts(), kSmall);
  expect_golden("status_small.txt", text);
  expect_fits(text, kSmall);
  EXPECT_LE(split(text, '\n').size() - 1, 26u);
}

TEST_F(Screens, StatusInColourSaysTheSame) {
  auto text = render_status(s_, status_facts(), kColour);
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b') {
      i = text.find('m', i);
    } else {
      plain += text[i];
    }
  }
  EXPECT_NE(plain, text);
  EXPECT_EQ(plain, render_status(s_, status_facts(), kScreen));
}

TEST_F(Screens, StatusOfAnEmptyCluster) {
  model::Snapshot empty;
  empty.build_index();
  auto text =
      render_status(empty, {diagnose::holdings(empty), diagnose::fragmentation(empty), {}}, kPlain);
  expect_golden("status_empty.txt", text);
}

TEST_F(Screens, Queue) {
  auto all = selected({});
  expect_golden("queue.txt", render_queue(s_, causes_, all, kPlain));
  auto screen = render_queue(s_, causes_, all, kScreen);
  expect_golden("queue_100.txt", screen);
  expect_fits(screen, kScreen);
  EXPECT_EQ(render_queue(model::Snapshot{}, {}, {}, kPlain), "no jobs match\n");
}

TEST_F(Screens, Nodes) {
  auto all = *api::select_nodes(s_, {});
  expect_golden("nodes.txt", render_nodes(s_, all, kPlain));
  expect_fits(render_nodes(s_, all, kScreen), kScreen);
}

TEST_F(Screens, Node) {
  expect_golden("node.txt", render_node(s_, {0}, kScreen));
  expect_golden("node_drained.txt", render_node(s_, {7}, kPlain));
  expect_golden("node_down.txt", render_node(s_, {8}, kPlain));
  for (std::uint32_t i = 0; i < s_.nodes.size(); ++i)
    expect_fits(render_node(s_, {i}, kScreen), kScreen);
}

TEST_F(Screens, Job) {
  expect_golden("job_running.txt", render_job(s_, {0}, RootCause::kNone, kScreen));
  expect_golden("job_waiting.txt", render_job(s_, {9}, RootCause::kUnhealthyNodes, kPlain));
  expect_golden("job_array.txt", render_job(s_, {7}, RootCause::kLimit, kPlain));
  for (std::uint32_t i = 0; i < s_.workloads.size(); ++i) {
    expect_fits(render_job(s_, {i}, RootCause::kUnknown, kScreen), kScreen);
  }
}

TEST_F(Screens, Why) {
  expect_golden("why.txt", render_why(s_, verdict(), kPlain));
  auto screen = render_why(s_, verdict(), kScreen);
  expect_golden("why_100.txt", screen);
  expect_fits(screen, kScreen);
}

TEST_F(Screens, Forecast) {
  const auto at = [&](std::int64_t after) { return s_.time + Seconds{after}; };
  const std::vector<api::ForecastRow> rows{
      {{6}, {at(600), at(1800), at(7200), 42, ""}},
      {{7}, {{}, {}, {}, 42, "it is held, and nobody knows until when"}}};
  expect_golden("forecast.txt", render_forecasts(s_, rows, 42, kPlain));
  auto screen = render_forecasts(s_, rows, 42, kScreen);
  expect_golden("forecast_100.txt", screen);
  expect_fits(screen, kScreen);
  EXPECT_NE(render_forecasts(s_, rows, 0, kPlain).find("LATEST is if all run to their time limits"),
            std::string::npos);
  EXPECT_EQ(render_forecasts(model::Snapshot{}, {}, 0, kPlain), "nothing waits\n");
}

TEST_F(Screens, Starvation) {
  diagnose::Starvation starvation;
  starvation.workloads.push_back({{6},
                                  RootCause::kPriority,
                                  {90000},
                                  {Symbol("train"), true, 8},
                                  40,
                                  {600},
                                  {3600},
                                  12,
                                  {{diagnose::Policy::kFairShare,
                                    "fair share gives those ahead of "
                                    "it 900 points more on average"},
                                   {diagnose::Policy::kAgeCap, "its age counts all it can"}}});
  starvation.too_few_starts = 3;
  expect_golden("starvation.txt", render_starvation(s_, starvation, kPlain));
  auto screen = render_starvation(s_, starvation, kScreen);
  expect_golden("starvation_100.txt", screen);
  expect_fits(screen, kScreen);
}

TEST_F(Screens, WhyAll) {
  expect_golden("why_all.txt", render_causes(s_, groups_, kPlain));
  EXPECT_EQ(render_causes(model::Snapshot{}, {}, kPlain), "nothing waits\n");
}

TEST_F(Screens, Frag) {
  auto f = diagnose::fragmentation(s_);
  expect_golden("frag.txt", render_frag(s_, f, true, kPlain));
  auto screen = render_frag(s_, f, false, kScreen);
  expect_golden("frag_100.txt", screen);
  expect_fits(screen, kScreen);
}

TEST_F(Screens, Efficiency) {
  auto ledger = diagnose::gpu_ledger(s_, diagnose::fragmentation(s_), causes_);
  auto findings = diagnose::efficiency_findings(s_, ledger, {});
  metrics::EfficiencyCounts counts;
  counts.since = Timestamp{test::kNow.unix_seconds - 86'400};
  counts.until = test::kNow;
  counts.gpu_seconds = {{{diagnose::GpuState::kInUse, ""}, 5e6},
                        {{diagnose::GpuState::kStranded, "cpu"}, 36'000}};
  counts.lost[0] = {3, 9'000};
  counts.unseen = {1, 1'800};
  metrics::PreemptionKind kind{Symbol("train"), Symbol("low"), Symbol("train"), Symbol("high")};
  counts.preemptions[kind] = 2;
  counts.latest = {
      {Timestamp{test::kNow.unix_seconds - 120}, "91", "201", kind, true, 8, 7'200},
      {Timestamp{test::kNow.unix_seconds - 300}, "92", "", kind, false, 8, std::nullopt}};
  expect_golden("efficiency.txt", render_efficiency(s_, ledger, findings, nullptr, kPlain));
  auto screen = render_efficiency(s_, ledger, findings, &counts, kScreen);
  expect_golden("efficiency_100.txt", screen);
  expect_fits(screen, kScreen);
  EXPECT_EQ(render_efficiency(model::Snapshot{}, {}, {}, nullptr, kPlain), "no GPUs\n");
}

}  // namespace
}  // namespace schedlens::cli
