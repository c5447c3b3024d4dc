// SPDX-License-Identifier: Apache-2.0
#pragma once
// Asking an HTTP server for something. TLS certificates are verified; proxies come from the
// environment as with curl.

#include <chrono>
#include <cstddef>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace schedlens::net {

struct GetOptions {
  std::chrono::milliseconds connect_timeout{5'000};
  std::chrono::milliseconds timeout{30'000};    // for everything together
  std::size_t max_body = std::size_t{1} << 30;  // after decompression; more is an error
  std::string accept = "application/json";
  std::string ca_file;        // trusted instead of the system's certificates; empty: the system's
  std::stop_token stop = {};  // gives it up within a second, from any thread
};

struct GetResponse {
  int status = 0;
  std::string content_type;
  std::string body;
  std::chrono::seconds retry_after{0};  // as the server asks for by Retry-After; 0: it does not
};

// The response whatever its status. Fails when there is none; the error names the URL and the
// cause: "http://db1:9817/api/v1/status: Couldn't connect to server". Any thread; blocks.
Result<GetResponse> get(const std::string& url, const GetOptions& options = {});

struct PostOptions : GetOptions {
  std::string content_type = "application/json";
  std::vector<std::string> headers;  // further ones, "Authorization: Bearer ..."
};

// Sends the body; the same of the response and of failures.
Result<GetResponse> post(const std::string& url, std::string_view body,
                         const PostOptions& options = {});

// What a response that is no success says about it: ": no job 7"; empty when it says nothing.
std::string said_by(const GetResponse& response);

// The body of a response of status 200; any other status is an error with what the server says
// about it: "http://db1:9817/api/v1/jobs/7: status 404: no job 7".
Result<std::string> get_body(const std::string& url, const GetOptions& options = {});

// "host:9817", "http://host:9817" and "http://host:9817/" are the same server.
std::string join_url(const std::string& server, const std::string& path);
// For a name that becomes one segment of a path.
std::string percent_encode(const std::string& segment);

}  // namespace schedlens::net
