// SPDX-License-Identifier: Apache-2.0
#include "alert/receivers.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "net/http_client.h"
#include "net/stream_client.h"

namespace schedlens::alert {
namespace {

class Http final : public Receiver {
 public:
  using Form = std::function<std::string(const std::vector<Notice>&, std::string_view link)>;

  Http(std::string_view kind, HttpReceiver options, Form form)
      : name_(fmt::format("{} {}", kind, net::shown_url(options.url))),
        options_(std::move(options)),
        form_(std::move(form)) {}

  Status send(const std::vector<Notice>& notices, const std::stop_token& stop) override {
    net::PostOptions post;
    post.timeout = options_.timeout;
    post.connect_timeout = std::min(post.connect_timeout, options_.timeout);
    post.ca_file = options_.ca_file;
    post.headers = options_.headers;
    post.max_body = 1 << 20;
    post.stop = stop;
    auto response = net::post(options_.url, form_(notices, options_.link), post);
    if (!response) return fail("{}: {}", name_, without_address(response.error().message()));
    if (response->status >= 200 && response->status < 300) return {};
    return fail("{}: status {}{}", name_, response->status, net::said_by(*response));
  }

 private:
  // Errors begin with the whole address, in which a secret may stand.
  std::string without_address(const std::string& message) const {
    return message.starts_with(options_.url + ": ") ? message.substr(options_.url.size() + 2)
                                                    : message;
  }

  std::string name_;
  HttpReceiver options_;
  Form form_;
};

class Program final : public Receiver {
 public:
  Program(ProgramReceiver options, os::ProcessRunner& runner)
      : options_(std::move(options)), runner_(runner) {}

  Status send(const std::vector<Notice>& notices, const std::stop_token& stop) override {
    os::Command command;
    command.argv = options_.argv;
    command.environment = options_.environment;
    command.input = notices_json(notices, options_.link) + "\n";
    command.timeout = options_.timeout;
    command.max_output = 1 << 20;
    command.stop = stop;
    auto output = runner_.run(command);
    return output ? Status() : fail(output.error());
  }

 private:
  ProgramReceiver options_;
  os::ProcessRunner& runner_;
};

}  // namespace

std::unique_ptr<Receiver> alertmanager(HttpReceiver options) {
  options.url = net::join_url(options.url, "/api/v2/alerts");
  return std::make_unique<Http>("alertmanager", std::move(options), alertmanager_json);
}

std::unique_ptr<Receiver> webhook(HttpReceiver options) {
  return std::make_unique<Http>("webhook", std::move(options), notices_json);
}

std::unique_ptr<Receiver> program(ProgramReceiver options, os::ProcessRunner& runner) {
  return std::make_unique<Program>(std::move(options), runner);
}

}  // namespace schedlens::alert
