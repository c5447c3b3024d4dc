// SPDX-License-Identifier: Apache-2.0
#include "net/stream_client.h"

#include <curl/curl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <map>

#include "base/text.h"
#include "net/curl_start.h"

namespace schedlens::net {
namespace {

using SteadyClock = std::chrono::steady_clock;

struct EasyClose {
  void operator()(CURL* curl) const { curl_easy_cleanup(curl); }
};
struct MultiClose {
  void operator()(CURLM* multi) const { curl_multi_cleanup(multi); }
};
struct UrlClose {
  void operator()(CURLU* url) const { curl_url_cleanup(url); }
};
struct ListFree {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
using List = std::unique_ptr<curl_slist, ListFree>;

void append(List& list, const std::string& text) {
  if (auto* longer = curl_slist_append(list.get(), text.c_str())) {
    (void)list.release();
    list.reset(longer);
  }
}

std::string url_part(CURLU* url, CURLUPart part, unsigned flags = 0) {
  char* text = nullptr;
  if (curl_url_get(url, part, &text, flags) != CURLUE_OK) return "";
  std::string out(text);
  curl_free(text);
  return out;
}

// A connection whose peer is gone is found out in about a minute, also while nothing is sent on it.
int watch_socket(void*, curl_socket_t socket, curlsocktype purpose) {
  if (purpose != CURLSOCKTYPE_IPCXN) return CURL_SOCKOPT_OK;
  auto set = [&](int level, int option, int value) {
    (void)setsockopt(socket, level, option, &value, sizeof value);
  };
  set(SOL_SOCKET, SO_KEEPALIVE, 1);
  set(IPPROTO_TCP, TCP_KEEPIDLE, 30);
  set(IPPROTO_TCP, TCP_KEEPINTVL, 10);
  set(IPPROTO_TCP, TCP_KEEPCNT, 3);
  set(IPPROTO_TCP, TCP_USER_TIMEOUT, 60'000);
  return CURL_SOCKOPT_OK;
}

class Request {
 public:
  // progress becomes true whenever the handler is called.
  Request(StreamRequest request, StreamHandler& handler, bool& progress)
      : request_(std::move(request)),
        handler_(&handler),
        progress_(progress),
        easy_(curl_easy_init()) {
    if (easy_) apply();
  }

  CURL* easy() const { return easy_.get(); }
  bool cancelled() const { return !handler_; }
  void cancel() { handler_ = nullptr; }
  SteadyClock::time_point idle_deadline() const { return last_byte_ + request_.idle_timeout; }
  // From when on the server's silence counts: queued requests wait for us, not for it.
  void started(SteadyClock::time_point now) { last_byte_ = now; }

  void end(CURLcode code) {
    if (too_large_) {
      finish(EndCause::kTooLarge,
             fmt::format("the answer is larger than {} bytes", request_.max_body));
    } else if (code == CURLE_OK) {
      deliver_head();
      finish(EndCause::kComplete, "");
    } else {
      finish(EndCause::kFailed, *error_ ? error_ : curl_easy_strerror(code));
    }
  }
  void end_idle() {
    finish(EndCause::kIdle,
           fmt::format("nothing came for {} s", request_.idle_timeout.count() / 1000.0));
  }
  void end_unstarted() { finish(EndCause::kFailed, "out of memory"); }

 private:
  void finish(EndCause cause, const std::string& why) {
    auto* handler = std::exchange(handler_, nullptr);
    if (!handler) return;
    progress_ = true;
    handler->on_end({cause, why.empty() ? "" : shown_url(request_.url) + ": " + why});
  }

  template <class Value>
  void set(CURLoption option, Value value) {
    curl_easy_setopt(easy_.get(), option, value);
  }
  void set_blob(CURLoption option, std::string& text) {
    if (text.empty()) return;
    curl_blob blob{text.data(), text.size(), CURL_BLOB_NOCOPY};
    set(option, &blob);
  }

  void apply();
  void apply_tls();
  void apply_server_name();
  void deliver_head();
  static std::size_t on_header(char* data, std::size_t, std::size_t size, void* target);
  static std::size_t on_body(char* data, std::size_t, std::size_t size, void* target);

  StreamRequest request_;
  StreamHandler* handler_;
  bool& progress_;
  std::unique_ptr<CURL, EasyClose> easy_;
  List headers_, connect_to_;
  char error_[CURL_ERROR_SIZE] = "";
  SteadyClock::time_point last_byte_ = SteadyClock::now();
  std::size_t received_ = 0;
  bool head_delivered_ = false;
  bool too_large_ = false;
};

void Request::apply() {
  set(CURLOPT_URL, request_.url.c_str());
  set(CURLOPT_PRIVATE, this);
  set(CURLOPT_PROTOCOLS_STR, "http,https");
  // A redirect could carry the credentials elsewhere.
  set(CURLOPT_FOLLOWLOCATION, 0L);
  set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  set(CURLOPT_NOSIGNAL, 1L);
  set(CURLOPT_USERAGENT, "schedlens");
  // Whether a connection can carry several requests is known when TLS is up; without it, only after
  // the first answer, which others must not wait for.
  if (request_.url.starts_with("https:")) set(CURLOPT_PIPEWAIT, 1L);
  set(CURLOPT_BUFFERSIZE, 256L << 10);
  set(CURLOPT_SOCKOPTFUNCTION, watch_socket);
  set(CURLOPT_ERRORBUFFER, error_);
  set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(request_.connect_timeout.count()));
  set(CURLOPT_HEADERFUNCTION, on_header);
  set(CURLOPT_HEADERDATA, this);
  set(CURLOPT_WRITEFUNCTION, on_body);
  set(CURLOPT_WRITEDATA, this);
  if (request_.fresh_connection) set(CURLOPT_FRESH_CONNECT, 1L);
  if (request_.compressed) set(CURLOPT_ACCEPT_ENCODING, "gzip");
  if (!request_.proxy.empty()) set(CURLOPT_PROXY, request_.proxy.c_str());
  for (const auto& header : request_.headers) append(headers_, header);
  // A header rather than CURLOPT_XOAUTH2_BEARER, which is kept out of connection reuse by name.
  if (!request_.bearer_token.empty()) {
    append(headers_, "Authorization: Bearer " + request_.bearer_token);
  } else if (!request_.username.empty()) {
    set(CURLOPT_HTTPAUTH, static_cast<long>(CURLAUTH_BASIC));
    set(CURLOPT_USERNAME, request_.username.c_str());
    set(CURLOPT_PASSWORD, request_.password.c_str());
  }
  apply_tls();
  set(CURLOPT_HTTPHEADER, headers_.get());
}

void Request::apply_tls() {
  auto& tls = request_.tls;
  if (!tls.ca.empty()) {
    set_blob(CURLOPT_CAINFO_BLOB, tls.ca);
    set(CURLOPT_CAPATH, static_cast<char*>(nullptr));
  }
  if (!tls.client_certificate.empty()) {
    set(CURLOPT_SSLCERTTYPE, "PEM");
    set(CURLOPT_SSLKEYTYPE, "PEM");
    set_blob(CURLOPT_SSLCERT_BLOB, tls.client_certificate);
    set_blob(CURLOPT_SSLKEY_BLOB, tls.client_key);
  }
  if (tls.insecure) {
    set(CURLOPT_SSL_VERIFYPEER, 0L);
    set(CURLOPT_SSL_VERIFYHOST, 0L);
  }
  if (!tls.server_name.empty()) apply_server_name();
}

// curl takes the name to verify from the URL alone, so the URL gets the name and the connection is
// led to where the URL pointed.
void Request::apply_server_name() {
  std::unique_ptr<CURLU, UrlClose> url(curl_url());
  if (!url || curl_url_set(url.get(), CURLUPART_URL, request_.url.c_str(), 0) != CURLUE_OK) return;
  auto host = url_part(url.get(), CURLUPART_HOST);
  auto port = url_part(url.get(), CURLUPART_PORT, CURLU_DEFAULT_PORT);
  const auto& name = request_.tls.server_name;
  curl_url_set(url.get(), CURLUPART_HOST, name.c_str(), 0);
  set(CURLOPT_URL, url_part(url.get(), CURLUPART_URL).c_str());
  append(connect_to_, fmt::format("{}:{}:{}:{}", name, port, host, port));
  set(CURLOPT_CONNECT_TO, connect_to_.get());
  append(headers_, fmt::format("Host: {}:{}", host, port));
}

// An answer of status 1xx may come before the one that counts.
std::size_t Request::on_header(char* data, std::size_t, std::size_t size, void* target) {
  auto& self = *static_cast<Request*>(target);
  self.last_byte_ = SteadyClock::now();
  std::string_view line(data, size);
  if (trim(line).empty()) {
    long status = 0;
    curl_easy_getinfo(self.easy(), CURLINFO_RESPONSE_CODE, &status);
    if (status >= 200) self.deliver_head();
  }
  return self.cancelled() ? 0 : size;
}

void Request::deliver_head() {
  if (std::exchange(head_delivered_, true) || !handler_) return;
  ResponseHead head;
  long status = 0;
  curl_easy_getinfo(easy(), CURLINFO_RESPONSE_CODE, &status);
  head.status = static_cast<int>(status);
  const char* type = nullptr;
  curl_easy_getinfo(easy(), CURLINFO_CONTENT_TYPE, &type);
  if (type) head.content_type = type;
  curl_header* retry = nullptr;
  if (curl_easy_header(easy(), "Retry-After", 0, CURLH_HEADER, -1, &retry) == CURLHE_OK) {
    // The form with a date is not used by the servers this is for.
    if (auto n = parse_number<std::int64_t>(trim(retry->value)); n && *n >= 0) {
      head.retry_after = std::chrono::seconds(*n);
    }
  }
  progress_ = true;
  handler_->on_head(head);
}

std::size_t Request::on_body(char* data, std::size_t, std::size_t size, void* target) {
  auto& self = *static_cast<Request*>(target);
  self.last_byte_ = SteadyClock::now();
  self.deliver_head();
  if (self.cancelled()) return 0;
  self.received_ += size;
  if (self.received_ > self.request_.max_body) {
    self.too_large_ = true;
    return 0;
  }
  self.progress_ = true;
  self.handler_->on_data({data, size});
  return self.cancelled() ? 0 : size;
}

}  // namespace

// Requests are handed to curl and taken from it only between its callbacks.
struct StreamClient::State {
  std::map<RequestId, std::unique_ptr<Request>> requests;
  std::vector<RequestId> unstarted;
  RequestId last = 0;
  bool progress = false;
  std::unique_ptr<CURLM, MultiClose> multi{curl_multi_init()};

