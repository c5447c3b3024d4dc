// SPDX-License-Identifier: Apache-2.0
#include "http/answer.h"

#include <algorithm>
#include <exception>

#include "base/gzip.h"
#include "base/log.h"
#include "base/text.h"

namespace schedlens::http {
namespace {

bool has_header(const Response& response, std::string_view name) {
  return std::any_of(response.headers.begin(), response.headers.end(),
                     [&](auto& field) { return equal_ignoring_case(field.first, name); });
}

void compress(const ServerOptions& options, const Request& request, Response& response) {
  if (response.body.size() < options.gzip_from_bytes) return;
  if (has_header(response, "Content-Encoding")) return;
  response.headers.emplace_back("Vary", "Accept-Encoding");
  if (!accepts_gzip(request.header("Accept-Encoding").value_or(""))) return;
  response.body = gzip(response.body, 1);
  response.headers.emplace_back("Content-Encoding", "gzip");
}

}  // namespace

Response answer(const ServerOptions& options, const Route& route, const Request& request) {
  Response response;
  try {
    response = route.handler(request);
  } catch (const std::exception& e) {
    log::error("http: handler failed path={} error={}", printable(request.path), e.what());
    response = problem(500, "the request could not be answered because of an error in schedlens");
  }
  compress(options, request, response);
  return response;
}

Piece ask_for_piece(const Response& response, std::string& piece) {
  try {
    return response.next_piece(piece) ? Piece::kMore : Piece::kEnd;
  } catch (const std::exception& e) {
    log::error("http: a response broke off error={}", e.what());
    return Piece::kFailed;
  }
}

}  // namespace schedlens::http
