// SPDX-License-Identifier: Apache-2.0
#pragma once
// Reads whole pages, as components show their metrics: one at a time, or those of many nodes at
// once.

#include <chrono>
#include <cstddef>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "kube/credentials.h"
#include "net/stream_client.h"
#include "os/clock.h"

namespace schedlens::kube {

// A component with an address of its own: "https://10.0.0.5:10259". By https we show it the
// credentials that the API server gets, which it has checked there; its certificate is its own as a
// rule, so that either its file is named or it is not verified.
struct PageAddress {
  std::string url;
  std::string ca_file;
  bool insecure = false;
  // Shown instead of the API server's credentials, which etcd does not know.
  std::string client_certificate_file, client_key_file;
  friend bool operator==(const PageAddress&, const PageAddress&) = default;
};

// With https:// where there is no scheme, and this path unless it has one of its own.
std::string page_url(std::string url, std::string_view path);

// The request for a page of a component: its address must be a page_url(). The credentials are
// asked only where it is to see them.
Result<net::StreamRequest> page_request(const PageAddress& address, Credentials& credentials);

struct PageOptions {
  std::chrono::milliseconds patience{5'000};  // for one page
  std::size_t at_once = 8;
  // For all of them; those that have not come by then are given up.
  std::chrono::milliseconds whole_patience = std::chrono::hours(1);
  std::string right;  // what a refusal asks for: "`get` on the nonResourceURL /metrics"
};

using TakePage = std::function<void(std::size_t, Result<std::string>)>;

// Calls take with the place of each request, and its page or why there is none, in the order in
// which they end. Returns when all have ended, or soon after it is told to stop: how many were
// asked, in the order given.
std::size_t read_pages(std::vector<net::StreamRequest> requests, const PageOptions& options,
                       const os::Clock& clock, const std::stop_token& token, const TakePage& take);

Result<std::string> read_page(net::StreamRequest request, const PageOptions& options,
                              const os::Clock& clock, const std::stop_token& token);

}  // namespace schedlens::kube
