// SPDX-License-Identifier: Apache-2.0
#include "net/http_client.h"

#include <curl/curl.h>

#include <memory>

#include "base/text.h"
#include "net/curl_start.h"

namespace schedlens::net {
namespace {

struct CurlClose {
  void operator()(CURL* curl) const { curl_easy_cleanup(curl); }
};
using Curl = std::unique_ptr<CURL, CurlClose>;

struct Body {
  std::string text;
  std::size_t max = 0;
  bool too_large = false;
};

std::size_t take(char* data, std::size_t, std::size_t size, void* target) {
  auto& body = *static_cast<Body*>(target);
  if (body.text.size() + size > body.max) {
    body.too_large = true;
    return 0;
  }
  body.text.append(data, size);
  return size;
}

int stopped(void* token, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  return static_cast<const std::stop_token*>(token)->stop_requested() ? 1 : 0;
}

void apply(CURL* curl, const std::string& url, const GetOptions& options) {
  curl_easy_setopt(curl, CURLOPT_URL, url.c_str());
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 1L);
  curl_easy_setopt(curl, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl, CURLOPT_MAXREDIRS, 3L);
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_ACCEPT_ENCODING, "gzip");
  curl_easy_setopt(curl, CURLOPT_USERAGENT, "schedlens");
  curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS,
                   static_cast<long>(options.connect_timeout.count()));
  curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, static_cast<long>(options.timeout.count()));
  if (options.stop.stop_possible()) {
    curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, stopped);
    curl_easy_setopt(curl, CURLOPT_XFERINFODATA, &options.stop);
  }
  if (!options.ca_file.empty()) {
    curl_easy_setopt(curl, CURLOPT_CAINFO, options.ca_file.c_str());
    curl_easy_setopt(curl, CURLOPT_CAPATH, nullptr);
  }
}

// What a problem document says in its "detail", or the first line of anything else. Looked for in
// the text alone: the server may be anything.
std::string explanation(const std::string& body) {
  static constexpr std::string_view kDetail = "\"detail\":";
  auto at = body.find(kDetail);
  if (at == std::string::npos) {
    auto line = body.substr(0, std::min<std::size_t>(body.find('\n'), 200));
    return line.find('<') == std::string::npos ? printable(trim(line)) : "";
  }
  auto open = body.find('"', at + kDetail.size());
  if (open == std::string::npos) return "";
  std::string text;
  for (auto i = open + 1; i < body.size() && body[i] != '"' && text.size() < 1000; ++i) {
    if (body[i] == '\\' && i + 1 < body.size()) ++i;
    text += body[i];
  }
  return printable(text);
}

using Headers = std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)>;

Headers header_list(const std::vector<std::string>& lines) {
  curl_slist* list = nullptr;
  for (const auto& line : lines) list = curl_slist_append(list, line.c_str());
  return {list, curl_slist_free_all};
}

Result<GetResponse> perform(CURL* curl, const std::string& url, const GetOptions& options,
                            const std::vector<std::string>& headers) {
  Body body;
  body.max = options.max_body;
  char error[CURL_ERROR_SIZE] = "";
  curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, error);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &body);
  const auto list = header_list(headers);
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, list.get());

  auto code = curl_easy_perform(curl);
  if (body.too_large) {
    return fail("{}: the answer is larger than {} bytes", url, options.max_body);
  }
  if (code == CURLE_ABORTED_BY_CALLBACK) return fail("{}: stopped", url);
  if (code != CURLE_OK) {
    return fail("{}: {}", url, *error ? error : curl_easy_strerror(code));
  }
  GetResponse response;
  long status = 0;
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
  response.status = static_cast<int>(status);
  const char* type = nullptr;
  curl_easy_getinfo(curl, CURLINFO_CONTENT_TYPE, &type);
  if (type) response.content_type = type;
  curl_off_t wait = 0;
  curl_easy_getinfo(curl, CURLINFO_RETRY_AFTER, &wait);
  response.retry_after = std::chrono::seconds(wait);
  response.body = std::move(body.text);
  return response;
}

}  // namespace

Result<GetResponse> get(const std::string& url, const GetOptions& options) {
  start_curl();
  Curl curl(curl_easy_init());
  if (!curl) return fail("{}: out of memory", url);
  apply(curl.get(), url, options);
  return perform(curl.get(), url, options, {"Accept: " + options.accept});
}

Result<GetResponse> post(const std::string& url, std::string_view body,
                         const PostOptions& options) {
  start_curl();
  Curl curl(curl_easy_init());
  if (!curl) return fail("{}: out of memory", url);
  apply(curl.get(), url, options);
  curl_easy_setopt(curl.get(), CURLOPT_POST, 1L);
  curl_easy_setopt(curl.get(), CURLOPT_POSTREDIR, CURL_REDIR_POST_ALL);
  curl_easy_setopt(curl.get(), CURLOPT_POSTFIELDS, body.data());
  curl_easy_setopt(curl.get(), CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
  // Without "Expect:" curl waits a second for the server's consent to a large body.
  std::vector<std::string> headers = {"Accept: " + options.accept,
                                      "Content-Type: " + options.content_type, "Expect:"};
  headers.insert(headers.end(), options.headers.begin(), options.headers.end());
  return perform(curl.get(), url, options, headers);
}

std::string said_by(const GetResponse& response) {
  auto why = explanation(response.body);
  return why.empty() ? why : ": " + why;
}

Result<std::string> get_body(const std::string& url, const GetOptions& options) {
  auto response = get(url, options);
  if (!response) return fail(response.error());
  if (response->status == 200) return std::move(response->body);
  return fail("{}: status {}{}", url, response->status, said_by(*response));
}

std::string join_url(const std::string& server, const std::string& path) {
  auto url = server.find("://") == std::string::npos ? "http://" + server : server;
  while (url.ends_with('/')) url.pop_back();
  return url + path;
}

std::string percent_encode(const std::string& segment) {
  std::string out;
  for (unsigned char c : segment) {
    bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                 c == '-' || c == '.' || c == '_' || c == '~';
    out += plain ? std::string(1, static_cast<char>(c)) : fmt::format("%{:02X}", c);
  }
  return out;
}

}  // namespace schedlens::net
