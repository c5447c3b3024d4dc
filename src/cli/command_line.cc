// SPDX-License-Identifier: Apache-2.0
#include "cli/command_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <iostream>
#include <optional>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/config.h"
#include "cli/layout.h"
#include "cli/serve.h"
#include "cli/version.h"
#include "kube/gpu_names.h"

namespace schedlens::cli {
namespace {

constexpr const char* kExitCodes =
    "Exit codes: 0 done, 1 failed, 2 wrong command line, 3 no such job or node.";

// What the options of all commands are read into.
struct Options {
  Where where;
  bool json = false, wide = false;
  bool pending = false, running = false, all = false;
  bool markdown = false;
  api::WorkloadFilter queue;
  api::NodeFilter nodes;
  bool out_of_service = false;
  std::string id, path;
  std::string usage_by = "owner";
  std::string at_least = "10m";
  api::UsageChoice usage;
  std::vector<std::string> detail;
  ServeOptions serve;
};

// CLI11's own words for an option tell of its mechanics ("TEXT ... Excludes: --all"); this tells
// only what its value is.
class Help : public CLI::Formatter {
 public:
  Help() { column_width(28); }
  std::string make_option_opts(const CLI::Option* option) const override {
    return option->get_items_expected_max() == 0 ? "" : " " + option->get_type_name();
  }
};

class CommandLine {
 public:
  CommandLine(std::ostream& out, std::ostream& err) : out_(out), err_(err) {
    app_.description(
        "Watches AI-cluster schedulers and explains them: who holds the resources, why "
        "jobs wait, whether the scheduler is healthy.");
    app_.footer(fmt::format("schedlens COMMAND --help says more about each.\n{}", kExitCodes));
    app_.formatter(std::make_shared<Help>());
    app_.require_subcommand(1);
    app_.set_version_flag("--version", fmt::format("schedlens {}", kVersion));
    add_overviews();
    add_queue();
    add_nodes();
    add_one_thing();
    add_snapshot();
    add_metrics();
    add_serve();
    auto* version = command("version", "The version of schedlens", "Also as --version.",
                            "schedlens version", run_version);
    add_json(version);
  }

  int run(std::vector<std::string> words) {
    if (auto wrong = unknown_command(words); !wrong.empty()) return usage(wrong);
    std::reverse(words.begin(), words.end());
    try {
      app_.parse(words);
    } catch (const CLI::ExtrasError& error) {
      return usage(unknown_words());
    } catch (const CLI::RequiredError& error) {
      return usage(missing_subcommand().value_or(error.what()));
    } catch (const CLI::ParseError& error) {
      if (error.get_exit_code() != 0) return usage(error.what());
      app_.exit(error, out_, err_);  // --help, --version
      return kOk;
    }
    Context context{options_.where, options_.json,
                    &out_ == &std::cout ? style_of(STDOUT_FILENO, options_.wide) : Style{}, out_,
                    err_};
    return action_(context);
  }

 private:
  int usage(std::string_view what) {
    err_ << "schedlens: " << printable(what) << "; schedlens --help lists the commands\n";
    return kUsage;
  }

  std::string unknown_command(const std::vector<std::string>& words) const {
    if (words.empty()) return "no command is given";
    std::vector<std::string> names;
    for (const auto* sub : app_.get_subcommands(nullptr)) names.push_back(sub->get_name());
    const auto& word = words[0];
    if (word.starts_with('-') || std::find(names.begin(), names.end(), word) != names.end()) {
      return "";
    }
    auto near = nearest(word, names);
    return fmt::format("no command is called {}{}", word,
                       near ? fmt::format(", did you mean {}?", *near) : "");
  }

  const CLI::App& given_command() const {
    const CLI::App* command = &app_;
    while (!command->get_subcommands().empty()) command = command->get_subcommands().front();
    return *command;
  }

  // For a command that has commands of its own.
  std::optional<std::string> missing_subcommand() const {
    std::vector<std::string> names;
    for (const auto* sub : given_command().get_subcommands(nullptr))
      names.push_back(sub->get_name());
    if (names.empty()) return std::nullopt;
    return fmt::format("{} wants one of: {}", given_command().get_name(), fmt::join(names, ", "));
  }

