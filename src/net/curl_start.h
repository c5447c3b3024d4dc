// SPDX-License-Identifier: Apache-2.0
#pragma once
// What libcurl wants done once before its first use.

#include <curl/curl.h>

#include <mutex>

namespace schedlens::net {

inline void start_curl() {
  static std::once_flag once;
  std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
}

}  // namespace schedlens::net
