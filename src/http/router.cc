// SPDX-License-Identifier: Apache-2.0
#include "http/router.h"

#include <fmt/ranges.h>

#include <set>

#include "base/text.h"

namespace schedlens::http {
namespace {

bool is_name(std::string_view segment) {
  return segment.size() > 2 && segment.front() == '{' && segment.back() == '}';
}

// How many fixed segments the pattern has, when it matches; -1 when not.
int match(std::string_view pattern, const std::vector<std::string_view>& path) {
  auto segments = split(pattern, '/');
  if (segments.size() != path.size()) return -1;
  int fixed = 0;
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (is_name(segments[i])) {
      if (path[i].empty()) return -1;
    } else if (segments[i] == path[i]) {
      ++fixed;
    } else {
      return -1;
    }
  }
  return fixed;
}

Status fill(std::string_view pattern, const std::vector<std::string_view>& path,
            Fields& parameters) {
  auto segments = split(pattern, '/');
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (!is_name(segments[i])) continue;
    auto value = percent_decode(path[i], false);
    if (!value) return fail(value.error());
    parameters.emplace_back(segments[i].substr(1, segments[i].size() - 2), std::move(*value));
  }
  return {};
}

}  // namespace

void Router::add(std::string method, std::string pattern, Handler handler, RunOn run_on) {
  routes_.push_back({std::move(method), std::move(pattern), std::move(handler), run_on});
}

const Route* Router::find(Request& request, Response& refusal) const {
  auto path = split(request.path, '/');
  const Route* best = nullptr;
  int best_fixed = -1;
  std::set<std::string> allowed;
  for (const auto& route : routes_) {
    int fixed = match(route.pattern, path);
    if (fixed < 0) continue;
    allowed.insert(route.method);
    if (route.method == "GET") allowed.insert("HEAD");
    bool same =
        route.method == request.method || (request.method == "HEAD" && route.method == "GET");
    if (same && fixed > best_fixed) {
      best = &route;
      best_fixed = fixed;
    }
  }
  if (best) {
    if (auto filled = fill(best->pattern, path, request.parameters); !filled) {
      refusal = problem(400, filled.error().message());
      return nullptr;
    }
    return best;
  }
  if (allowed.empty()) {
    refusal = problem(404, fmt::format("there is nothing at {}", printable(request.path)));
    return nullptr;
  }
  allowed.insert("OPTIONS");
  refusal = request.method == "OPTIONS"
                ? Response{204, "", "", {}}
                : problem(405, fmt::format("{} is not possible here; {} is",
                                           printable(request.method), fmt::join(allowed, ", ")));
  refusal.headers.emplace_back("Allow", fmt::format("{}", fmt::join(allowed, ", ")));
  return nullptr;
}

}  // namespace schedlens::http
