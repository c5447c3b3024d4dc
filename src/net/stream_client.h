// SPDX-License-Identifier: Apache-2.0
#pragma once
// Many HTTP requests at once on one thread, their bodies delivered in pieces as they come: for
// answers that go on for hours. HTTP/2 where the server has it over TLS, one connection then
// carries all requests.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace schedlens::net {

// PEM texts, not file names. Certificates are verified unless insecure says otherwise.
struct Tls {
  std::string ca;                              // trusted instead of the system's
  std::string client_certificate, client_key;  // both or none
  std::string server_name;                     // expected instead of the URL's host
  bool insecure = false;
};

struct StreamRequest {
  std::string url;
  std::vector<std::string> headers;  // "Accept: application/json"
  std::string bearer_token;
  std::string username, password;  // basic authentication; no token then
  Tls tls;
  std::string proxy;              // empty: from the environment, as with curl
  bool compressed = true;         // whether a compressed answer is asked for
  bool fresh_connection = false;  // not one that another request has used
  std::chrono::milliseconds connect_timeout{10'000};
  std::chrono::milliseconds idle_timeout{60'000};  // without a byte from the server
  std::size_t max_body = SIZE_MAX;                 // after decompression
};

struct ResponseHead {
  int status = 0;
  std::string content_type;
  std::optional<std::chrono::seconds> retry_after;
};

enum class EndCause : std::uint8_t {
  kComplete,  // the answer is whole
  kFailed,    // no connection, or it broke
  kIdle,      // the server was silent for idle_timeout
  kTooLarge
};

struct End {
  EndCause cause = EndCause::kComplete;
  std::string error;  // "https://k8s:6443/api/v1/pods: Connection refused"; empty when complete
};

// Called from StreamClient::poll(). May start and cancel requests.
class StreamHandler {
 public:
  virtual ~StreamHandler() = default;
  virtual void on_head(const ResponseHead& head) = 0;
  virtual void on_data(std::string_view piece) = 0;
  virtual void on_end(const End& end) = 0;  // the last call
};

// All but wake() from one thread.
class StreamClient {
 public:
  using RequestId = std::uint64_t;

  StreamClient();
  ~StreamClient();
  StreamClient(const StreamClient&) = delete;
  StreamClient& operator=(const StreamClient&) = delete;

  // The handler must live until on_end() or cancel().
  RequestId start(StreamRequest request, StreamHandler& handler);
  // The handler is not called again. Unknown and ended ids are ignored.
  void cancel(RequestId id);

  // Delivers what has come; waits for it at most this long, less when woken.
  void poll(std::chrono::milliseconds wait);
  // Makes a poll() that waits return; any thread.
  void wake();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Scheme, host and path: what an error may show of a URL.
std::string shown_url(const std::string& url);

}  // namespace schedlens::net