  void remove(std::map<RequestId, std::unique_ptr<Request>>::iterator at) {
    curl_multi_remove_handle(multi.get(), at->second->easy());
    requests.erase(at);
  }
  void start_queued() {
    for (auto id : std::exchange(unstarted, {})) {
      auto at = requests.find(id);
      if (at == requests.end()) continue;
      auto& request = *at->second;
      request.started(SteadyClock::now());
      if (!request.easy() || curl_multi_add_handle(multi.get(), request.easy()) != CURLM_OK) {
        request.end_unstarted();
      }
    }
  }
  void collect_ended() {
    int left = 0;
    while (auto* message = curl_multi_info_read(multi.get(), &left)) {
      if (message->msg != CURLMSG_DONE) continue;
      void* request = nullptr;
      curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &request);
      static_cast<Request*>(request)->end(message->data.result);
    }
    auto now = SteadyClock::now();
    // on_end() may start requests, which adds to the map; its iterators stay valid.
    for (auto& entry : requests) {
      if (!entry.second->cancelled() && entry.second->idle_deadline() <= now) {
        entry.second->end_idle();
      }
    }
    for (auto at = requests.begin(); at != requests.end();) {
      auto next = std::next(at);
      if (at->second->cancelled()) remove(at);
      at = next;
    }
  }
  std::chrono::milliseconds until_idle(std::chrono::milliseconds wait) const {
    auto now = SteadyClock::now();
    for (const auto& entry : requests) {
      auto left = std::chrono::ceil<std::chrono::milliseconds>(entry.second->idle_deadline() - now);
      wait = std::clamp(left, std::chrono::milliseconds(0), wait);
    }
    return wait;
  }
};

StreamClient::StreamClient() {
  start_curl();
  state_ = std::make_unique<State>();
}

StreamClient::~StreamClient() {
  while (!state_->requests.empty()) state_->remove(state_->requests.begin());
}

StreamClient::RequestId StreamClient::start(StreamRequest request, StreamHandler& handler) {
  auto id = ++state_->last;
  state_->requests.emplace(
      id, std::make_unique<Request>(std::move(request), handler, state_->progress));
  state_->unstarted.push_back(id);
  return id;
}

void StreamClient::cancel(RequestId id) {
  auto at = state_->requests.find(id);
  if (at != state_->requests.end()) at->second->cancel();
}

void StreamClient::poll(std::chrono::milliseconds wait) {
  auto& s = *state_;
  s.progress = false;
  s.start_queued();
  int running = 0;
  curl_multi_perform(s.multi.get(), &running);
  s.collect_ended();
  // Whoever was just told something decides before anything is waited for.
  if (s.progress) return;
  auto patience =
      static_cast<int>(s.until_idle(std::max(wait, std::chrono::milliseconds(0))).count());
  curl_multi_poll(s.multi.get(), nullptr, 0, patience, nullptr);
  curl_multi_perform(s.multi.get(), &running);
  s.collect_ended();
}

void StreamClient::wake() {
  curl_multi_wakeup(state_->multi.get());
}

std::string shown_url(const std::string& url) {
  std::unique_ptr<CURLU, UrlClose> parts(curl_url());
  if (!parts || curl_url_set(parts.get(), CURLUPART_URL, url.c_str(), 0) != CURLUE_OK) {
    return "invalid URL";
  }
  for (auto secret : {CURLUPART_USER, CURLUPART_PASSWORD, CURLUPART_OPTIONS, CURLUPART_QUERY,
                      CURLUPART_FRAGMENT}) {
    curl_url_set(parts.get(), secret, nullptr, 0);
  }
  return printable(url_part(parts.get(), CURLUPART_URL));
}

}  // namespace schedlens::net
