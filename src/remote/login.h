// SPDX-License-Identifier: Apache-2.0
#pragma once
// Who we are to a store elsewhere.

#include <string>
#include <vector>

#include "base/result.h"

namespace schedlens::remote {

// Who we are to a server. Files are read before each request, so that what they hold may change.
struct Login {
  std::string bearer_token_file;
  std::string username, password_file;
  std::string ca_file;  // empty: the system's certificates
  friend bool operator==(const Login&, const Login&) = default;
};

// The header lines that say who we are: none without a login.
Result<std::vector<std::string>> login_headers(const Login& login);

}  // namespace schedlens::remote
