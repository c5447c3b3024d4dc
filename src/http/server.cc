// SPDX-License-Identifier: Apache-2.0
// Every connection is a coroutine on the I/O thread: read one request, run its handler on a worker,
// write the response, again. Deadlines are set before each step on the stream itself; a step that
// misses its deadline ends with an error, and with it the connection. The only state shared between
// connections is the set of those alive, touched on the I/O thread alone.

#include "http/server.h"

#ifdef __SANITIZE_THREAD__
// The sanitizer cannot follow fences; without them every hand-over goes through a mutex.
#define BOOST_ASIO_DISABLE_FENCED_BLOCK
#endif
#include <array>
#include <boost/asio.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <condition_variable>
#include <ctime>
#include <mutex>
#include <thread>
#include <unordered_set>

#include "base/log.h"
#include "base/text.h"
#include "http/answer.h"

namespace schedlens::http {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace bhttp = boost::beast::http;
using asio::awaitable;
using asio::use_awaitable;
using asio::ip::tcp;
using boost::system::error_code;
using namespace std::chrono_literals;

// An awaited operation that reports its error here instead of throwing.
auto into(error_code& ec) {
  return asio::redirect_error(use_awaitable, ec);
}

std::string http_date() {
  std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[40];
  return {text, std::strftime(text, sizeof text, "%a, %d %b %Y %H:%M:%S GMT", &parts)};
}

// What to answer when a request could not be read; 0 for just closing.
Response refusal_for(error_code ec) {
  if (ec == bhttp::error::header_limit) return problem(431, "the header is too large");
  if (ec == bhttp::error::body_limit) return problem(413, "the body is too large");
  if (ec == bhttp::error::bad_version) return problem(505, "only HTTP/1.0 and HTTP/1.1 are spoken");
  if (ec.category() == make_error_code(bhttp::error::bad_method).category() &&
      ec != bhttp::error::end_of_stream && ec != bhttp::error::partial_message) {
    return problem(400, fmt::format("the request is not HTTP: {}", ec.message()));
  }
  return {0, "", "", {}};
}

}  // namespace

class Server::State {
 public:
  State(ServerOptions options, Router router)
      : options_(std::move(options)), router_(std::move(router)), pool_(options_.workers) {}

  ~State() { stop(0ms); }

  Status listen();
  void stop(std::chrono::milliseconds grace);

  std::uint16_t port() const { return port_; }
  const ServerOptions& options() const { return options_; }

 private:
  struct Connection {
    explicit Connection(State& s, tcp::socket socket) : state(s), stream(std::move(socket)) {
      state.alive_.insert(this);
    }
    ~Connection() {
      state.alive_.erase(this);
      if (state.alive_.empty()) state.say_drained();
    }
    Connection(const Connection&) = delete;

    State& state;
    beast::tcp_stream stream;
    beast::flat_buffer buffer;
    bool idle = true;
  };

  awaitable<void> accept_loop();
  awaitable<void> serve(tcp::socket socket);
  awaitable<bool> wait_for_request(Connection& c);
  // One request and its response; false when the connection ends.
  awaitable<bool> exchange(Connection& c);
  awaitable<Response> respond(Request request);
  awaitable<bool> write(Connection& c, Response response, unsigned version, bool head,
                        bool keep_alive);
  awaitable<bool> write_pieces(Connection& c, Response& response, bool chunked);
  using Parts = std::array<asio::const_buffer, 3>;
  awaitable<bool> write_all(Connection& c, Parts parts);
  awaitable<void> linger(Connection& c);
  void refuse(tcp::socket socket);
  void say_drained();

  ServerOptions options_;
  Router router_;
  std::uint16_t port_ = 0;
  std::unordered_set<Connection*> alive_;
  std::atomic<bool> stopping_ = false;
  std::mutex mutex_;
  std::condition_variable drained_changed_;
  bool drained_ = false;
  // In this order: the workers end before what they report to.
  asio::io_context io_{1};
  tcp::acceptor acceptor_{io_};
  asio::thread_pool pool_;
  std::thread thread_;
};

Status Server::State::listen() {
  auto name = fmt::format("cannot listen on {}:{}", options_.address, options_.port);
  error_code ec;
  tcp::resolver resolver(io_);
  auto found =
      resolver.resolve(options_.address, std::to_string(options_.port), tcp::resolver::passive, ec);
  if (ec) return fail("{}: {}", name, ec.message());
  auto endpoint = found.begin()->endpoint();
  acceptor_.open(endpoint.protocol(), ec);
  if (!ec) acceptor_.set_option(asio::socket_base::reuse_address(true), ec);
  if (!ec) acceptor_.bind(endpoint, ec);
  if (!ec) acceptor_.listen(asio::socket_base::max_listen_connections, ec);
  if (ec) return fail("{}: {}", name, ec.message());
  port_ = acceptor_.local_endpoint().port();
  asio::co_spawn(io_, accept_loop(), asio::detached);
  thread_ = std::thread([this] { io_.run(); });
  return {};
}