  // What the command that was given does not take.
  std::string unknown_words() const {
    const auto* command = &given_command();
    std::vector<std::string> names;
    for (const auto* option : command->get_options()) {
      for (const auto& name : option->get_lnames()) names.push_back("--" + name);
    }
    auto extra = app_.remaining(true);
    auto word = extra.empty() ? std::string() : extra.front();
    auto name = word.substr(0, word.find('='));
    if (std::find(names.begin(), names.end(), name) != names.end()) {
      return fmt::format("{} stands before its command; write it behind {}", word,
                         command->get_name());
    }
    auto near = word.starts_with('-') ? nearest(name, names) : std::nullopt;
    return fmt::format("{} does not take {}{}", command->get_name(), word,
                       near ? fmt::format(", did you mean {}?", *near) : "");
  }

  using Action = std::function<int(Context&)>;

  CLI::App* command(CLI::App& parent, const std::string& name, const std::string& what,
                    const std::string& more, const std::string& example, Action action) {
    auto* sub = parent.add_subcommand(name, what);
    sub->footer(fmt::format("{}\n\nExample:\n  {}\n\n{}", fmt::join(wrap(more, 80), "\n"), example,
                            kExitCodes));
    sub->callback([this, action = std::move(action)] { action_ = action; });
    return sub;
  }
  CLI::App* command(const std::string& name, const std::string& what, const std::string& more,
                    const std::string& example, Action action) {
    return command(app_, name, what, more, example, std::move(action));
  }

  // Where the cluster comes from, and the form of the answer.
  void add_source(CLI::App* sub) {
    auto& where = options_.where;
    auto* slurm = sub->add_flag("--slurm", where.slurm, "the Slurm of this machine (default)");
    auto* conf = sub->add_option("--slurm-conf", where.slurm_conf, "the Slurm of this slurm.conf");
    auto* bin = sub->add_option("--slurm-bin", where.slurm_bin, "where Slurm's commands are");
    auto* server = sub->add_option("--server", where.server, "a running schedlens serve");
    auto* file = sub->add_option("--from", where.file, "a saved snapshot");
    conf->type_name("PATH");
    bin->type_name("DIR");
    server->type_name("URL");
    file->type_name("FILE");
    server->excludes(file);
    const auto kube = add_kube(sub, where.kube);
    for (auto* option : {slurm, conf, bin}) {
      option->excludes(server)->excludes(file);
      for (auto* other : kube) option->excludes(other);
    }
    for (auto* option : kube) option->excludes(server)->excludes(file);
    for (auto* option : {slurm, conf, bin, server, file}) {
      option->group("Where the cluster comes from");
    }
  }
  static std::vector<CLI::Option*> add_kube(CLI::App* sub, KubeOptions& kube) {
    std::vector<CLI::Option*> options = {
        sub->add_flag("--kube", kube.chosen, "the Kubernetes that kubectl would ask"),
        sub->add_option("--kubeconfig", kube.kubeconfig, "the Kubernetes of this kubeconfig")
            ->type_name("FILE"),
        sub->add_option("--context", kube.context, "this context of the kubeconfig")
            ->type_name("NAME"),
        sub->add_option("--kube-scheduler", kube.schedulers,
                        "also read the metrics of this kube-scheduler, https://HOST:10259")
            ->type_name("URL")
            ->allow_extra_args(false)
            ->take_all(),
        sub->add_option("--kube-scheduler-ca", kube.scheduler_ca_file,
                        "check its certificate against these")
            ->type_name("FILE"),
        sub->add_flag("--kube-scheduler-insecure", kube.scheduler_insecure,
                      "do not check its certificate"),
        sub->add_option("--gpu-resource", kube.gpu_resources,
                        "this resource is a GPU: NAME=whole, or a part of one: NAME=shared, "
                        "NAME-*=slice; as kubernetes.gpu_resources of the configuration")
            ->type_name("NAME=KIND")
            ->allow_extra_args(false)
            ->take_all()
            ->check([](const std::string& text) {
              const auto names = kube::parse_gpu_names(text);
              return names ? std::string() : names.error().message();
            })};
    for (auto* option : options) option->group("Where the cluster comes from");
    return options;
  }
  // Who is asked what pods use, beside the Metrics API.
  static void add_use(CLI::App* sub, KubeOptions& kube) {
    for (auto* option :
         {sub->add_option(
                 "--kubelet-use", kube.kubelet_use,
                 "also ask the kubelets: summary, or resource or cadvisor, which tell of CPU "
                 "from the second look on")
              ->type_name("PAGE")
              ->check([](const std::string& word) {
                const auto page = parse_kubelet_page(word);
                return page ? std::string() : page.error().message();
              }),
          sub->add_flag("--kubelet-proxy", kube.kubelet_proxy, "reach them by the API server"),
          sub->add_option("--kubelet-ca", kube.kubelet_ca_file,
                          "check their certificates against these")
              ->type_name("FILE"),
          sub->add_flag("--kubelet-insecure", kube.kubelet_insecure,
                        "do not check their certificates"),
          sub->add_option("--gpu-exporter", kube.gpu_exporters,
                          "also ask this dcgm-exporter; http://{address}:9400/metrics: one on each "
                          "node ({node}: by its name)")
              ->type_name("URL")
              ->allow_extra_args(false)
              ->take_all()}) {
      option->group("What pods use");
      for (const char* other : {"--server", "--from"}) {
        if (auto* elsewhere = sub->get_option_no_throw(other)) option->excludes(elsewhere);
      }
    }
  }
  CLI::Option* add_json(CLI::App* sub) {
    return sub->add_flag("--json", options_.json, "print a JSON document");
  }
  void add_form(CLI::App* sub) {
    sub->add_flag("--json", options_.json, "print the API's JSON document");
    sub->add_flag("-w,--wide", options_.wide, "do not cut lines to the terminal");
  }
  static void add_list(CLI::App* sub, const std::string& name, std::vector<std::string>& list,
                       const std::string& what) {
    sub->add_option(name, list, what)
        ->type_name("LIST")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->take_all();
  }

