// SPDX-License-Identifier: Apache-2.0
// The commands that hand the data on, once or for ever.

#include <CLI/CLI.hpp>

#include "cli/command_adder.h"
#include "cli/commands.h"
#include "cli/version.h"

namespace schedlens::cli {
namespace {

void add_snapshot(CommandAdder& to) {
  auto& options = to.options;
  auto* group = to.group("snapshot", "The whole cluster as a file");
  group->require_subcommand(1);
  auto* save = to.command(
      *group, "save", "Save the cluster as it is now",
      "Every other command reads the file with --from, here or elsewhere. Names that end in .gz "
      "are compressed.",
      "schedlens snapshot save cluster.json.gz", [&options](Context& context) {
        return run_snapshot_save(context, options.path, options.detail);
      });
  save->add_option("FILE", options.path, "where to")->required()->type_name("");
  save->add_option("--detail", options.detail, "also the details of these jobs")
      ->type_name("LIST")
      ->allow_extra_args(false)
      ->take_all();
  to.add_json(save);
  to.add_source(save);
  to.add_use(save, options.where.kube);
  auto* show = to.command(*group, "show", "What a saved snapshot holds",
                          "Its counts, and how fresh and complete each source was.",
                          "schedlens snapshot show cluster.json.gz",
                          [](Context& context) { return run_snapshot_show(context); });
  show->add_option("FILE", options.where.file, "the snapshot")->required()->type_name("");
  to.add_form(show);
}

void add_metrics(CommandAdder& to) {
  auto& options = to.options;
  auto* sub =
      to.command("metrics", "The metrics, once", "What /metrics of schedlens serve exports.",
                 "schedlens metrics | promtool check metrics", [&options](Context& context) {
                   return options.markdown ? run_metrics_page(context) : run_metrics(context);
                 });
  auto* page =
      sub->add_flag("--markdown", options.markdown, "instead the page that documents every metric");
  to.add_json(sub)->excludes(page);
  to.add_source(sub);
  to.add_use(sub, options.where.kube);
}

void add_serve(CommandAdder& to) {
  auto& options = to.options;
  auto* sub = to.command(
      "serve", "Collect for ever; metrics, API and health over HTTP",
      "Reads the cluster at intervals and answers /metrics, /api/v1/..., /healthz and /readyz. "
      "SIGHUP reads the configuration file again. The options here go before the file "
      "(docs/configuration.md).",
      "schedlens serve --config /etc/schedlens.yaml --listen 127.0.0.1:9817",
      [&options](Context&) { return run_serve(options.serve); });
  auto& serve = options.serve;
  serve.version = kVersion;
  sub->add_option("--config", serve.config_file, "configuration file")->type_name("FILE");
  sub->add_option("--listen", serve.listen, "host and port; port 0 takes any free one")
      ->type_name("ADDRESS");
  sub->add_option("--data-dir", serve.data_dir, "keep history here; without it nothing is kept")
      ->type_name("DIR");
  sub->add_option("--slurm-conf", serve.slurm_conf, "the Slurm of this slurm.conf")
      ->type_name("PATH");
  sub->add_option("--slurm-bin", serve.slurm_bin, "where Slurm's commands are")->type_name("DIR");
  to.add_kube(sub, serve.kube);
  to.add_use(sub, serve.kube);
}

}  // namespace

void add_data_commands(CommandAdder& to) {
  add_snapshot(to);
  add_metrics(to);
  add_serve(to);
  auto* version = to.command("version", "The version of schedlens", "Also as --version.",
                             "schedlens version", run_version);
  to.add_json(version);
}

}  // namespace schedlens::cli