void Server::State::stop(std::chrono::milliseconds grace) {
  if (!thread_.joinable()) return;
  asio::post(io_, [this] {
    stopping_ = true;
    error_code ignored;
    acceptor_.close(ignored);
    for (auto* connection : alive_) {
      if (connection->idle) connection->stream.close();
    }
    if (alive_.empty()) say_drained();
  });
  {
    std::unique_lock lock(mutex_);
    drained_changed_.wait_for(lock, grace, [this] { return drained_; });
  }
  io_.stop();
  thread_.join();
  pool_.join();
}

void Server::State::say_drained() {
  if (!stopping_) return;
  std::lock_guard lock(mutex_);
  drained_ = true;
  drained_changed_.notify_all();
}

awaitable<void> Server::State::accept_loop() {
  while (!stopping_) {
    error_code ec;
    auto socket = co_await acceptor_.async_accept(into(ec));
    if (ec == asio::error::operation_aborted) co_return;
    if (ec) {
      // Out of file descriptors, most likely: the ones in use will be given back.
      log::warning("http: cannot accept a connection error={}", ec.message());
      asio::steady_timer timer(io_, 100ms);
      co_await timer.async_wait(into(ec));
      continue;
    }
    if (alive_.size() >= options_.max_connections) {
      refuse(std::move(socket));
      continue;
    }
    asio::co_spawn(io_, serve(std::move(socket)), asio::detached);
  }
}

// A few bytes into an empty socket buffer never wait.
void Server::State::refuse(tcp::socket socket) {
  auto body = problem(503, "too many connections").body;
  auto text = fmt::format(
      "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/problem+json\r\n"
      "Content-Length: {}\r\nConnection: close\r\n\r\n{}",
      body.size(), body);
  error_code ignored;
  socket.non_blocking(true, ignored);
  socket.write_some(asio::buffer(text), ignored);
  socket.shutdown(tcp::socket::shutdown_both, ignored);
}

awaitable<void> Server::State::serve(tcp::socket socket) {
  Connection connection(*this, std::move(socket));
  error_code ignored;
  connection.stream.socket().set_option(tcp::no_delay(true), ignored);
  while (!stopping_) {
    bool has_request = co_await wait_for_request(connection);
    if (!has_request) break;
    bool goes_on = co_await exchange(connection);
    if (!goes_on) break;
  }
  connection.stream.socket().shutdown(tcp::socket::shutdown_both, ignored);
}

awaitable<bool> Server::State::wait_for_request(Connection& c) {
  if (c.buffer.size() > 0) co_return true;  // the client sent several at once
  c.idle = true;
  c.stream.expires_after(options_.idle_timeout);
  error_code ec;
  auto space = c.buffer.prepare(4096);
  auto n = co_await c.stream.async_read_some(space, into(ec));
  c.buffer.commit(n);
  c.idle = false;
  co_return !ec;
}

awaitable<bool> Server::State::exchange(Connection& c) {
  bhttp::request_parser<bhttp::string_body> parser;
  parser.header_limit(options_.max_header_bytes);
  parser.body_limit(options_.max_body_bytes);
  error_code ec;
  c.stream.expires_after(options_.read_timeout);
  co_await bhttp::async_read_header(c.stream, c.buffer, parser, into(ec));
  if (!ec && !parser.is_done()) {
    if (equal_ignoring_case(parser.get()[bhttp::field::expect], "100-continue")) {
      static constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
      co_await asio::async_write(c.stream, asio::buffer(kContinue), into(ec));
    }
    c.stream.expires_after(options_.read_timeout);
    if (!ec) co_await bhttp::async_read(c.stream, c.buffer, parser, into(ec));
  }
  if (ec) {
    auto refusal = refusal_for(ec);
    if (refusal.status == 0) co_return false;
    co_await write(c, std::move(refusal), 11, false, false);
    co_await linger(c);
    co_return false;
  }

  auto message = parser.release();
  bool keep_alive = message.keep_alive();
  bool head = message.method() == bhttp::verb::head;
  Request request;
  request.method = std::string(message.method_string());
  for (const auto& field : message) {
    request.headers.emplace_back(field.name_string(), field.value());
  }
  request.body = std::move(message.body());
  auto target = parse_target(message.target(), request);
  Response response;
  if (!target) {
    response = problem(400, target.error().message());
  } else if (message.version() >= 11 && !request.header("Host")) {
    response = problem(400, "the Host header is missing");
  } else {
    response = co_await respond(std::move(request));
  }
  bool written =
      co_await write(c, std::move(response), message.version(), head, keep_alive && !stopping_);
  co_return written&& keep_alive && !stopping_;
}

