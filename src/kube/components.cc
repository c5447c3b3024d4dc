// SPDX-License-Identifier: Apache-2.0
#include "kube/components.h"

#include "kube/apiserver_metrics.h"
#include "kube/etcd_metrics.h"
#include "kube/scheduler_metrics.h"

namespace schedlens::kube {
namespace {

constexpr std::string_view kPath = "/metrics";
constexpr auto kRight = "`get` on the nonResourceURL /metrics";

template <class Vitals>
Component<Vitals> at_its_own_address(std::string_view name, std::string feeds, PageAddress address,
                                     CredentialsPtr credentials) {
  address.url = page_url(address.url, kPath);
  Component<Vitals> component;
  component.address = net::shown_url(address.url);
  component.name = std::string(name) + " " + component.address;
  component.feeds = std::move(feeds);
  component.request = [address = std::move(address), credentials = std::move(credentials)] {
    return page_request(address, *credentials);
  };
  component.page.right = kRight;
  return component;
}

}  // namespace

Component<model::KubeScheduler> kube_scheduler(PageAddress address, CredentialsPtr credentials) {
  auto component = at_its_own_address<model::KubeScheduler>(
      "kube-scheduler", "schedulers", std::move(address), std::move(credentials));
  component.parse = read_scheduler_metrics;
  return component;
}

Component<model::EtcdVitals> etcd(PageAddress address, CredentialsPtr credentials) {
  auto component = at_its_own_address<model::EtcdVitals>("etcd", "etcd", std::move(address),
                                                         std::move(credentials));
  component.parse = read_etcd_metrics;
  component.page.right = "a client certificate that it trusts";
  return component;
}

Component<model::ApiServerVitals> kube_apiserver(const std::string& server,
                                                 CredentialsPtr credentials) {
  Component<model::ApiServerVitals> component;
  component.address = net::shown_url(server);
  component.name = "kube-apiserver metrics";
  component.feeds = "api_server";
  component.request = [credentials = std::move(credentials)] {
    return credentials->request(std::string(kPath));
  };
  component.parse = read_apiserver_metrics;
  component.page.right = kRight;
  component.page.patience = std::chrono::seconds(20);
  component.every = Seconds{60};
  return component;
}

}  // namespace schedlens::kube
