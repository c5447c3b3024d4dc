// SPDX-License-Identifier: Apache-2.0
#include "cli/command_adder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>

#include "cli/config.h"
#include "cli/layout.h"
#include "kube/gpu_names.h"

namespace schedlens::cli {

CLI::App* CommandAdder::group(const std::string& name, const std::string& what) {
  return app_.add_subcommand(name, what);
}

CLI::App* CommandAdder::command(CLI::App& parent, const std::string& name, const std::string& what,
                                const std::string& more, const std::string& example,
                                Action action) {
  auto* sub = parent.add_subcommand(name, what);
  sub->footer(fmt::format("{}\n\nExample:\n  {}\n\n{}", fmt::join(wrap(more, 80), "\n"), example,
                          kExitCodes));
  sub->callback([this, action = std::move(action)] { chosen = action; });
  return sub;
}

CLI::App* CommandAdder::command(const std::string& name, const std::string& what,
                                const std::string& more, const std::string& example,
                                Action action) {
  return command(app_, name, what, more, example, std::move(action));
}

void CommandAdder::add_source(CLI::App* sub) {
  auto& where = options.where;
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

std::vector<CLI::Option*> CommandAdder::add_kube(CLI::App* sub, KubeOptions& kube) {
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

void CommandAdder::add_use(CLI::App* sub, KubeOptions& kube) {
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

CLI::Option* CommandAdder::add_json(CLI::App* sub) {
  return sub->add_flag("--json", options.json, "print a JSON document");
}

void CommandAdder::add_form(CLI::App* sub) {
  sub->add_flag("--json", options.json, "print the API's JSON document");
  sub->add_flag("-w,--wide", options.wide, "do not cut lines to the terminal");
}

void CommandAdder::add_list(CLI::App* sub, const std::string& name, std::vector<std::string>& list,
                            const std::string& what) {
  sub->add_option(name, list, what)
      ->type_name("LIST")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->take_all();
}

}  // namespace schedlens::cli
