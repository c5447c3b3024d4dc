// SPDX-License-Identifier: Apache-2.0
#pragma once
// One function for each route.

#include "api/routes.h"

namespace schedlens::api {

http::Response get_status(const Context&, const http::Request&);
http::Response get_queue(const Context&, const http::Request&);
http::Response get_nodes(const Context&, const http::Request&);
http::Response get_node(const Context&, const http::Request&);
http::Response get_job(const Context&, const http::Request&);
http::Response get_why(const Context&, const http::Request&);
http::Response get_why_all(const Context&, const http::Request&);
http::Response get_forecast(const Context&, const http::Request&);
http::Response get_starvation(const Context&, const http::Request&);
http::Response get_observed(const Context&, const http::Request&);
http::Response get_frag(const Context&, const http::Request&);
http::Response get_efficiency(const Context&, const http::Request&);
http::Response get_usage(const Context&, const http::Request&);
http::Response get_run_history(const Context&, const http::Request&);
http::Response get_node_history(const Context&, const http::Request&);
http::Response get_alerts(const Context&, const http::Request&);
http::Response get_alert_history(const Context&, const http::Request&);
http::Response get_report(const Context&, const http::Request&);
http::Response get_config_history(const Context&, const http::Request&);
http::Response get_series_history(const Context&, const http::Request&);
http::Response get_series_names(const Context&, const http::Request&);
http::Response get_sources(const Context&, const http::Request&);
http::Response get_snapshot(const Context&, const http::Request&);
http::Response get_openapi(const Context&, const http::Request&);
http::Response get_metrics(const Context&, const http::Request&);
http::Response get_kube_state(const Context&, const http::Request&);
http::Response get_health(const Context&, const http::Request&);
http::Response get_readiness(const Context&, const http::Request&);
http::Response get_index(const Context&, const http::Request&);

}  // namespace schedlens::api
