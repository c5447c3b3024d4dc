// SPDX-License-Identifier: Apache-2.0
#include "kube/scheduler_probe.h"

#include <fstream>
#include <sstream>

#include "kube/scheduler_metrics.h"

namespace schedlens::kube {
namespace {

using namespace std::chrono_literals;

constexpr auto kPatience = 5s;
constexpr std::size_t kLargestPage = std::size_t{256} << 20;

std::string metrics_url(std::string url) {
  while (url.ends_with('/')) url.pop_back();
  const auto scheme = url.find("://");
  if (scheme == std::string::npos) url = "https://" + url;
  const auto host = url.find("://") + 3;
  return url.find('/', host) == std::string::npos ? url + "/metrics" : url;
}

// Waits for one whole answer.
class Answer final : public net::StreamHandler {
 public:
  void on_head(const net::ResponseHead& head) override { status_ = head.status; }
  void on_data(std::string_view piece) override { body_.append(piece); }
  void on_end(const net::End& end) override { end_ = end; }

  bool over() const { return end_.has_value(); }
  Result<std::string> result(const std::string& url) && {
    if (!end_) return fail("{}: no answer within {} s", url, kPatience / 1s);
    if (end_->cause != net::EndCause::kComplete) return fail("{}", end_->error);
    if (status_ == 401 || status_ == 403) {
      return fail(
          "{}: status {}: our credentials may not read it; they need `get` on the "
          "nonResourceURL /metrics",
          url, status_);
    }
    if (status_ != 200) return fail("{}: status {}", url, status_);
    return std::move(body_);
  }

 private:
  int status_ = 0;
  std::string body_;
  std::optional<net::End> end_;
};

Result<std::string> file_text(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf())) return fail("{}: cannot be read", path);
  return text.str();
}

}  // namespace

SchedulerProbe::SchedulerProbe(SchedulerAddress address, Access access, os::ProcessRunner& runner,
                               const os::Clock& clock)
    : address_(std::move(address)), credentials_(std::move(access), runner, clock), clock_(clock) {
  address_.url = metrics_url(address_.url);
  status_.name = "kube-scheduler " + net::shown_url(address_.url);
  status_.feeds = "schedulers";
}

Result<std::string> SchedulerProbe::ask(const std::stop_token& token) {
  net::StreamRequest request;
  // Nobody listens in on the way to a plain http address without seeing what we send.
  if (address_.url.starts_with("https://")) {
    auto let_in = credentials_.request("/");
    if (!let_in) return fail(let_in.error());
    request = std::move(*let_in);
    request.tls.ca.clear();
    request.tls.server_name.clear();
    request.tls.insecure = address_.insecure;
    if (!address_.ca_file.empty()) {
      auto ca = file_text(address_.ca_file);
      if (!ca) return fail(ca.error());
      request.tls.ca = std::move(*ca);
    }
  }
  request.url = address_.url;
  request.proxy.clear();
  request.headers.push_back("Accept: text/plain");
  request.connect_timeout = kPatience;
  request.idle_timeout = kPatience;
  request.max_body = kLargestPage;

  Answer answer;
  net::StreamClient client;
  const auto id = client.start(std::move(request), answer);
  const auto until = clock_.steady() + kPatience;
  std::stop_callback wake(token, [&client] { client.wake(); });
  while (!answer.over() && clock_.steady() < until && !token.stop_requested()) client.poll(100ms);
  client.cancel(id);
  return std::move(answer).result(net::shown_url(address_.url));
}

void SchedulerProbe::read(const std::stop_token& token) {
  const auto begin = clock_.steady();
  status_.last_attempt = clock_.now();
  ++status_.reads;
  auto page = ask(token);
  auto scheduler =
      page ? read_scheduler_metrics(*page) : Result<model::KubeScheduler>(fail(page.error()));
  status_.seconds = std::chrono::duration<double>(clock_.steady() - begin).count();
  if (!scheduler) {
    ++status_.failures;
    status_.state = last_ ? model::SourceState::kFailed : model::SourceState::kNever;
    status_.error = scheduler.error().message();
    return;
  }
  status_.state = model::SourceState::kFresh;
  status_.error.clear();
  status_.bytes = page->size();
  status_.records = 1;
  status_.last_success = clock_.now();
  last_ = std::move(*scheduler);
  last_->address = net::shown_url(address_.url);
  last_->time = status_.last_success;
}

}  // namespace schedlens::kube
