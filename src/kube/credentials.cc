// SPDX-License-Identifier: Apache-2.0
#include "kube/credentials.h"

#include <simdjson.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <mutex>
#include <sstream>
#include <stop_token>
#include <thread>
#include <utility>

#include "base/base64.h"
#include "base/json_writer.h"
#include "base/text.h"

namespace schedlens::kube {
namespace {

constexpr std::size_t kMaxFile = 1 << 20;
// A token that is about to expire would be refused on its way.
constexpr Seconds kExpiryMargin{10};

Result<std::string> read_file(const std::string& path, std::string_view what) {
  std::ifstream in(path, std::ios::binary);
  std::string text;
  if (in) {
    text.resize(kMaxFile + 1);
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(in.gcount()));
  }
  if (text.empty() || text.size() > kMaxFile) {
    return fail("{}: the {} cannot be read from it; check that the file is there and not empty",
                path, what);
  }
  return text;
}

Result<std::string> content(const TextOrFile& source, std::string_view what) {
  if (source.empty() || !source.text.empty()) return source.text;
  return read_file(source.file, what);
}

// A token becomes part of a header.
bool sendable(std::string_view token) {
  for (unsigned char c : token) {
    if (c < 0x21 || c > 0x7e) return false;
  }
  return true;
}

// The file's token wins while it can be read: it is the one that is renewed.
Result<std::string> token_of(const User& user) {
  std::string token = user.token.text;
  if (!user.token.file.empty()) {
    auto read = read_file(user.token.file, "token");
    if (read) {
      token = *read;
    } else if (token.empty()) {
      return fail(read.error());
    }
  }
  token = std::string(trim(token));
  if (!sendable(token)) {
    return fail("{}: the token holds characters that no token has",
                user.token.file.empty() ? "kubeconfig" : user.token.file);
  }
  return token;
}

std::vector<std::string> environment_with(
    const std::vector<std::pair<std::string, std::string>>& more) {
  std::vector<std::string> out;
  for (char** entry = environ; entry && *entry; ++entry) {
    std::string_view text(*entry);
    auto name = text.substr(0, text.find('='));
    bool replaced = false;
    for (const auto& [key, value] : more) replaced |= key == name;
    if (!replaced) out.emplace_back(text);
  }
  for (const auto& [key, value] : more) out.push_back(key + "=" + value);
  return out;
}

std::string text_at(simdjson::dom::element parent, const char* key) {
  std::string_view text;
  return parent[key].get(text) == simdjson::SUCCESS ? std::string(text) : std::string();
}

}  // namespace

