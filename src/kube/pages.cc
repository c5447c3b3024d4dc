// SPDX-License-Identifier: Apache-2.0
#include "kube/pages.h"

#include <fstream>
#include <memory>
#include <optional>
#include <sstream>

namespace schedlens::kube {
namespace {

using namespace std::chrono_literals;
using Moment = std::chrono::steady_clock::time_point;

constexpr std::size_t kLargestPage = std::size_t{256} << 20;

Result<std::string> file_text(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf())) return fail("{}: cannot be read", path);
  return text.str();
}

Status load(const std::string& path, std::string& into) {
  if (path.empty()) return {};
  auto text = file_text(path);
  if (!text) return fail(text.error());
  into = std::move(*text);
  return {};
}

// One page on its way.
class Answer final : public net::StreamHandler {
 public:
  Answer(std::size_t place, std::string url, Moment until)
      : place_(place), url_(std::move(url)), until_(until) {}

  void on_head(const net::ResponseHead& head) override { status_ = head.status; }
  void on_data(std::string_view piece) override { body_.append(piece); }
  void on_end(const net::End& end) override { end_ = end; }

  std::size_t place() const { return place_; }
  bool is_over(Moment now) const { return end_ || now >= until_; }
  Result<std::string> result(const PageOptions& options) && {
    if (!end_) return fail("{}: no answer within {} s", url_, options.patience / 1s);
    if (end_->cause != net::EndCause::kComplete) return fail("{}", end_->error);
    if (status_ == 401 || status_ == 403) {
      return fail("{}: status {}: our credentials may not read it; they need {}", url_, status_,
                  options.right);
    }
    if (status_ != 200) return fail("{}: status {}", url_, status_);
    return std::move(body_);
  }

  net::StreamClient::RequestId request = 0;

 private:
  std::size_t place_;
  std::string url_;
  Moment until_;
  int status_ = 0;
  std::string body_;
  std::optional<net::End> end_;
};

}  // namespace

std::string page_url(std::string url, std::string_view path) {
  while (url.ends_with('/')) url.pop_back();
  if (url.find("://") == std::string::npos) url = "https://" + url;
  const auto host = url.find("://") + 3;
  return url.find('/', host) == std::string::npos ? url.append(path) : url;
}

Result<net::StreamRequest> page_request(const PageAddress& address, Credentials& credentials) {
  net::StreamRequest request;
  // Nobody listens in on the way to a plain http address without seeing what we send.
  if (address.url.starts_with("https://")) {
    if (address.client_certificate_file.empty()) {
      auto let_in = credentials.request("/");
      if (!let_in) return fail(let_in.error());
      request = std::move(*let_in);
    }
    request.tls.ca.clear();
    request.tls.server_name.clear();
    request.tls.insecure = address.insecure;
    for (auto [file, into] :
         {std::pair{&address.ca_file, &request.tls.ca},
          std::pair{&address.client_certificate_file, &request.tls.client_certificate},
          std::pair{&address.client_key_file, &request.tls.client_key}}) {
      if (auto loaded = load(*file, *into); !loaded) return fail(loaded.error());
    }
  }
  request.url = address.url;
  request.proxy.clear();
  request.headers.push_back("Accept: text/plain");
  return request;
}

std::size_t read_pages(std::vector<net::StreamRequest> requests, const PageOptions& options,
                       const os::Clock& clock, const std::stop_token& token, const TakePage& take) {
  net::StreamClient client;
  std::stop_callback wake(token, [&client] { client.wake(); });
  std::vector<std::unique_ptr<Answer>> open;
  std::size_t next = 0;
  const auto whole_until = clock.steady() + options.whole_patience;
  while ((next < requests.size() || !open.empty()) && !token.stop_requested()) {
    if (clock.steady() >= whole_until) break;
    while (next < requests.size() && open.size() < options.at_once) {
      auto& request = requests[next];
      request.connect_timeout = options.patience;
      request.idle_timeout = options.patience;
      request.max_body = kLargestPage;
      auto answer = std::make_unique<Answer>(next++, net::shown_url(request.url),
                                             clock.steady() + options.patience);
      answer->request = client.start(std::move(request), *answer);
      open.push_back(std::move(answer));
    }
    client.poll(100ms);
    std::erase_if(open, [&](std::unique_ptr<Answer>& answer) {
      if (!answer->is_over(clock.steady())) return false;
      client.cancel(answer->request);
      take(answer->place(), std::move(*answer).result(options));
      return true;
    });
  }
  for (const auto& answer : open) {
    client.cancel(answer->request);
    if (!token.stop_requested()) take(answer->place(), fail("no answer in time"));
  }
  for (auto i = next; i < requests.size() && !token.stop_requested(); ++i) {
    take(i, fail("not asked: the others took too long"));
  }
  return next;
}

Result<std::string> read_page(net::StreamRequest request, const PageOptions& options,
                              const os::Clock& clock, const std::stop_token& token) {
  std::vector<net::StreamRequest> one;
  one.push_back(std::move(request));
  Result<std::string> page = fail("told to stop");
  read_pages(std::move(one), options, clock, token,
             [&](std::size_t, Result<std::string> read) { page = std::move(read); });
  return page;
}

}  // namespace schedlens::kube
