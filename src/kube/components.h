// SPDX-License-Identifier: Apache-2.0
#pragma once
// The components of a control plane whose metrics we can ask for, and how each is asked.

#include <memory>

#include "kube/component_probe.h"
#include "kube/credentials.h"
#include "model/control_plane.h"
#include "model/kube_scheduler.h"

namespace schedlens::kube {

using CredentialsPtr = std::shared_ptr<Credentials>;

// Its own /metrics, unless the address has another path.
Component<model::KubeScheduler> kube_scheduler(PageAddress address, CredentialsPtr credentials);
// Of the server that the credentials are for. Its page is large where a cluster has many kinds of
// objects, so it is asked once a minute at most.
Component<model::ApiServerVitals> kube_apiserver(const std::string& server,
                                                 CredentialsPtr credentials);
// One member. It does not know the API server's credentials.
Component<model::EtcdVitals> etcd(PageAddress address, CredentialsPtr credentials);

}  // namespace schedlens::kube
