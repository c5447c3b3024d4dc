// SPDX-License-Identifier: Apache-2.0
#pragma once
// A server on a loopback port that does to each request what the test says, byte by byte: for the
// answers that a proper server would never send.

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace schedlens::net::test {

class Connection {
 public:
  Connection(int fd, const std::atomic<bool>& stop) : fd_(fd), stop_(stop) {}
  ~Connection() { close(fd_); }
  Connection(const Connection&) = delete;

  // The header of the next request; empty when the client has gone or the server stops.
  std::string read_request() {
    while (true) {
      if (auto end = pending_.find("\r\n\r\n"); end != std::string::npos) {
        auto request = pending_.substr(0, end + 4);
        pending_.erase(0, end + 4);
        return request;
      }
      if (!read_more()) return "";
    }
  }
  // The body of the request whose header that was.
  std::string read_body(const std::string& request) {
    auto at = request.find("Content-Length: ");
    std::size_t size = at == std::string::npos ? 0 : std::stoul(request.substr(at + 16));
    while (pending_.size() < size && read_more()) {
    }
    auto body = pending_.substr(0, size);
    pending_.erase(0, size);
    return body;
  }
  // False when the client has gone.
  bool send(std::string_view bytes) {
    while (!bytes.empty()) {
      auto n = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (n <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(n));
    }
    return true;
  }
  bool send_head(const std::string& status, const std::string& headers) {
    return send("HTTP/1.1 " + status + "\r\n" + headers + "\r\n");
  }
  bool send_chunk(std::string_view bytes) {
    char size[32];
    std::snprintf(size, sizeof size, "%zx\r\n", bytes.size());
    return send(size) && send(bytes) && send("\r\n");
  }
  bool send_answer(const std::string& status, const std::string& type, const std::string& body) {
    return send_head(status, "Content-Type: " + type +
                                 "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n") &&
           send(body);
  }
  // Says nothing until the client goes, or the server stops.
  void be_silent() {
    while (read_more()) {
    }
  }
  bool stopping() const { return stop_; }

 private:
  bool read_more() {
    char buffer[4096];
    while (!stop_) {
      pollfd p{fd_, POLLIN, 0};
      if (poll(&p, 1, 20) <= 0) continue;
      auto n = recv(fd_, buffer, sizeof buffer, 0);
      if (n <= 0) return false;
      pending_.append(buffer, static_cast<std::size_t>(n));
      return true;
    }
    return false;
  }

  int fd_;
  const std::atomic<bool>& stop_;
  std::string pending_;
};

class ScriptedServer {
 public:
  // Called in a thread of its own for each request; false closes the connection.
  using Answer = std::function<bool(const std::string& request, Connection&)>;

  explicit ScriptedServer(Answer answer)
      : answer_(std::move(answer)), fd_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    bind(fd_, reinterpret_cast<sockaddr*>(&address), size);
    listen(fd_, 64);
    getsockname(fd_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
    accepting_ = std::thread([this] { accept_all(); });
  }
  ~ScriptedServer() {
    stop_ = true;
    accepting_.join();
    for (auto& thread : serving_) thread.join();
    close(fd_);
  }
  ScriptedServer(const ScriptedServer&) = delete;

  std::string url(const std::string& path = "") const {
    return "http://127.0.0.1:" + std::to_string(port_) + path;
  }
  int connections() const { return connections_; }

 private:
  void accept_all() {
    while (!stop_) {
      pollfd p{fd_, POLLIN, 0};
      if (poll(&p, 1, 20) <= 0) continue;
      int client = accept(fd_, nullptr, nullptr);
      if (client < 0) continue;
      ++connections_;
      serving_.emplace_back([this, client] {
        Connection connection(client, stop_);
        while (true) {
          auto request = connection.read_request();
          if (request.empty() || !answer_(request, connection)) return;
        }
      });
    }
  }

  Answer answer_;
  int fd_;
  int port_ = 0;
  std::atomic<bool> stop_{false};
  std::atomic<int> connections_{0};
  std::vector<std::thread> serving_;
  std::thread accepting_;
};

}  // namespace schedlens::net::test
