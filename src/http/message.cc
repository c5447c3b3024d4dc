// SPDX-License-Identifier: Apache-2.0
#include "http/message.h"

#include "base/json_writer.h"
#include "base/text.h"

namespace schedlens::http {
namespace {

std::optional<std::string_view> find(const Fields& fields, std::string_view name) {
  for (const auto& [key, value] : fields) {
    if (key == name) return value;
  }
  return std::nullopt;
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

Status parse_query(std::string_view text, Fields& query) {
  for (auto part : split(text, '&')) {
    if (part.empty()) continue;
    auto equals = part.find('=');
    auto name = percent_decode(part.substr(0, equals), true);
    if (!name) return fail(name.error());
    auto value = percent_decode(
        equals == std::string_view::npos ? std::string_view() : part.substr(equals + 1), true);
    if (!value) return fail(value.error());
    query.emplace_back(std::move(*name), std::move(*value));
  }
  return {};
}

}  // namespace

std::optional<std::string_view> Request::header(std::string_view name) const {
  for (const auto& [key, value] : headers) {
    if (equal_ignoring_case(key, name)) return value;
  }
  return std::nullopt;
}

std::optional<std::string_view> Request::query_value(std::string_view name) const {
  return find(query, name);
}

std::string_view Request::parameter(std::string_view name) const {
  return find(parameters, name).value_or("");
}

Response Response::json(std::string body) {
  return {200, "application/json", std::move(body), {}};
}

Response Response::html(std::string body) {
  return {200, "text/html; charset=utf-8", std::move(body), {}};
}

Response Response::text(std::string body) {
  return {200, "text/plain; charset=utf-8", std::move(body), {}};
}

Response problem(int status, std::string_view detail) {
  JsonWriter json;
  json.object([&] {
    json.field("type", "about:blank");
    json.field("title", status_text(status));
    json.field("status", status);
    json.field("detail", detail);
  });
  return {status, "application/problem+json", json.take() + "\n", {}};
}

std::string_view status_text(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 204:
      return "No Content";
    case 400:
      return "Bad Request";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 413:
      return "Content Too Large";
    case 431:
      return "Request Header Fields Too Large";
    case 500:
      return "Internal Server Error";
    case 502:
      return "Bad Gateway";
    case 503:
      return "Service Unavailable";
    case 505:
      return "HTTP Version Not Supported";
    default:
      return status < 400 ? "OK" : "Error";
  }
}

Status parse_target(std::string_view target, Request& request) {
  if (starts_with_ignoring_case(target, "http://") ||
      starts_with_ignoring_case(target, "https://")) {
    auto authority = target.find("//") + 2;
    auto slash = target.find_first_of("/?", authority);
    target = slash == std::string_view::npos ? "/" : target.substr(slash);
  }
  if (target == "*") {
    request.path = "*";
    return {};
  }
  auto question = target.find('?');
  request.path = target.substr(0, question);
  if (request.path.empty() || request.path[0] != '/') return fail("the path must begin with '/'");
  if (question == std::string_view::npos) return {};
  return parse_query(target.substr(question + 1), request.query);
}

Result<std::string> percent_decode(std::string_view text, bool plus_is_space) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+' && plus_is_space) {
      out += ' ';
    } else if (text[i] != '%') {
      out += text[i];
    } else {
      int high = i + 2 < text.size() ? hex_digit(text[i + 1]) : -1;
      int low = i + 2 < text.size() ? hex_digit(text[i + 2]) : -1;
      if (high < 0 || low < 0) return fail("a '%' is not followed by two hexadecimal digits");
      out += static_cast<char>(high * 16 + low);
      i += 2;
    }
  }
  return out;
}

bool accepts_gzip(std::string_view accept_encoding) {
  bool any = false;
  for (auto part : split(accept_encoding, ',')) {
    auto semicolon = part.find(';');
    auto coding = trim(part.substr(0, semicolon));
    double quality = 1;
    if (semicolon != std::string_view::npos) {
      auto weight = trim(part.substr(semicolon + 1));
      if (starts_with_ignoring_case(weight, "q=")) {
        quality = parse_number<double>(weight.substr(2)).value_or(0);
      }
    }
    if (equal_ignoring_case(coding, "gzip")) return quality > 0;
    if (coding == "*") any = quality > 0;
  }
  return any;
}

}  // namespace schedlens::http
