// SPDX-License-Identifier: Apache-2.0
#pragma once
// `schedlens serve`: collects until it is told to end, and answers over HTTP meanwhile.
//
// SIGTERM and SIGINT end it after the requests in progress; SIGHUP reads the configuration file
// again and keeps the old configuration when the new one is wrong.

#include <optional>
#include <string>
#include <vector>

namespace schedlens::cli {

// What the command line says of Kubernetes.
struct KubeOptions {
  bool chosen = false;  // --kube, or any of the rest
  std::string kubeconfig, context;
  std::vector<std::string> schedulers;
  std::string scheduler_ca_file;
  bool scheduler_insecure = false;
  // What is used: which page of the kubelets, how they are reached, and dcgm-exporters.
  std::string kubelet_use;
  bool kubelet_proxy = false, kubelet_insecure = false;
  std::string kubelet_ca_file;
  std::vector<std::string> gpu_exporters;
  std::vector<std::string> gpu_resources;  // "example.com/gpu=whole", as of the configuration

  bool any() const {
    return chosen || !kubeconfig.empty() || !context.empty() || !schedulers.empty() ||
           !gpu_resources.empty();
  }
};

struct ServeOptions {
  std::string config_file;  // empty: only the defaults and what is set here
  // What the command line sets goes before the file.
  std::optional<std::string> listen;  // "127.0.0.1:9817"; port 0 takes any free one
  std::optional<std::string> slurm_conf;
  std::optional<std::string> slurm_bin;
  std::optional<std::string> data_dir;
  KubeOptions kube;
  std::string version;  // of schedlens
};

// Blocks until a signal ends it. Returns the exit status: 0 after a signal, 1 when it could not
// start (the log says why).
int run_serve(const ServeOptions& options);

}  // namespace schedlens::cli
