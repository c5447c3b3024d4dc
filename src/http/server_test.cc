// SPDX-License-Identifier: Apache-2.0
#include "http/server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <thread>

#include "base/gzip.h"
#include "http/raw_client_test.h"

namespace schedlens::http {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;
using test::body_of;
using test::RawClient;
using test::status_of;
using testing::HasSubstr;
using testing::Not;

class ServerTest : public testing::Test {
 protected:
  void start(ServerOptions options = {}) {
    Router router;
    router.add("GET", "/hello", [](const Request&) { return Response::text("hello\n"); });
    router.add(
        "GET", "/quick", [](const Request&) { return Response::text("quick"); }, RunOn::kIoThread);
    router.add("GET", "/big", [this](const Request&) { return Response::json(big_); });
    router.add("GET", "/throws",
               [](const Request&) -> Response { throw std::runtime_error("secret detail"); });
    router.add("GET", "/slow", [this](const Request&) {
      ++slow_running_;
      std::this_thread::sleep_for(300ms);
      return Response::text("slow done");
    });
    router.add("GET", "/pieces", [this](const Request&) {
      Response response;
      response.next_piece = [this, left = pieces_](std::string& piece) mutable {
        if (left == break_at_) throw std::runtime_error("secret detail");
        piece.assign(1000, static_cast<char>('a' + left % 26));
        ++asked_;
        return left-- > 0;
      };
      return response;
    });
    router.add("POST", "/echo", [](const Request& r) { return Response::text(r.body); });
    auto server = Server::start(options, std::move(router));
    ASSERT_TRUE(server) << server.error().message();
    server_ = std::move(*server);
  }

  std::string get(const std::string& path, const std::string& more = "") {
    RawClient client(server_->port());
    client.send("GET " + path + " HTTP/1.1\r\nHost: x\r\n" + more + "\r\n");
    return client.read_response();
  }