  void add_overviews() {
    auto* status =
        command("status", "The cluster on one screen",
                "Who holds the resources, are the decisions reasonable, is the "
                "scheduler healthy. Fits 80 x "
                "24; a larger terminal shows more.",
                "schedlens status --slurm-conf /etc/slurm/slurm.conf", [](Context& context) {
                  context.where.vitals = true;
                  return run_status(context);
                });
    auto* frag = command(
        "frag", "How usable the free GPUs are",
        "Which free GPUs are stranded and by what, how many jobs of each size and of the waiting "
        "shapes could start now and if the free GPUs stood in one place, and each node with some "
        "of "
        "its GPUs free.",
        "schedlens frag --all",
        [this](Context& context) { return run_frag(context, options_.all); });
    frag->add_flag("--all", options_.all, "every node on a line of its own");
    auto* efficiency = command(
        "efficiency", "What every GPU is doing, and what is held or free and of no use",
        "Each GPU counts once: in use, allocated and measured idle, held for a waiting job, "
        "reserved, stranded (and by what), kept from what fits by a limit or the like, free "
        "without demand, drained, down, unhealthy, or unknown. Then what is lost: GPUs that are "
        "free and of no use to what waits, jobs whose nodes do nothing, CPUs and memory that are "
        "held and not used. A server (--server) adds what it has counted: GPU time by state, runs "
        "that ended badly, preemptions.",
        "schedlens efficiency --server http://127.0.0.1:9817", run_efficiency);
    for (auto* sub : {status, frag, efficiency}) {
      add_form(sub);
      add_source(sub);
    }
    add_use(efficiency, options_.where.kube);
  }

  void add_queue() {
    auto* sub = command(
        "queue", "What waits and why, what runs and where",
        "Waiting jobs come in the scheduler's order with the root cause of each beside the "
        "scheduler's reason, then running ones, most GPUs first. Filters take lists (a,b) and can "
        "be repeated; all of them must hold.",
        "schedlens queue --user alice,bob --cause fragmentation --gpus-min 8",
        [this](Context& context) {
          options_.queue.phase = options_.pending   ? api::Phase::kWaiting
                                 : options_.running ? api::Phase::kHolding
                                 : options_.all     ? api::Phase::kAll
                                                    : api::Phase::kActive;
          return run_queue(context, options_.queue);
        });
    auto& filter = options_.queue;
    add_list(sub, "-u,--user", filter.users, "these users");
    add_list(sub, "-A,--account", filter.accounts, "these accounts");
    add_list(sub, "-n,--namespace", filter.namespaces, "pods of these namespaces; else of all");
    add_list(sub, "-p,--partition", filter.queues, "jobs in these partitions");
    add_list(sub, "-q,--qos", filter.qos, "these QOS");
    add_list(sub, "--node", filter.nodes, "jobs that hold resources on these nodes");
    add_list(sub, "-t,--state", filter.states, "these states: pending, running, completing, ...");
    sub->add_option("--reason", filter.reasons, "scheduler's reasons that begin so")
        ->type_name("TEXT")
        ->allow_extra_args(false)
        ->take_all();
    add_list(sub, "--cause", filter.causes, "these root causes: limit, fragmentation, ...");
    sub->add_option("--gpus-min", filter.gpus_min, "jobs of at least N GPUs")->type_name("N");
    auto* pending = sub->add_flag("--pending", options_.pending, "only what waits");
    auto* running = sub->add_flag("--running", options_.running, "only what holds resources");
    auto* all = sub->add_flag("--all", options_.all, "also what has ended");
    pending->excludes(running)->excludes(all);
    running->excludes(all);
    add_form(sub);
    add_source(sub);
  }

