// SPDX-License-Identifier: Apache-2.0
#pragma once
// A socket that sends what it is told, byte by byte, and reads what comes: for the requests that a
// proper client would never send.

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace schedlens::http::test {

class RawClient {
 public:
  // A small receive buffer makes the server wait for the reader.
  explicit RawClient(std::uint16_t port, int receive_buffer = 0)
      : fd_(socket(AF_INET, SOCK_STREAM, 0)) {
    if (receive_buffer > 0) {
      setsockopt(fd_, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
    }
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
      throw std::runtime_error("cannot connect");
    }
  }
  ~RawClient() { close(fd_); }
  RawClient(const RawClient&) = delete;

  // False when the other side has closed.
  bool send(std::string_view text) {
    while (!text.empty()) {
      auto n = ::send(fd_, text.data(), text.size(), MSG_NOSIGNAL);
      if (n <= 0) return false;
      text.remove_prefix(static_cast<std::size_t>(n));
    }
    return true;
  }

  // Everything until the other side closes, or nothing comes for five seconds.
  std::string read_all() { return read_at_most(std::string::npos); }

  std::string read_at_most(std::size_t size) {
    std::string out;
    char buffer[65536];
    while (out.size() < size && readable(5000)) {
      auto n = recv(fd_, buffer, sizeof buffer, 0);
      if (n <= 0) {
        closed_ = true;
        break;
      }
      out.append(buffer, static_cast<std::size_t>(n));
    }
    return out;
  }

  // One response: its header and as many bytes of body as the header says.
  std::string read_response() {
    while (pending_.find("\r\n\r\n") == std::string::npos) {
      if (!read_more()) return std::move(pending_);
    }
    auto header_end = pending_.find("\r\n\r\n") + 4;
    std::size_t length = 0;
    if (auto at = pending_.find("Content-Length: "); at < header_end) {
      length = std::stoul(pending_.substr(at + 16));
    }
    while (pending_.size() < header_end + length) {
      if (!read_more()) break;
    }
    auto response = pending_.substr(0, header_end + length);
    pending_.erase(0, header_end + length);
    return response;
  }

  bool closed() const { return closed_; }

 private:
  bool readable(int patience_ms) {
    pollfd p{fd_, POLLIN, 0};
    return poll(&p, 1, patience_ms) > 0;
  }
  bool read_more() {
    char buffer[65536];
    if (!readable(5000)) return false;
    auto n = recv(fd_, buffer, sizeof buffer, 0);
    if (n <= 0) {
      closed_ = true;
      return false;
    }
    pending_.append(buffer, static_cast<std::size_t>(n));
    return true;
  }

  int fd_;
  bool closed_ = false;
  std::string pending_;
};

inline int status_of(const std::string& response) {
  return response.size() > 12 ? std::stoi(response.substr(9, 3)) : 0;
}

inline std::string body_of(const std::string& response) {
  auto at = response.find("\r\n\r\n");
  return at == std::string::npos ? "" : response.substr(at + 4);
}

}  // namespace schedlens::http::test