  std::string big_ = "[" + std::string(200'000, ' ') + "]";
  std::atomic<int> slow_running_ = 0;
  int pieces_ = 3, break_at_ = -1;
  std::atomic<int> asked_ = 0;
  std::unique_ptr<Server> server_;
};

TEST_F(ServerTest, Answers) {
  start();
  auto response = get("/hello");
  EXPECT_EQ(status_of(response), 200);
  EXPECT_EQ(body_of(response), "hello\n");
  EXPECT_THAT(response, HasSubstr("Content-Type: text/plain; charset=utf-8\r\n"));
  EXPECT_THAT(response, HasSubstr("Date: "));
  EXPECT_EQ(server_->url(), "http://127.0.0.1:" + std::to_string(server_->port()));
}

TEST_F(ServerTest, HeadHasTheHeaderOfGetWithoutItsBody) {
  start();
  RawClient client(server_->port());
  client.send("HEAD /hello HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  auto response = client.read_all();
  EXPECT_EQ(status_of(response), 200);
  EXPECT_THAT(response, HasSubstr("Content-Length: 6\r\n"));
  EXPECT_EQ(body_of(response), "");
}

TEST_F(ServerTest, ErrorsAreProblemDocuments) {
  start();
  EXPECT_EQ(status_of(get("/nothing")), 404);
  EXPECT_THAT(get("/nothing"), HasSubstr("application/problem+json"));
  EXPECT_EQ(status_of(get("/hello?x=%zz")), 400);
  auto thrown = get("/throws");
  EXPECT_EQ(status_of(thrown), 500);
  EXPECT_THAT(thrown, HasSubstr("application/problem+json"));
  EXPECT_THAT(thrown, Not(HasSubstr("secret detail")));
  RawClient client(server_->port());
  client.send("PUT /hello HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n");
  auto refused = client.read_response();
  EXPECT_EQ(status_of(refused), 405);
  EXPECT_THAT(refused, HasSubstr("Allow: GET, HEAD, OPTIONS\r\n"));
}

TEST_F(ServerTest, OneConnectionServesManyRequests) {
  start();
  RawClient client(server_->port());
  for (int i = 0; i < 20; ++i) {
    client.send("GET /hello HTTP/1.1\r\nHost: x\r\n\r\n");
    EXPECT_EQ(body_of(client.read_response()), "hello\n");
  }
}

TEST_F(ServerTest, PipelinedRequestsAreAnsweredInOrder) {
  start();
  RawClient client(server_->port());
  client.send(
      "GET /slow HTTP/1.1\r\nHost: x\r\n\r\nGET /hello HTTP/1.1\r\nHost: x\r\n\r\n"
      "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabcGET /quick HTTP/1.1\r\n"
      "Host: x\r\nConnection: close\r\n\r\n");
  EXPECT_EQ(body_of(client.read_response()), "slow done");
  EXPECT_EQ(body_of(client.read_response()), "hello\n");
  EXPECT_EQ(body_of(client.read_response()), "abc");
  EXPECT_EQ(body_of(client.read_response()), "quick");
  EXPECT_EQ(client.read_all(), "");
  EXPECT_TRUE(client.closed());
}

TEST_F(ServerTest, ClosesForHttp10AndWhenAsked) {
  start();
  RawClient old(server_->port());
  old.send("GET /hello HTTP/1.0\r\n\r\n");
  EXPECT_EQ(body_of(old.read_all()), "hello\n");
  EXPECT_TRUE(old.closed());
}

TEST_F(ServerTest, BrokenRequestsGet400AndTheConnectionEnds) {
  start();
  for (std::string text :
       {"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 tls hello\r\n\r\n", "GET\r\n\r\n",
        "GET /hello HTTP/1.1\r\nno colon\r\n\r\n", "GET /hello HTTP/1.1\r\n\r\n",
        "GET relative HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
        "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 1x\r\n\r\n",
        "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n"}) {
    RawClient client(server_->port());
    client.send(text);
    EXPECT_EQ(status_of(client.read_response()), 400) << text;
  }
  RawClient v2(server_->port());
  v2.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
  EXPECT_EQ(status_of(v2.read_all()), 505);
  EXPECT_EQ(status_of(get("/hello")), 200);
}

TEST_F(ServerTest, LimitsOfHeaderAndBody) {
  ServerOptions options;
  options.max_header_bytes = 2048;
  options.max_body_bytes = 1000;
  start(options);
  EXPECT_EQ(status_of(get("/hello", "X: " + std::string(1000, 'a') + "\r\n")), 200);
  EXPECT_EQ(status_of(get("/hello", "X: " + std::string(4000, 'a') + "\r\n")), 431);
  RawClient said(server_->port());
  said.send("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 1001\r\n\r\n");
  EXPECT_EQ(status_of(said.read_response()), 413);
  RawClient chunked(server_->port());
  chunked.send("POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
  for (int i = 0; i < 20; ++i) chunked.send("40\r\n" + std::string(64, 'b') + "\r\n");
  EXPECT_EQ(status_of(chunked.read_response()), 413);
  RawClient exact(server_->port());
  exact.send("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n" +
             std::string(1000, 'c'));
  EXPECT_EQ(body_of(exact.read_response()), std::string(1000, 'c'));
}

TEST_F(ServerTest, ExpectContinue) {
  start();
  RawClient client(server_->port());
  client.send(
      "POST /echo HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
  EXPECT_EQ(status_of(client.read_response()), 100);
  client.send("ok");
  EXPECT_EQ(body_of(client.read_response()), "ok");
}

TEST_F(ServerTest, CompressesWhatIsBigForThoseWhoCan) {
  start();
  auto plain = get("/big");
  EXPECT_EQ(body_of(plain), big_);
  EXPECT_THAT(plain, Not(HasSubstr("Content-Encoding")));
  EXPECT_THAT(plain, HasSubstr("Vary: Accept-Encoding\r\n"));
  auto packed = get("/big", "Accept-Encoding: gzip, br\r\n");
  EXPECT_THAT(packed, HasSubstr("Content-Encoding: gzip\r\n"));
  EXPECT_LT(body_of(packed).size(), big_.size() / 50);
  EXPECT_EQ(*gunzip(body_of(packed), 1'000'000), big_);
  EXPECT_THAT(get("/hello", "Accept-Encoding: gzip\r\n"), Not(HasSubstr("Content-Encoding")));
}

std::string piece_of(char c) {
  return std::string(1000, c);
}
std::string chunk_of(char c) {
  return "3e8\r\n" + piece_of(c) + "\r\n";
}

TEST_F(ServerTest, PiecesAreChunksAndTheConnectionGoesOn) {
  start();
  RawClient client(server_->port());
  client.send(
      "GET /pieces HTTP/1.1\r\nHost: x\r\n\r\nHEAD /pieces HTTP/1.1\r\nHost: x\r\n\r\n"
      "GET /hello HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  auto all = client.read_all();
  EXPECT_THAT(all, HasSubstr("Transfer-Encoding: chunked\r\n"));
  const auto body = body_of(all);
  const auto expected = chunk_of('d') + chunk_of('c') + chunk_of('b') + "0\r\n\r\nHTTP/1.1 200 OK";
  EXPECT_EQ(body.substr(0, expected.size()), expected);
  EXPECT_THAT(body, testing::EndsWith("\r\n\r\nhello\n"));
  EXPECT_EQ(asked_, 4);  // HEAD asks for none
}

TEST_F(ServerTest, PiecesForHttp10EndWithTheConnection) {
  start();
  RawClient old(server_->port());
  old.send("GET /pieces HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
  auto all = old.read_all();
  EXPECT_TRUE(old.closed());
  EXPECT_EQ(body_of(all), piece_of('d') + piece_of('c') + piece_of('b'));
  EXPECT_THAT(all, Not(HasSubstr("Transfer-Encoding")));
  EXPECT_THAT(all, Not(HasSubstr("Content-Length")));
}

TEST_F(ServerTest, ABodyThatBreaksOffIsNotTakenForAWholeOne) {
  break_at_ = 1;
  start();
  RawClient client(server_->port());
  client.send("GET /pieces HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_EQ(body_of(client.read_all()), chunk_of('d') + chunk_of('c'));
  EXPECT_TRUE(client.closed());
  EXPECT_EQ(body_of(get("/hello")), "hello\n");
}

TEST_F(ServerTest, PiecesAreMadeAsTheyAreTaken) {
  ServerOptions options;
  options.write_timeout = 500ms;
  options.workers = 1;
  pieces_ = 100'000;
  start(options);
  RawClient client(server_->port(), 64 << 10);
  client.send("GET /pieces HTTP/1.1\r\nHost: x\r\n\r\n");
  std::this_thread::sleep_for(200ms);
  EXPECT_EQ(body_of(get("/hello")), "hello\n");  // the only worker does not wait for the reader
  std::this_thread::sleep_for(800ms);
  EXPECT_LT(asked_, pieces_);
  client.read_all();
  EXPECT_TRUE(client.closed());
}

TEST_F(ServerTest, ADribblingClientIsCutOffAtTheDeadline) {
  ServerOptions options;
  options.read_timeout = 300ms;
  start(options);
  RawClient client(server_->port());
  auto begin = steady_clock::now();
  // A byte every 20 ms would keep a time limit per read happy for ever.
  bool open = client.send("GET /hello HTTP/1.1\r\n");
  for (int i = 0; open && i < 250; ++i) {
    open = client.send("X");
    std::this_thread::sleep_for(20ms);
  }
  EXPECT_FALSE(open);
  EXPECT_LT(steady_clock::now() - begin, 4s);
  RawClient silent(server_->port());
  silent.send("GET /he");
  EXPECT_EQ(silent.read_all(), "");
  EXPECT_TRUE(silent.closed());
}

TEST_F(ServerTest, IdleConnectionsEnd) {
  ServerOptions options;
  options.idle_timeout = 100ms;
  start(options);
  RawClient client(server_->port());
  EXPECT_EQ(client.read_all(), "");
  EXPECT_TRUE(client.closed());
}

TEST_F(ServerTest, AClientThatReadsNothingIsCutOff) {
  ServerOptions options;
  options.write_timeout = 200ms;
  options.workers = 1;
  big_.assign(64 << 20, 'x');
  start(options);
  RawClient client(server_->port());
  client.send("GET /big HTTP/1.1\r\nHost: x\r\n\r\n");
  std::this_thread::sleep_for(600ms);
  auto got = client.read_all();
  EXPECT_TRUE(client.closed());
  EXPECT_LT(got.size(), big_.size());
}

TEST_F(ServerTest, SlowReadersGetAllOfABigAnswer) {
  ServerOptions options;
  options.write_timeout = 2s;
  big_.assign(16 << 20, 'y');
  start(options);
  RawClient client(server_->port(), 256 << 10);
  client.send("GET /big HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  std::string got;
  auto begin = steady_clock::now();
  while (!client.closed() && steady_clock::now() - begin < 60s) {
    got += client.read_at_most(256 << 10);
    std::this_thread::sleep_for(40ms);
  }
  EXPECT_GT(steady_clock::now() - begin, options.write_timeout);
  EXPECT_EQ(body_of(got).size(), big_.size());
}

TEST_F(ServerTest, TooManyConnectionsAreRefusedNotKeptWaiting) {
  ServerOptions options;
  options.max_connections = 3;
  start(options);
  auto first = std::make_unique<RawClient>(server_->port());
  RawClient second(server_->port()), third(server_->port());
  for (auto* client : {first.get(), &second, &third}) {
    client->send("GET /hello HTTP/1.1\r\nHost: x\r\n\r\n");
    EXPECT_EQ(status_of(client->read_response()), 200);
  }
  RawClient fourth(server_->port());
  EXPECT_EQ(status_of(fourth.read_all()), 503);
  first.reset();
  int status = 0;
  for (int i = 0; i < 100 && status != 200; ++i) {
    std::this_thread::sleep_for(10ms);
    status = status_of(get("/hello"));
  }
  EXPECT_EQ(status, 200);
}

TEST_F(ServerTest, TheIoThreadAnswersWhileAllWorkersAreBusy) {
  ServerOptions options;
  options.workers = 1;
  start(options);
  auto slow = std::async(std::launch::async, [&] { return get("/slow"); });
  while (slow_running_ == 0) std::this_thread::sleep_for(1ms);
  auto begin = steady_clock::now();
  EXPECT_EQ(body_of(get("/quick")), "quick");
  EXPECT_LT(steady_clock::now() - begin, 250ms);
  EXPECT_EQ(body_of(slow.get()), "slow done");
}

TEST_F(ServerTest, FiftyClientsAtOnce) {
  start();
  std::vector<std::thread> clients;
  std::atomic<int> good = 0;
  for (int i = 0; i < 50; ++i) {
    clients.emplace_back([&, i] {
      RawClient client(server_->port());
      for (int k = 0; k < 20; ++k) {
        auto path = (i + k) % 3 ? "/hello" : "/big";
        client.send(std::string("GET ") + path + " HTTP/1.1\r\nHost: x\r\n\r\n");
        auto body = body_of(client.read_response());
        if (body == ((i + k) % 3 ? "hello\n" : big_)) ++good;
      }
    });
  }
  for (auto& client : clients) client.join();
  EXPECT_EQ(good, 50 * 20);
}

TEST_F(ServerTest, StopLetsRequestsFinish) {
  start();
  RawClient idle(server_->port());
  idle.send("GET /hello HTTP/1.1\r\nHost: x\r\n\r\n");
  idle.read_response();
  auto slow = std::async(std::launch::async, [&] { return get("/slow"); });
  while (slow_running_ == 0) std::this_thread::sleep_for(1ms);
  server_->stop(5s);
  auto response = slow.get();
  EXPECT_EQ(body_of(response), "slow done");
  EXPECT_THAT(response, HasSubstr("Connection: close\r\n"));
  EXPECT_EQ(idle.read_all(), "");
  EXPECT_TRUE(idle.closed());
  EXPECT_THROW(RawClient(server_->port()), std::runtime_error);
}

TEST_F(ServerTest, StopIsBounded) {
  start();
  RawClient stuck(server_->port());
  stuck.send("GET /hel");
  std::this_thread::sleep_for(50ms);
  auto begin = steady_clock::now();
  server_->stop(200ms);
  EXPECT_LT(steady_clock::now() - begin, 3s);
}

TEST_F(ServerTest, AnAddressInUseIsSaidClearly) {
  start();
  ServerOptions options;
  options.port = server_->port();
  auto second = Server::start(options, Router());
  ASSERT_FALSE(second);
  EXPECT_EQ(
      second.error().message(),
      "cannot listen on 127.0.0.1:" + std::to_string(server_->port()) + ": Address already in use");
  options.address = "192.0.2.1";
  EXPECT_THAT(Server::start(options, Router()).error().message(),
              HasSubstr("cannot listen on 192.0.2.1:"));
}

}  // namespace
}  // namespace schedlens::http
