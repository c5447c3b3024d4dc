// SPDX-License-Identifier: Apache-2.0
#include "remote/login.h"

#include <fstream>
#include <iterator>

#include "base/base64.h"
#include "base/text.h"

namespace schedlens::remote {
namespace {

Result<std::string> read_secret(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(in)), {});
  if (!in.is_open() || in.bad()) return fail("{}: cannot be read", path);
  std::string secret(trim(text));
  if (secret.empty()) return fail("{}: is empty", path);
  if (secret.find_first_of("\r\n") != std::string::npos) {
    return fail("{}: has more than one line", path);
  }
  return secret;
}

}  // namespace

Result<std::vector<std::string>> login_headers(const Login& login) {
  std::vector<std::string> headers;
  if (!login.bearer_token_file.empty()) {
    auto token = read_secret(login.bearer_token_file);
    if (!token) return fail(token.error());
    headers.push_back("Authorization: Bearer " + *token);
  } else if (!login.username.empty()) {
    std::string password;
    if (!login.password_file.empty()) {
      auto read = read_secret(login.password_file);
      if (!read) return fail(read.error());
      password = std::move(*read);
    }
    headers.push_back("Authorization: Basic " + encode_base64(login.username + ":" + password));
  }
  return headers;
}

}  // namespace schedlens::remote
