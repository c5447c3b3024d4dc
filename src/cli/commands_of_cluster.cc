// SPDX-License-Identifier: Apache-2.0
// The commands that show the cluster, whole or one thing of it.

#include <CLI/CLI.hpp>

#include "base/text.h"
#include "base/time_text.h"
#include "cli/command_adder.h"
#include "cli/commands.h"

namespace schedlens::cli {
namespace {

void add_overviews(CommandAdder& to) {
  auto& options = to.options;
  auto* status =
      to.command("status", "The cluster on one screen",
                 "Who holds the resources, are the decisions reasonable, is the "
                 "scheduler healthy. Fits 80 x "
                 "24; a larger terminal shows more.",
                 "schedlens status --slurm-conf /etc/slurm/slurm.conf", [](Context& context) {
                   context.where.vitals = true;
                   return run_status(context);
                 });
  auto* frag = to.command(
      "frag", "How usable the free GPUs are",
      "Which free GPUs are stranded and by what, how many jobs of each size and of the waiting "
      "shapes could start now and if the free GPUs stood in one place, and each node with some "
      "of "
      "its GPUs free.",
      "schedlens frag --all",
      [&options](Context& context) { return run_frag(context, options.all); });
  frag->add_flag("--all", options.all, "every node on a line of its own");
  auto* efficiency = to.command(
      "efficiency", "What every GPU is doing, and what is held or free and of no use",
      "Each GPU counts once: in use, allocated and measured idle, held for a waiting job, "
      "reserved, stranded (and by what), kept from what fits by a limit or the like, free "
      "without demand, drained, down, unhealthy, or unknown. Then what is lost: GPUs that are "
      "free and of no use to what waits, jobs whose nodes do nothing, CPUs and memory that are "
      "held and not used. A server (--server) adds what it has counted: GPU time by state, runs "
      "that ended badly, preemptions.",
      "schedlens efficiency --server http://127.0.0.1:9817", run_efficiency);
  for (auto* sub : {status, frag, efficiency}) {
    to.add_form(sub);
    to.add_source(sub);
  }
  to.add_use(efficiency, options.where.kube);
}

void add_queue(CommandAdder& to) {
  auto& options = to.options;
  auto* sub = to.command(
      "queue", "What waits and why, what runs and where",
      "Waiting jobs come in the scheduler's order with the root cause of each beside the "
      "scheduler's reason, then running ones, most GPUs first. Filters take lists (a,b) and can "
      "be repeated; all of them must hold.",
      "schedlens queue --user alice,bob --cause fragmentation --gpus-min 8",
      [&options](Context& context) {
        options.queue.phase = options.pending   ? api::Phase::kWaiting
                              : options.running ? api::Phase::kHolding
                              : options.all     ? api::Phase::kAll
                                                : api::Phase::kActive;
        return run_queue(context, options.queue);
      });
  auto& filter = options.queue;
  to.add_list(sub, "-u,--user", filter.users, "these users");
  to.add_list(sub, "-A,--account", filter.accounts, "these accounts");
  to.add_list(sub, "-n,--namespace", filter.namespaces, "pods of these namespaces; else of all");
  to.add_list(sub, "-p,--partition", filter.queues, "jobs in these partitions");
  to.add_list(sub, "-q,--qos", filter.qos, "these QOS");
  to.add_list(sub, "--node", filter.nodes, "jobs that hold resources on these nodes");
  to.add_list(sub, "-t,--state", filter.states, "these states: pending, running, completing, ...");
  sub->add_option("--reason", filter.reasons, "scheduler's reasons that begin so")
      ->type_name("TEXT")
      ->allow_extra_args(false)
      ->take_all();
  to.add_list(sub, "--cause", filter.causes, "these root causes: limit, fragmentation, ...");
  sub->add_option("--gpus-min", filter.gpus_min, "jobs of at least N GPUs")->type_name("N");
  auto* pending = sub->add_flag("--pending", options.pending, "only what waits");
  auto* running = sub->add_flag("--running", options.running, "only what holds resources");
  auto* all = sub->add_flag("--all", options.all, "also what has ended");
  pending->excludes(running)->excludes(all);
  running->excludes(all);
  to.add_form(sub);
  to.add_source(sub);
}

void add_nodes(CommandAdder& to) {
  auto& options = to.options;
  auto* sub =
      to.command("nodes", "The nodes with a map of their GPUs",
                 "In the map # is a GPU in use, . a free one, x a free one on a node out of "
                 "service; ? where "
                 "the scheduler does not say which are in use.",
                 "schedlens nodes --partition train --free-gpus 4", [&options](Context& context) {
                   if (options.out_of_service) {
                     options.nodes.states.emplace_back("unhealthy");
                   }
                   return run_nodes(context, options.nodes);
                 });
  auto& filter = options.nodes;
  to.add_list(sub, "-t,--state", filter.states, "these states: idle, mixed, drained, drain, ...");
  to.add_list(sub, "-p,--partition", filter.queues, "nodes of these partitions");
  to.add_list(sub, "-f,--feature", filter.features, "nodes with one of these features");
  to.add_list(sub, "--gpu-type", filter.gpu_types, "nodes with one of these GPU types");
  sub->add_option("--free-gpus", filter.free_gpus, "nodes in service with at least N GPUs free")
      ->type_name("N");
  sub->add_flag("--drained,--out-of-service", options.out_of_service,
                "nodes that take no new jobs: drained, down, failing");
  to.add_form(sub);
  to.add_source(sub);
}

void add_one_thing(CommandAdder& to) {
  auto& options = to.options;
  auto* job = to.command(
      "job", "One job",
      "What it asks for, where it runs with the load of its nodes and its GPU indexes, its times "
      "and its priority.",
      "schedlens job 1234_5",
      [&options](Context& context) { return run_job(context, options.id); });
  job->add_option("ID", options.id, "12, 12_3 or 12+1")->required()->type_name("");
  auto* node = to.command("node", "One node",
                          "Its devices, its jobs with their GPU indexes where they are known, the "
                          "reason it is out of "
                          "service with author and age, the reservations it stands in.",
                          "schedlens node node0001",
                          [&options](Context& context) { return run_node(context, options.id); });
  node->add_option("NAME", options.id, "its name")->required()->type_name("");
  auto* why = to.command(
      "why", "Why a job waits, and what would let it start",
      "The root cause, the nodes that each test rules out and rules out alone, the limit reached "
      "and who fills it, what is in the way, who is ahead, and why the scheduler's own reason "
      "differs; and commands that would let it start, each tried on a copy of what was read.",
      "schedlens why 1234\n  schedlens why --all", [&options](Context& context) {
        return options.all ? run_why_all(context) : run_why(context, options.id);
      });
  auto* id = why->add_option("JOB", options.id, "12, 12_3 or 12+1")->type_name("");
  auto* all = why->add_flag("--all", options.all, "everything that waits, by root cause");
  all->excludes(id);
  why->parse_complete_callback([&options] {
    if (options.id.empty() && !options.all) throw CLI::RequiredError("JOB or --all");
  });
  auto* forecast = to.command(
      "forecast", "When what waits will start",
      "Plays the queue through: what runs ends as its like has ended before, or else at its time "
      "limit, and the waiting ones start in the scheduler's order, as nodes and limits allow. "
      "With "
      "--server it rests on all run times that the server has seen; else on those of jobs that "
      "have just ended. Jobs yet to be submitted can change all of it.",
      "schedlens forecast --user alice --server http://head:9817",
      [&options](Context& context) { return run_forecast(context, options.queue.users); });
  to.add_list(forecast, "-u,--user", options.queue.users, "of these users");
  auto* starvation = to.command(
      "starvation", "What waits beyond what its class waits, and why",
      "A class is one partition (of pods: one namespace) and one size. A job starves when it has "
      "waited twice as long as nine of ten of its class did, or when ten of its class that came "
      "later have started. Beside it stands the setting of the scheduler that makes it wait, "
      "with "
      "the numbers. With --server the starts are all that the server has seen; else those of "
      "jobs "
      "that run or have just ended.",
      "schedlens starvation --at-least 1h --server http://head:9817", [&options](Context& context) {
        // Checked when it was read.
        return run_starvation(context, parse_duration(options.at_least).value_or(Seconds{600}));
      });
  starvation->add_option("--at-least", options.at_least, "nobody starves before (10m)")
      ->type_name("TIME")
      ->check([](const std::string& word) {
        const auto time = parse_duration(word);
        return time ? std::string() : time.error().message();
      });
  auto* usage = to.command(
      "usage", "What pods request, and what they use of it",
      "By owner (the topmost: Deployment, Job), by pod, namespace or node, of Kubernetes only. "
      "Sums are of what was measured; UNKNOWN counts the pods that were not. Then the GPUs that "
      "are held and do nothing, and those that are used and held by nobody. Use comes from the "
      "Metrics API where the cluster has one; --kubelet-use and --gpu-exporter ask others, too.",
      "schedlens usage --by pod -n train\n  schedlens usage --gpu-exporter "
      "http://{address}:9400/metrics",
      [&options](Context& context) {
        // Checked when it was read.
        options.usage.by = api::parse_usage_by(options.usage_by).value_or(api::UsageBy::kOwner);
        return run_usage(context, options.usage);
      });
  usage->add_option("--by", options.usage_by, "pod, owner (default), namespace or node")
      ->type_name("WHAT")
      ->check([](const std::string& word) {
        const auto by = api::parse_usage_by(word);
        return by ? std::string() : by.error().message();
      });
  to.add_list(usage, "-n,--namespace", options.usage.namespaces, "pods of these namespaces");
  for (auto* sub : {job, node, why, forecast, starvation, usage}) {
    to.add_form(sub);
    to.add_source(sub);
  }
  for (auto* sub : {job, node, usage}) to.add_use(sub, options.where.kube);
}

}  // namespace

void add_cluster_commands(CommandAdder& to) {
  add_overviews(to);
  add_queue(to);
  add_nodes(to);
  add_one_thing(to);
}

}  // namespace schedlens::cli