  void add_nodes() {
    auto* sub =
        command("nodes", "The nodes with a map of their GPUs",
                "In the map # is a GPU in use, . a free one, x a free one on a node out of "
                "service; ? where "
                "the scheduler does not say which are in use.",
                "schedlens nodes --partition train --free-gpus 4", [this](Context& context) {
                  if (options_.out_of_service) {
                    options_.nodes.states.emplace_back("unhealthy");
                  }
                  return run_nodes(context, options_.nodes);
                });
    auto& filter = options_.nodes;
    add_list(sub, "-t,--state", filter.states, "these states: idle, mixed, drained, drain, ...");
    add_list(sub, "-p,--partition", filter.queues, "nodes of these partitions");
    add_list(sub, "-f,--feature", filter.features, "nodes with one of these features");
    add_list(sub, "--gpu-type", filter.gpu_types, "nodes with one of these GPU types");
    sub->add_option("--free-gpus", filter.free_gpus, "nodes in service with at least N GPUs free")
        ->type_name("N");
    sub->add_flag("--drained,--out-of-service", options_.out_of_service,
                  "nodes that take no new jobs: drained, down, failing");
    add_form(sub);
    add_source(sub);
  }

  void add_one_thing() {
    auto* job = command(
        "job", "One job",
        "What it asks for, where it runs with the load of its nodes and its GPU indexes, its times "
        "and its priority.",
        "schedlens job 1234_5", [this](Context& context) { return run_job(context, options_.id); });
    job->add_option("ID", options_.id, "12, 12_3 or 12+1")->required()->type_name("");
    auto* node = command("node", "One node",
                         "Its devices, its jobs with their GPU indexes where they are known, the "
                         "reason it is out of "
                         "service with author and age, the reservations it stands in.",
                         "schedlens node node0001",
                         [this](Context& context) { return run_node(context, options_.id); });
    node->add_option("NAME", options_.id, "its name")->required()->type_name("");
    auto* why = command(
        "why", "Why a job waits, and what would let it start",
        "The root cause, the nodes that each test rules out and rules out alone, the limit reached "
        "and who fills it, what is in the way, who is ahead, and why the scheduler's own reason "
        "differs; and commands that would let it start, each tried on a copy of what was read.",
        "schedlens why 1234\n  schedlens why --all", [this](Context& context) {
          return options_.all ? run_why_all(context) : run_why(context, options_.id);
        });
    auto* id = why->add_option("JOB", options_.id, "12, 12_3 or 12+1")->type_name("");
    auto* all = why->add_flag("--all", options_.all, "everything that waits, by root cause");
    all->excludes(id);
    why->parse_complete_callback([this] {
      if (options_.id.empty() && !options_.all) throw CLI::RequiredError("JOB or --all");
    });
    auto* forecast = command(
        "forecast", "When what waits will start",
        "Plays the queue through: what runs ends as its like has ended before, or else at its time "
        "limit, and the waiting ones start in the scheduler's order, as nodes and limits allow. "
        "With "
        "--server it rests on all run times that the server has seen; else on those of jobs that "
        "have just ended. Jobs yet to be submitted can change all of it.",
        "schedlens forecast --user alice --server http://head:9817",
        [this](Context& context) { return run_forecast(context, options_.queue.users); });
    add_list(forecast, "-u,--user", options_.queue.users, "of these users");
    auto* starvation = command(
        "starvation", "What waits beyond what its class waits, and why",
        "A class is one partition (of pods: one namespace) and one size. A job starves when it has "
        "waited twice as long as nine of ten of its class did, or when ten of its class that came "
        "later have started. Beside it stands the setting of the scheduler that makes it wait, "
        "with "
        "the numbers. With --server the starts are all that the server has seen; else those of "
        "jobs "
        "that run or have just ended.",
        "schedlens starvation --at-least 1h --server http://head:9817", [this](Context& context) {
          // Checked when it was read.
          return run_starvation(context, parse_duration(options_.at_least).value_or(Seconds{600}));
        });
    starvation->add_option("--at-least", options_.at_least, "nobody starves before (10m)")
        ->type_name("TIME")
        ->check([](const std::string& word) {
          const auto time = parse_duration(word);
          return time ? std::string() : time.error().message();
        });
    auto* usage = command(
        "usage", "What pods request, and what they use of it",
        "By owner (the topmost: Deployment, Job), by pod, namespace or node, of Kubernetes only. "
        "Sums are of what was measured; UNKNOWN counts the pods that were not. Then the GPUs that "
        "are held and do nothing, and those that are used and held by nobody. Use comes from the "
        "Metrics API where the cluster has one; --kubelet-use and --gpu-exporter ask others, too.",
        "schedlens usage --by pod -n train\n  schedlens usage --gpu-exporter "
        "http://{address}:9400/metrics",
        [this](Context& context) {
          // Checked when it was read.
          options_.usage.by = api::parse_usage_by(options_.usage_by).value_or(api::UsageBy::kOwner);
          return run_usage(context, options_.usage);
        });
    usage->add_option("--by", options_.usage_by, "pod, owner (default), namespace or node")
        ->type_name("WHAT")
        ->check([](const std::string& word) {
          const auto by = api::parse_usage_by(word);
          return by ? std::string() : by.error().message();
        });
    add_list(usage, "-n,--namespace", options_.usage.namespaces, "pods of these namespaces");
    for (auto* sub : {job, node, why, forecast, starvation, usage}) {
      add_form(sub);
      add_source(sub);
    }
    for (auto* sub : {job, node, usage}) add_use(sub, options_.where.kube);
  }