std::optional<Timestamp> parse_rfc3339(std::string_view text) {
  if (text.size() < 20 || text[4] != '-' || text[7] != '-' ||
      (text[10] != 'T' && text[10] != 't') || text[13] != ':' || text[16] != ':') {
    return std::nullopt;
  }
  auto number = [&](std::size_t at, std::size_t size) {
    return parse_number<unsigned>(text.substr(at, size));
  };
  auto year = number(0, 4), month = number(5, 2), day = number(8, 2);
  auto hour = number(11, 2), minute = number(14, 2), second = number(17, 2);
  if (!year || !month || !day || !hour || !minute || !second) return std::nullopt;
  std::chrono::year_month_day date(std::chrono::year(static_cast<int>(*year)),
                                   std::chrono::month(*month), std::chrono::day(*day));
  if (!date.ok() || *hour > 23 || *minute > 59 || *second > 60) return std::nullopt;
  auto zone = text.substr(19);
  if (zone.starts_with('.')) {
    auto end = zone.find_first_not_of("0123456789", 1);
    if (end == std::string_view::npos) return std::nullopt;
    zone.remove_prefix(end);
  }
  std::int64_t offset = 0;
  if (zone != "Z" && zone != "z") {
    if (zone.size() != 6 || (zone[0] != '+' && zone[0] != '-') || zone[3] != ':')
      return std::nullopt;
    auto hours = parse_number<unsigned>(zone.substr(1, 2));
    auto minutes = parse_number<unsigned>(zone.substr(4, 2));
    if (!hours || !minutes) return std::nullopt;
    offset = (*hours * 3600 + *minutes * 60) * (zone[0] == '-' ? -1LL : 1LL);
  }
  auto days = std::chrono::sys_days(date).time_since_epoch().count();
  return Timestamp{days * 86'400LL + *hour * 3600 + *minute * 60 + *second - offset};
}

struct Credentials::Run {
  std::mutex mutex;
  std::optional<Result<Printed>> result;
  std::jthread thread;  // the last member: it ends before what it writes to
};

Credentials::Credentials(Access access, os::ProcessRunner& runner, const os::Clock& clock)
    : access_(std::move(access)), runner_(runner), clock_(clock) {}

Credentials::~Credentials() = default;

std::string Credentials::shown() const {
  const auto& user = access_.user;
  auto place = [](const TextOrFile& source) {
    return source.text.empty() ? "in " + printable(source.file) : "of the kubeconfig";
  };
  if (user.exec) return "printed by " + printable(user.exec->command);
  if (!user.token.file.empty()) return "the token in " + printable(user.token.file);
  if (!user.token.empty()) return "the token of the kubeconfig";
  if (!user.username.empty()) return "the password of " + printable(user.username);
  if (user.client_certificate.empty()) return "none were sent";
  return "the client certificate " + place(user.client_certificate) +
         "; it may have expired, or be of another authority";
}

void Credentials::refuse(std::uint64_t generation) {
  if (generation == generation_) printed_.reset();
}

Result<net::StreamRequest> Credentials::request(const std::string& path_and_query) {
  net::StreamRequest request;
  const auto& cluster = access_.cluster;
  const auto& user = access_.user;
  request.url = cluster.server + path_and_query;
  request.proxy = cluster.proxy_url;
  request.compressed = cluster.compressed;
  request.tls.server_name = cluster.tls_server_name;
  request.tls.insecure = cluster.insecure;
  request.headers = user.impersonation;

  auto ca = content(cluster.ca, "certificate authority");
  if (!ca) return fail(ca.error());
  request.tls.ca = std::move(*ca);
  auto certificate = content(user.client_certificate, "client certificate");
  if (!certificate) return fail(certificate.error());
  auto key = content(user.client_key, "client key");
  if (!key) return fail(key.error());
  request.tls.client_certificate = std::move(*certificate);
  request.tls.client_key = std::move(*key);

  if (user.exec) {
    if (auto fetched = fetch(); !fetched) return fail(fetched.error());
    request.bearer_token = printed_->token;
    if (!printed_->certificate.empty()) {
      request.tls.client_certificate = printed_->certificate;
      request.tls.client_key = printed_->key;
    }
    return request;
  }
  auto token = token_of(user);
  if (!token) return fail(token.error());
  request.bearer_token = std::move(*token);
  request.username = user.username;
  request.password = user.password;
  return request;
}

// What the plugin is told about why it runs, in KUBERNETES_EXEC_INFO.
Result<std::string> Credentials::exec_info() const {
  const auto& cluster = access_.cluster;
  const auto& plugin = *access_.user.exec;
  auto ca = plugin.provide_cluster_info ? content(cluster.ca, "certificate authority")
                                        : Result<std::string>("");
  if (!ca) return fail(ca.error());
  JsonWriter w;
  w.object([&] {
    w.field("kind", "ExecCredential");
    w.field("apiVersion", plugin.api_version);
    w.key("spec");
    w.object([&] {
      w.field("interactive", false);
      if (!plugin.provide_cluster_info) return;
      w.key("cluster");
      w.object([&] {
        w.field("server", cluster.server);
        if (!cluster.tls_server_name.empty()) w.field("tls-server-name", cluster.tls_server_name);
        if (cluster.insecure) w.field("insecure-skip-tls-verify", true);
        if (!ca->empty()) w.field("certificate-authority-data", encode_base64(*ca));
        if (!cluster.proxy_url.empty()) w.field("proxy-url", cluster.proxy_url);
      });
    });
  });
  return w.take();
}

bool Credentials::good() const {
  return printed_ && (!printed_->expires || clock_.now() + kExpiryMargin < *printed_->expires);
}

bool Credentials::ready() {
  if (!access_.user.exec || good() || failure_) return true;
  if (!run_) begin_run();
  return !run_ || take_result();
}

Status Credentials::fetch() {
  if (good()) return {};
  if (failure_) return fail(*failure_);
  if (!run_) begin_run();
  if (run_) {
    run_->thread.join();
    take_result();
  }
  if (auto failure = std::exchange(failure_, std::nullopt)) return fail(*failure);
  return {};
}

void Credentials::begin_run() {
  auto command = plugin_command();
  if (!command) {
    failure_ = command.error();
    return;
  }
  run_ = std::make_unique<Run>();
  run_->thread = std::jthread([&run = *run_, &runner = runner_, wake = wake_, command = *command,
                               plugin = *access_.user.exec](std::stop_token stop) mutable {
    command.stop = std::move(stop);
    auto printed = run_plugin(runner, command, plugin);
    {
      std::lock_guard lock(run.mutex);
      run.result = std::move(printed);
    }
    if (wake) wake();
  });
}

// False while the plugin runs.
bool Credentials::take_result() {
  std::optional<Result<Printed>> result;
  {
    std::lock_guard lock(run_->mutex);
    if (!run_->result) return false;
    result = std::move(run_->result);
  }
  run_.reset();
  if (*result) {
    printed_ = std::move(**result);
    ++generation_;
  } else {
    failure_ = result->error();
  }
  return true;
}

Result<os::Command> Credentials::plugin_command() const {
  const auto& plugin = *access_.user.exec;
  auto info = exec_info();
  if (!info) return fail(info.error());
  auto env = plugin.env;
  env.emplace_back("KUBERNETES_EXEC_INFO", *info);
  os::Command command;
  command.argv.push_back(plugin.command);
  command.argv.insert(command.argv.end(), plugin.args.begin(), plugin.args.end());
  command.environment = environment_with(env);
  command.max_output = kMaxFile;
  return command;
}

Result<Credentials::Printed> Credentials::run_plugin(os::ProcessRunner& runner,
                                                     const os::Command& command,
                                                     const ExecPlugin& plugin) {
  auto output = runner.run(command);
  auto step = "credentials from " + printable(plugin.command);
  if (!output) {
    auto hint = trim(plugin.install_hint);
    return fail("{}: {}{}{}", step, output.error().message(), hint.empty() ? "" : "; ",
                printable(hint));
  }
  auto printed = parse(output->out, plugin);
  if (!printed) return fail(printed.error().within(step));
  return printed;
}

Result<Credentials::Printed> Credentials::parse(std::string_view json, const ExecPlugin& plugin) {
  simdjson::dom::parser parser;
  simdjson::dom::element root, status;
  // The parser's own message could quote what it read, which is secret.
  if (parser.parse(json.data(), json.size()).get(root) != simdjson::SUCCESS) {
    return fail("what it printed is no JSON");
  }
  if (auto version = text_at(root, "apiVersion"); version != plugin.api_version) {
    return fail("it answers in apiVersion '{}', the kubeconfig says '{}'", printable(version),
                plugin.api_version);
  }
  if (root["status"].get(status) != simdjson::SUCCESS) return fail("its answer has no status");
  Printed printed;
  printed.token = text_at(status, "token");
  printed.certificate = text_at(status, "clientCertificateData");
  printed.key = text_at(status, "clientKeyData");
  if (printed.token.empty() && printed.certificate.empty()) {
    return fail("its answer has neither a token nor a certificate");
  }
  if (printed.certificate.empty() != printed.key.empty()) {
    return fail("its answer has one of certificate and key, not both");
  }
  if (!sendable(printed.token)) return fail("its token holds characters that no token has");
  auto expires = text_at(status, "expirationTimestamp");
  if (!expires.empty()) {
    printed.expires = parse_rfc3339(expires);
    if (!printed.expires)
      return fail("its expirationTimestamp '{}' is no time", printable(expires));
  }
  return printed;
}

}  // namespace schedlens::kube
