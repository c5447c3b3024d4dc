// SPDX-License-Identifier: Apache-2.0
#include "net/stream_client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <signal.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/gzip.h"
#include "net/scripted_server_test.h"

namespace schedlens::net {
namespace {

using namespace std::chrono_literals;
using test::Connection;
using test::ScriptedServer;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class Answered final : public StreamHandler {
 public:
  void on_head(const ResponseHead& h) override {
    ++heads;
    head = h;
  }
  void on_data(std::string_view piece) override {
    body.append(piece);
    if (when_data) when_data();
  }
  void on_end(const End& e) override {
    ++ends;
    end = e;
    if (when_end) when_end();
  }

  int heads = 0, ends = 0;
  ResponseHead head;
  std::string body;
  End end;
  std::function<void()> when_data, when_end;
};

template <class Done>
bool poll_until(StreamClient& client, Done&& done, std::chrono::milliseconds patience = 5s) {
  auto until = std::chrono::steady_clock::now() + patience;
  while (!done()) {
    if (std::chrono::steady_clock::now() > until) return false;
    client.poll(50ms);
  }
  return true;
}

StreamRequest request(const std::string& url) {
  StreamRequest r;
  r.url = url;
  return r;
}

// The whole answer to one request.
Answered ask(StreamRequest r) {
  StreamClient client;
  Answered answer;
  client.start(std::move(r), answer);
  poll_until(
      client, [&] { return answer.ends > 0; }, 15s);
  return answer;
}

TEST(StreamClient, DeliversPiecesAsTheyCome) {
  std::atomic<int> sent{0}, allowed{1};
  ScriptedServer server([&](const std::string&, Connection& c) {
    c.send_head("200 OK", "Content-Type: a/b\r\nTransfer-Encoding: chunked\r\n");
    for (const auto* piece : {"one ", "two ", "three"}) {
      while (allowed <= sent && !c.stopping()) std::this_thread::sleep_for(1ms);
      c.send_chunk(piece);
      ++sent;
    }
    return c.send_chunk("");
  });
  StreamClient client;
  Answered answer;
  client.start(request(server.url("/x")), answer);
  ASSERT_TRUE(poll_until(client, [&] { return answer.body == "one "; }));
  EXPECT_EQ(answer.heads, 1);
  EXPECT_EQ(answer.head.status, 200);
  EXPECT_EQ(answer.head.content_type, "a/b");
  EXPECT_EQ(answer.ends, 0);
  allowed = 3;
  ASSERT_TRUE(poll_until(client, [&] { return answer.ends == 1; }));
  EXPECT_EQ(answer.body, "one two three");
  EXPECT_EQ(answer.end.cause, EndCause::kComplete);
}

TEST(StreamClient, SendsHeadersAndTheTokenAndKeepsConnections) {
  std::string seen;
  ScriptedServer server([&](const std::string& r, Connection& c) {
    seen = r;
    return c.send_answer("429 Too Many Requests", "text/plain", "slow down");
  });
  StreamClient client;
  for (int i = 0; i < 3; ++i) {
    auto r = request(server.url("/a?b=1"));
    r.headers = {"Accept: application/json"};
    r.bearer_token = "t0ken";
    r.fresh_connection = i == 2;
    Answered answer;
    client.start(r, answer);
    ASSERT_TRUE(poll_until(client, [&] { return answer.ends > 0; }));
    EXPECT_EQ(answer.head.status, 429);
    EXPECT_EQ(answer.body, "slow down");
  }
  EXPECT_EQ(server.connections(), 2);
  EXPECT_THAT(seen, StartsWith("GET /a?b=1 HTTP/1.1\r\n"));
  EXPECT_THAT(seen, HasSubstr("Accept: application/json\r\n"));
  EXPECT_THAT(seen, HasSubstr("Authorization: Bearer t0ken\r\n"));
  EXPECT_THAT(seen, HasSubstr("Accept-Encoding: gzip\r\n"));
}

TEST(StreamClient, SendsPasswords) {
  std::string seen;
  ScriptedServer server([&](const std::string& r, Connection& c) {
    seen = r;
    return c.send_answer("200 OK", "text/plain", "");
  });
  auto r = request(server.url());
  r.username = "u";
  r.password = "p";
  r.compressed = false;
  auto answer = ask(r);
  EXPECT_THAT(seen, HasSubstr("Authorization: Basic dTpw\r\n"));
  EXPECT_THAT(seen, Not(HasSubstr("Accept-Encoding")));
  EXPECT_EQ(answer.heads, 1);  // though the body is empty
}

TEST(StreamClient, TellsWhenToTryAgain) {
  ScriptedServer server([](const std::string&, Connection& c) {
    return c.send_head("503 Away", "Retry-After: 7\r\nContent-Length: 0\r\n");
  });
  EXPECT_EQ(ask(request(server.url())).head.retry_after, 7s);
}

TEST(StreamClient, ManyRequestsRunAtOnce) {
  std::atomic<int> waiting{0};
  ScriptedServer server([&](const std::string& r, Connection& c) {
    ++waiting;
    while (waiting < 20 && !c.stopping()) std::this_thread::sleep_for(1ms);
    return c.send_answer("200 OK", "text/plain", r.substr(5, 2));
  });
  StreamClient client;
  std::vector<Answered> answers(20);
  for (int i = 0; i < 20; ++i) {
    client.start(request(server.url("/" + std::to_string(10 + i))), answers[i]);
  }
  ASSERT_TRUE(poll_until(client, [&] {
    return std::all_of(answers.begin(), answers.end(), [](auto& a) { return a.ends == 1; });
  }));
  for (int i = 0; i < 20; ++i) EXPECT_EQ(answers[i].body, std::to_string(10 + i));
}

TEST(StreamClient, ASilentServerIsGivenUp) {
  ScriptedServer server([](const std::string& r, Connection& c) {
    if (r.starts_with("GET /head")) {
      c.send_head("200 OK", "Transfer-Encoding: chunked\r\n");
      c.send_chunk("x");
    }
    c.be_silent();
    return false;
  });
  for (const auto* path : {"/head", "/nothing"}) {
    auto r = request(server.url(path));
    r.idle_timeout = 300ms;
    auto began = std::chrono::steady_clock::now();
    auto answer = ask(r);
    EXPECT_EQ(answer.end.cause, EndCause::kIdle);
    EXPECT_EQ(answer.end.error, server.url(path) + ": nothing came for 0.3 s");
    EXPECT_LT(std::chrono::steady_clock::now() - began, 2s);
  }
}

TEST(StreamClient, BytesKeepAnAnswerAlive) {
  ScriptedServer server([](const std::string&, Connection& c) {
    c.send_head("200 OK", "Transfer-Encoding: chunked\r\n");
    for (int i = 0; i < 6; ++i) {
      std::this_thread::sleep_for(150ms);
      c.send_chunk("x");
    }
    return c.send_chunk("");
  });
  auto r = request(server.url());
  r.idle_timeout = 500ms;
  auto answer = ask(r);
  EXPECT_EQ(answer.end.cause, EndCause::kComplete) << answer.end.error;
  EXPECT_EQ(answer.body, "xxxxxx");
}

TEST(StreamClient, ACutAnswerIsAFailure) {
  ScriptedServer server([](const std::string&, Connection& c) {
    c.send_head("200 OK", "Transfer-Encoding: chunked\r\n");
    c.send("ff\r\nonly this");
    return false;
  });
  auto answer = ask(request(server.url("/p?secret=1")));
  EXPECT_EQ(answer.body, "only this");
  EXPECT_EQ(answer.end.cause, EndCause::kFailed);
  EXPECT_THAT(answer.end.error, StartsWith(server.url("/p") + ": "));
}

TEST(StreamClient, NobodyThereIsAFailureThatNamesTheAddress) {
  auto answer = ask(request("http://user:secret@127.0.0.1:1/x?token=secret"));
  EXPECT_EQ(answer.heads, 0);
  EXPECT_EQ(answer.end.cause, EndCause::kFailed);
  EXPECT_THAT(answer.end.error, StartsWith("http://127.0.0.1:1/x: "));
  EXPECT_THAT(answer.end.error, HasSubstr("onnect"));
  EXPECT_THAT(answer.end.error, Not(HasSubstr("secret")));
  answer = ask(request("http://no.such.host.invalid/"));
  EXPECT_THAT(answer.end.error, HasSubstr("resolve host"));
  EXPECT_EQ(ask(request("not a url")).end.cause, EndCause::kFailed);
}

TEST(StreamClient, DecompressedBodiesHaveALimit) {
  ScriptedServer server([](const std::string&, Connection& c) {
    auto body = gzip(std::string(100'000, 'x'), 9);
    c.send_head("200 OK", "Content-Encoding: gzip\r\nContent-Length: " +
                              std::to_string(body.size()) + "\r\n");
    return c.send(body);
  });
  auto r = request(server.url());
  r.max_body = 100'000;
  EXPECT_EQ(ask(r).body.size(), 100'000u);
  r.max_body = 99'999;
  auto answer = ask(r);
  EXPECT_EQ(answer.end.cause, EndCause::kTooLarge);
  EXPECT_THAT(answer.end.error, HasSubstr("larger than 99999 bytes"));
}

TEST(StreamClient, DoesNotFollowRedirectsWithItsCredentials) {
  ScriptedServer elsewhere([](const std::string&, Connection&) { return false; });
  ScriptedServer server([&](const std::string&, Connection& c) {
    return c.send_head("302 Found",
                       "Location: " + elsewhere.url("/") + "\r\nContent-Length: 0\r\n");
  });
  auto r = request(server.url());
  r.bearer_token = "t";
  EXPECT_EQ(ask(r).head.status, 302);
  EXPECT_EQ(elsewhere.connections(), 0);
}

TEST(StreamClient, ACancelledHandlerIsLeftInPeace) {
  ScriptedServer server([](const std::string&, Connection& c) {
    c.send_head("200 OK", "Transfer-Encoding: chunked\r\n");
    while (!c.stopping() && c.send_chunk("x")) std::this_thread::sleep_for(5ms);
    return false;
  });
  StreamClient client;
  Answered answer;
  auto id = client.start(request(server.url()), answer);
  answer.when_data = [&] { client.cancel(id); };
  ASSERT_TRUE(poll_until(client, [&] { return !answer.body.empty(); }));
  auto body = answer.body;
  poll_until(
      client, [] { return false; }, 200ms);
  EXPECT_EQ(answer.body, body);
  EXPECT_EQ(answer.ends, 0);
  client.cancel(id);  // again, which does nothing
}

TEST(StreamClient, AHandlerMayStartTheNextRequest) {
  ScriptedServer server([](const std::string& r, Connection& c) {
    return c.send_answer("200 OK", "text/plain", r.substr(4, 2));
  });
  StreamClient client;
  Answered first, second;
  first.when_end = [&] { client.start(request(server.url("/2")), second); };
  client.start(request(server.url("/1")), first);
  ASSERT_TRUE(poll_until(client, [&] { return second.ends == 1; }));
  EXPECT_EQ(second.body, "/2");
}

TEST(StreamClient, CanBeWokenFromAnotherThread) {
  StreamClient client;
  std::thread other([&] {
    std::this_thread::sleep_for(100ms);
    client.wake();
  });
  auto began = std::chrono::steady_clock::now();
  client.poll(10s);
  EXPECT_LT(std::chrono::steady_clock::now() - began, 5s);
  other.join();
}

TEST(StreamClient, GoingAwayCutsWhatRuns) {
  ScriptedServer server([](const std::string&, Connection& c) {
    c.be_silent();
    return false;
  });
  Answered answer;
  {
    StreamClient client;
    client.start(request(server.url()), answer);
    client.poll(50ms);
  }
  EXPECT_EQ(answer.ends, 0);
}

std::string content(const std::string& path) {
  std::stringstream out;
  out << std::ifstream(path).rdbuf();
  return out.str();
}

// A TLS server with certificates of its own making, which asks clients for theirs.
class TlsServer {
 public:
  TlsServer() {
    char name[] = "/tmp/stream_client_test.XXXXXX";
    dir_ = mkdtemp(name);
    run("openssl req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -days 2 -subj "
        "/CN=ca >log 2>&1");
    issue("server", "subjectAltName=DNS:kubernetes");
    issue("client", "extendedKeyUsage=clientAuth");
    auto serve = "cd " + dir_ +
                 " && exec timeout 30 openssl s_server -accept 127.0.0.1:0 -cert server.pem -key "
                 "server.key -CAfile ca.pem -Verify 1 -verify_return_error -www 2>/dev/null "
                 "</dev/null & echo PID $!; wait";
    server_ = popen(serve.c_str(), "r");
    char line[200] = "";
    while (server_ && port_ == 0 && std::fgets(line, sizeof line, server_)) {
      std::sscanf(line, "PID %d", &pid_);
      std::sscanf(line, "ACCEPT 127.0.0.1:%d", &port_);
    }
  }
  ~TlsServer() {
    if (pid_ > 0) kill(pid_, SIGTERM);
    if (server_) pclose(server_);
    std::filesystem::remove_all(dir_);
  }

  StreamRequest request() const {
    StreamRequest r;
    r.url = "https://127.0.0.1:" + std::to_string(port_) + "/";
    r.tls.ca = content(dir_ + "/ca.pem");
    r.tls.client_certificate = content(dir_ + "/client.pem");
    r.tls.client_key = content(dir_ + "/client.key");
    r.tls.server_name = "kubernetes";
    return r;
  }

 private:
  void run(const std::string& command) {
    auto code = std::system(("cd " + dir_ + " && " + command).c_str());
    if (code != 0) throw std::runtime_error(command);
  }
  void issue(const std::string& name, const std::string& extension) {
    run("openssl req -newkey rsa:2048 -nodes -keyout " + name + ".key -out " + name +
        ".csr -subj /CN=" + name + " >log 2>&1 && echo " + extension + " >ext && openssl x509 " +
        "-req -in " + name + ".csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile ext " +
        "-out " + name + ".pem >log 2>&1");
  }

  std::string dir_;
  FILE* server_ = nullptr;
  int port_ = 0, pid_ = 0;
};

TEST(StreamClient, ProvesWhoItIsAndChecksWhoAnswers) {
  if (std::system("openssl version >/dev/null 2>&1") != 0) GTEST_SKIP() << "no openssl command";
  TlsServer server;
  auto good = ask(server.request());
  EXPECT_EQ(good.head.status, 200) << good.end.error;

  auto r = server.request();
  r.tls.server_name = "";
  auto wrong_name = ask(r);
  EXPECT_EQ(wrong_name.head.status, 0);
  EXPECT_THAT(wrong_name.end.error, HasSubstr("127.0.0.1"));

  r = server.request();
  r.tls.ca = "";
  EXPECT_THAT(ask(r).end.error, HasSubstr("certificate"));

  r = server.request();
  r.tls.client_certificate = r.tls.client_key = "";
  EXPECT_EQ(ask(r).head.status, 0);

  r = server.request();
  r.tls.ca = r.tls.server_name = "";
  r.tls.insecure = true;
  EXPECT_EQ(ask(r).head.status, 200);

  r = server.request();
  r.tls.client_key = "no key";
  auto no_key = ask(r);
  EXPECT_EQ(no_key.end.cause, EndCause::kFailed);
  EXPECT_THAT(no_key.end.error, Not(HasSubstr("no key\n")));
}

}  // namespace
}  // namespace schedlens::net
