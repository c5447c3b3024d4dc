// SPDX-License-Identifier: Apache-2.0
#include "kube/api_groups.h"

#include "kube/json_value.h"

namespace schedlens::kube {
namespace {

using namespace std::chrono_literals;

constexpr auto kInterval = 600s;
constexpr auto kRetry = 30s;

// The names of an APIGroupList.
std::optional<std::set<std::string>> read_groups(std::string_view body) {
  std::set<std::string> names;
  auto read = each_json_field(body, [&](JsonValue& f) {
    if (f.name() != "groups") return;
    f.items([&](JsonValue& group) {
      group.fields([&](JsonValue& g) {
        if (g.name() == "name") names.insert(g.string());
      });
    });
  });
  if (!read) return std::nullopt;
  return names;
}

}  // namespace

void ApiGroups::step() {
  if (!waits_ && due() > clock_.steady()) return;
  waits_ = !credentials_.ready();
  if (waits_) return;
  due_ = clock_.steady() + kRetry;
  auto request = credentials_.request("/apis");
  if (!request) return;  // the streams say so
  request->headers.push_back("Accept: application/json");
  request->idle_timeout = kRetry;
  request->max_body = 1 << 20;
  body_.clear();
  status_ = 0;
  in_flight_ = true;
  client_.start(std::move(*request), *this);
}

void ApiGroups::on_end(const net::End& end) {
  in_flight_ = false;
  answered_ = true;
  due_ = clock_.steady() + kRetry;
  if (end.cause != net::EndCause::kComplete || status_ != 200) return;
  auto names = read_groups(body_);
  if (!names) return;
  names_ = std::move(*names);
  due_ = clock_.steady() + kInterval;
}

}  // namespace schedlens::kube
