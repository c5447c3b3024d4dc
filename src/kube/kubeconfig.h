// SPDX-License-Identifier: Apache-2.0
#pragma once
// Finding the cluster as kubectl does: the files of KUBECONFIG or ~/.kube/config, otherwise the
// service account of the pod we run in. Errors name file, line, field and what to do; never a
// secret.

#include <string>

#include "base/result.h"
#include "kube/access.h"

namespace schedlens::kube {

// What the process finds around it.
struct Surroundings {
  std::string kubeconfig;  // KUBECONFIG: file names separated by ':'
  std::string home;
  std::string service_host, service_port;  // KUBERNETES_SERVICE_HOST and _PORT
  std::string service_account = "/var/run/secrets/kubernetes.io/serviceaccount";

  static Surroundings of_process();
};

struct Choice {
  std::string kubeconfig;  // instead of KUBECONFIG; must exist
  std::string context;     // instead of current-context
};

Result<Access> find_access(const Choice& choice, const Surroundings& surroundings);

// Whether find_access() would have a file or a service account to look at, whatever it says.
bool access_seems_present(const Choice& choice, const Surroundings& surroundings);

}  // namespace schedlens::kube