  void add_snapshot() {
    auto* group = app_.add_subcommand("snapshot", "The whole cluster as a file");
    group->require_subcommand(1);
    auto* save = command(
        *group, "save", "Save the cluster as it is now",
        "Every other command reads the file with --from, here or elsewhere. Names that end in .gz "
        "are compressed.",
        "schedlens snapshot save cluster.json.gz", [this](Context& context) {
          return run_snapshot_save(context, options_.path, options_.detail);
        });
    save->add_option("FILE", options_.path, "where to")->required()->type_name("");
    save->add_option("--detail", options_.detail, "also the details of these jobs")
        ->type_name("LIST")
        ->allow_extra_args(false)
        ->take_all();
    add_json(save);
    add_source(save);
    add_use(save, options_.where.kube);
    auto* show = command(*group, "show", "What a saved snapshot holds",
                         "Its counts, and how fresh and complete each source was.",
                         "schedlens snapshot show cluster.json.gz",
                         [](Context& context) { return run_snapshot_show(context); });
    show->add_option("FILE", options_.where.file, "the snapshot")->required()->type_name("");
    add_form(show);
  }

  void add_metrics() {
    auto* sub =
        command("metrics", "The metrics, once", "What /metrics of schedlens serve exports.",
                "schedlens metrics | promtool check metrics", [this](Context& context) {
                  return options_.markdown ? run_metrics_page(context) : run_metrics(context);
                });
    auto* page = sub->add_flag("--markdown", options_.markdown,
                               "instead the page that documents every metric");
    add_json(sub)->excludes(page);
    add_source(sub);
    add_use(sub, options_.where.kube);
  }

  void add_serve() {
    auto* sub = command(
        "serve", "Collect for ever; metrics, API and health over HTTP",
        "Reads the cluster at intervals and answers /metrics, /api/v1/..., /healthz and /readyz. "
        "SIGHUP reads the configuration file again. The options here go before the file "
        "(docs/configuration.md).",
        "schedlens serve --config /etc/schedlens.yaml --listen 127.0.0.1:9817",
        [this](Context&) { return run_serve(options_.serve); });
    auto& serve = options_.serve;
    serve.version = kVersion;
    sub->add_option("--config", serve.config_file, "configuration file")->type_name("FILE");
    sub->add_option("--listen", serve.listen, "host and port; port 0 takes any free one")
        ->type_name("ADDRESS");
    sub->add_option("--slurm-conf", serve.slurm_conf, "the Slurm of this slurm.conf")
        ->type_name("PATH");
    sub->add_option("--slurm-bin", serve.slurm_bin, "where Slurm's commands are")->type_name("DIR");
    add_kube(sub, serve.kube);
    add_use(sub, serve.kube);
  }

  std::ostream& out_;
  std::ostream& err_;
  Options options_;
  Action action_;
  CLI::App app_{"", "schedlens"};
};

}  // namespace

int run(const std::vector<std::string>& words, std::ostream& out, std::ostream& err) {
  return CommandLine(out, err).run(words);
}

}  // namespace schedlens::cli
