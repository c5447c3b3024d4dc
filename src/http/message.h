// SPDX-License-Identifier: Apache-2.0
#pragma once
// A request as handlers see it and the response they give.

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace schedlens::http {

using Fields = std::vector<std::pair<std::string, std::string>>;

struct Request {
  std::string method;
  std::string path;   // as sent, without the query: "/api/v1/nodes/n%201"
  Fields query;       // decoded, in the order sent
  Fields parameters;  // decoded values of the pattern's {names}
  Fields headers;
  std::string body;

  std::optional<std::string_view> header(std::string_view name) const;  // whatever its case
  std::optional<std::string_view> query_value(std::string_view name) const;
  // The value of a {name} in the route's pattern; empty for a name that it does not have.
  std::string_view parameter(std::string_view name) const;
};

struct Response {
  int status = 200;
  std::string content_type = "text/plain; charset=utf-8";
  std::string body;
  Fields headers;
  // Where it is set, the body comes in pieces: each call replaces the text by the next one, until
  // it returns false. It is asked on a worker, when the client has taken what was before, so that
  // no body is held as a whole. An exception cuts the connection.
  std::function<bool(std::string& piece)> next_piece = nullptr;

  static Response json(std::string body);
  static Response html(std::string body);
  static Response text(std::string body);
};

// An error as a problem document (RFC 9457): {"type":"about:blank","title":...,"status":...,
// "detail":...}.
Response problem(int status, std::string_view detail);
std::string_view status_text(int status);  // "Not Found"

// Fills path and query from a request line's target, in origin form or absolute form.
Status parse_target(std::string_view target, Request& request);
// "a%20b" is "a b"; plus signs are spaces in a query. Fails on a % without two hex digits.
Result<std::string> percent_decode(std::string_view text, bool plus_is_space);

// An Accept-Encoding header allows gzip.
bool accepts_gzip(std::string_view accept_encoding);

}  // namespace schedlens::http