awaitable<Response> Server::State::respond(Request request) {
  Response response;
  const Route* route = router_.find(request, response);
  if (!route) co_return response;
  if (route->run_on == RunOn::kIoThread) co_return answer(options_, *route, request);
  auto work = [&]() -> awaitable<Response> { co_return answer(options_, *route, request); };
  response = co_await asio::co_spawn(pool_, work, use_awaitable);
  co_return response;
}

awaitable<bool> Server::State::write(Connection& c, Response response, unsigned version, bool head,
                                     bool keep_alive) {
  const bool pieces = response.next_piece != nullptr;
  const bool chunked = pieces && version >= 11;
  auto size = response.body.size();
  bhttp::response<bhttp::string_body> message;
  message.result(static_cast<unsigned>(response.status));
  message.reason(std::string(status_text(response.status)));
  message.version(version);
  message.keep_alive(keep_alive && (!pieces || chunked));
  message.set(bhttp::field::date, http_date());
  message.set("X-Content-Type-Options", "nosniff");
  if (!response.content_type.empty()) {
    message.set(bhttp::field::content_type, response.content_type);
  }
  for (const auto& [name, value] : response.headers) message.set(name, value);
  if (chunked) {
    message.chunked(true);
  } else if (response.status != 204 && !pieces) {
    message.content_length(size);
  }
  if (!head) message.body() = std::move(response.body);

  bhttp::response_serializer<bhttp::string_body> serializer(message);
  serializer.split(pieces);
  error_code ec;
  // Not one write of the whole: the deadline is for progress, not for the size.
  while (!(pieces ? serializer.is_header_done() : serializer.is_done()) && !ec) {
    c.stream.expires_after(options_.write_timeout);
    co_await bhttp::async_write_some(c.stream, serializer, into(ec));
  }
  if (ec || !pieces) co_return !ec;
  if (head) co_return chunked;
  bool written = co_await write_pieces(c, response, chunked);
  co_return written&& chunked;
}

// What HTTP/1.0 does not know to be a chunk ends where the connection does.
awaitable<bool> Server::State::write_pieces(Connection& c, Response& response, bool chunked) {
  std::string piece, size;
  for (;;) {
    auto ask = [&]() -> awaitable<Piece> { co_return ask_for_piece(response, piece); };
    auto asked = co_await asio::co_spawn(pool_, ask, use_awaitable);
    if (asked == Piece::kFailed) co_return false;
    if (asked == Piece::kEnd) break;
    if (piece.empty()) continue;  // would end the body
    size = chunked ? fmt::format("{:x}\r\n", piece.size()) : "";
    const Parts parts = {asio::buffer(size), asio::buffer(piece),
                         asio::buffer("\r\n", chunked ? 2 : 0)};
    bool written = co_await write_all(c, parts);
    if (!written) co_return false;
  }
  const Parts last = {asio::buffer("0\r\n\r\n", chunked ? 5 : 0)};
  bool ended = co_await write_all(c, last);
  co_return ended;
}

awaitable<bool> Server::State::write_all(Connection& c, Parts parts) {
  beast::buffers_suffix<Parts> rest(parts);
  error_code ec;
  while (!ec && asio::buffer_size(rest) > 0) {
    c.stream.expires_after(options_.write_timeout);
    auto n = co_await c.stream.async_write_some(rest, into(ec));
    rest.consume(n);
  }
  co_return !ec;
}

// After an answer to a request that was not read to its end: closing at once would reset the
// connection and could take the answer with it.
awaitable<void> Server::State::linger(Connection& c) {
  error_code ec;
  c.stream.socket().shutdown(tcp::socket::shutdown_send, ec);
  c.stream.expires_after(1s);
  std::size_t read = 0;
  while (!ec && read < options_.max_body_bytes) {
    c.buffer.clear();
    auto space = c.buffer.prepare(4096);
    read += co_await c.stream.async_read_some(space, into(ec));
  }
}

Server::Server(std::unique_ptr<State> state) : state_(std::move(state)) {}
Server::~Server() = default;

Result<std::unique_ptr<Server>> Server::start(ServerOptions options, Router router) {
  auto state = std::make_unique<State>(std::move(options), std::move(router));
  if (auto listening = state->listen(); !listening) return fail(listening.error());
  return std::unique_ptr<Server>(new Server(std::move(state)));
}

std::uint16_t Server::port() const {
  return state_->port();
}

std::string Server::url() const {
  const auto& address = state_->options().address;
  bool v6 = address.find(':') != std::string::npos;
  return fmt::format("http://{}{}{}:{}", v6 ? "[" : "", address, v6 ? "]" : "", port());
}

void Server::stop(std::chrono::milliseconds grace) {
  state_->stop(grace);
}

}  // namespace schedlens::http
