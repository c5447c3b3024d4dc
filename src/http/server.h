// SPDX-License-Identifier: Apache-2.0
#pragma once
// An HTTP/1.1 server: one thread for the sockets, a few workers for the handlers.
//
// It bounds everything a client can make it hold: header and body sizes, connections, and the time
// for each step, so that slow or silent clients cannot keep others out.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "base/result.h"
#include "http/router.h"

namespace schedlens::http {

struct ServerOptions {
  std::string address = "127.0.0.1";  // or a host name
  std::uint16_t port = 0;             // 0: any free one
  unsigned workers = 4;
  std::size_t max_connections = 512;
  std::uint32_t max_header_bytes = 16 * 1024;
  std::uint64_t max_body_bytes = 1024 * 1024;
  std::size_t gzip_from_bytes = 1024;               // smaller bodies go out as they are
  std::chrono::milliseconds idle_timeout{60'000};   // between requests of one connection
  std::chrono::milliseconds read_timeout{10'000};   // for a whole header, and again for a body
  std::chrono::milliseconds write_timeout{30'000};  // without the client taking anything
};

class Server {
 public:
  // Listens and serves until stop() or the destructor. The error names the address and the cause:
  // "cannot listen on 127.0.0.1:9817: Address already in use".
  static Result<std::unique_ptr<Server>> start(ServerOptions options, Router router);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  std::uint16_t port() const;
  std::string url() const;  // "http://127.0.0.1:9817"

  // Takes no more requests, lets those in progress finish for at most this long, then cuts their
  // connections. Returns when no handler runs any more. Once; any thread but a handler's.
  void stop(std::chrono::milliseconds grace);

 private:
  class State;
  explicit Server(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace schedlens::http
