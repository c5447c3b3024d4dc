// SPDX-License-Identifier: Apache-2.0
#pragma once
// From a method and a path to the handler. Patterns are paths in which {name} stands for one
// segment: "/api/v1/jobs/{id}". Routes are added before the server starts; after that any thread
// may look them up.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "http/message.h"

namespace schedlens::http {

using Handler = std::function<Response(const Request&)>;

// Where a handler runs. The I/O thread answers even while every worker is busy, and everybody else
// waits for it meanwhile: only for what takes microseconds.
enum class RunOn { kWorker, kIoThread };

struct Route {
  std::string method;
  std::string pattern;
  Handler handler;
  RunOn run_on = RunOn::kWorker;
};

class Router {
 public:
  void add(std::string method, std::string pattern, Handler handler, RunOn run_on = RunOn::kWorker);

  // The route for the request, whose parameters are filled; or null, and refusal is the answer
  // (204, 400, 404 or 405). HEAD finds the GET route, fixed segments go before {names}.
  const Route* find(Request& request, Response& refusal) const;

  const std::vector<Route>& routes() const { return routes_; }

 private:
  std::vector<Route> routes_;
};

}  // namespace schedlens::http
