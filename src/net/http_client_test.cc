// SPDX-License-Identifier: Apache-2.0
#include "net/http_client.h"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <thread>

#include "base/gzip.h"
#include "net/scripted_server_test.h"

namespace schedlens::net {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::StartsWith;

// Takes one connection, keeps what the client sent and answers with fixed bytes.
class CannedServer {
 public:
  explicit CannedServer(std::string answer, std::chrono::milliseconds delay = 0ms)
      : fd_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    bind(fd_, reinterpret_cast<sockaddr*>(&address), size);
    listen(fd_, 4);
    getsockname(fd_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this, delay, answer = std::move(answer)] { serve(answer, delay); });
  }
  ~CannedServer() {
    thread_.join();
    close(fd_);
  }

  std::string url(const std::string& path) const {
    return "http://127.0.0.1:" + std::to_string(port_) + path;
  }
  // After the client is done.
  const std::string& request() {
    thread_.join();
    thread_ = std::thread([] {});
    return request_;
  }

 private:
  void serve(const std::string& answer, std::chrono::milliseconds delay) {
    pollfd p{fd_, POLLIN, 0};
    if (poll(&p, 1, 5000) <= 0) return;
    int client = accept(fd_, nullptr, nullptr);
    char buffer[4096];
    while (request_.find("\r\n\r\n") == std::string::npos) {
      auto n = recv(client, buffer, sizeof buffer, 0);
      if (n <= 0) break;
      request_.append(buffer, static_cast<std::size_t>(n));
    }
    std::this_thread::sleep_for(delay);
    for (std::size_t sent = 0; sent < answer.size();) {
      auto n = send(client, answer.data() + sent, answer.size() - sent, MSG_NOSIGNAL);
      if (n <= 0) break;
      sent += static_cast<std::size_t>(n);
    }
    close(client);
  }

  int fd_;
  int port_ = 0;
  std::string request_;
  std::thread thread_;
};

std::string response(const std::string& status, const std::string& body,
                     const std::string& headers = "") {
  return "HTTP/1.1 " + status + "\r\n" + headers +
         "Content-Length: " + std::to_string(body.size()) + "\r\nConnection: close\r\n\r\n" + body;
}

TEST(HttpClient, GetsABody) {
  CannedServer server(response("200 OK", "{}", "Content-Type: application/json\r\n"));
  auto got = get(server.url("/a?b=1"));
  ASSERT_TRUE(got) << got.error().message();
  EXPECT_EQ(got->status, 200);
  EXPECT_EQ(got->body, "{}");
  EXPECT_EQ(got->content_type, "application/json");
  EXPECT_THAT(server.request(), StartsWith("GET /a?b=1 HTTP/1.1\r\n"));
  EXPECT_THAT(server.request(), HasSubstr("User-Agent: schedlens\r\n"));
  EXPECT_THAT(server.request(), HasSubstr("Accept: application/json\r\n"));
}

TEST(HttpClient, UncompressesWhatCameCompressed) {
  CannedServer server(response("200 OK", gzip("hello hello", 1), "Content-Encoding: gzip\r\n"));
  EXPECT_EQ(*get_body(server.url("/")), "hello hello");
}

TEST(HttpClient, OtherStatusesSayWhatTheServerSays) {
  CannedServer problem(
      response("404 Not Found", "{\"title\":\"Not Found\",\"detail\":\"no job \\\"7\\\"\"}"));
  EXPECT_EQ(get_body(problem.url("/j")).error().message(),
            problem.url("/j") + ": status 404: no job \"7\"");
  CannedServer html(response("502 Bad Gateway", "<html>nginx</html>"));
  EXPECT_EQ(get_body(html.url("/")).error().message(), html.url("/") + ": status 502");
  CannedServer text(response("500 Oops", "it broke\x1b[31m\nmore"));
  EXPECT_EQ(get_body(text.url("/")).error().message(),
            text.url("/") + ": status 500: it broke?[31m");
}

TEST(HttpClient, ErrorsNameTheUrlAndTheCause) {
  auto refused = get("http://127.0.0.1:1/x");
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message(), StartsWith("http://127.0.0.1:1/x: "));
  EXPECT_THAT(refused.error().message(), HasSubstr("onnect"));
  auto scheme = get("file:///etc/passwd");
  ASSERT_FALSE(scheme);
  EXPECT_THAT(scheme.error().message(), HasSubstr("rotocol"));
}

TEST(HttpClient, TimesOut) {
  CannedServer server(response("200 OK", "late"), 700ms);
  GetOptions options;
  options.timeout = 150ms;
  auto got = get(server.url("/"), options);
  ASSERT_FALSE(got);
  EXPECT_THAT(got.error().message(), HasSubstr("imed out"));
}

TEST(HttpClient, RefusesMoreThanAskedFor) {
  GetOptions options;
  options.max_body = 1000;
  CannedServer plain(response("200 OK", std::string(1001, 'x')));
  EXPECT_EQ(get(plain.url("/"), options).error().message(),
            plain.url("/") + ": the answer is larger than 1000 bytes");
  CannedServer bomb(
      response("200 OK", gzip(std::string(100'000, 'x'), 9), "Content-Encoding: gzip\r\n"));
  EXPECT_THAT(get(bomb.url("/"), options).error().message(), HasSubstr("larger than 1000 bytes"));
  CannedServer exact(response("200 OK", std::string(1000, 'x')));
  EXPECT_EQ(get(exact.url("/"), options)->body.size(), 1000u);
}

TEST(HttpClient, ACutAnswerIsAnError) {
  CannedServer server("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this");
  auto got = get(server.url("/"));
  ASSERT_FALSE(got);
  EXPECT_THAT(got.error().message(), HasSubstr("remaining"));
}

// A TLS server with a certificate of its own making.
TEST(HttpClient, VerifiesCertificates) {
  if (std::system("openssl version >/dev/null 2>&1") != 0) GTEST_SKIP() << "no openssl command";
  char directory[] = "/tmp/schedlens_net_test_XXXXXX";
  ASSERT_NE(mkdtemp(directory), nullptr);
  std::string dir = directory;
  auto make = "cd " + dir +
              " && openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 2 "
              "-subj /CN=localhost -addext subjectAltName=IP:127.0.0.1 >/dev/null 2>&1";
  ASSERT_EQ(std::system(make.c_str()), 0);
  auto serve = "cd " + dir +
               " && exec timeout 20 openssl s_server -accept 127.0.0.1:0 -cert cert.pem -key "
               "key.pem -www -naccept 2 2>/dev/null </dev/null";
  FILE* server = popen(serve.c_str(), "r");
  ASSERT_NE(server, nullptr);
  char line[200] = "";
  int port = 0;
  while (std::fgets(line, sizeof line, server)) {
    if (std::sscanf(line, "ACCEPT 127.0.0.1:%d", &port) == 1) break;
  }
  ASSERT_NE(port, 0);
  auto url = "https://127.0.0.1:" + std::to_string(port) + "/";
  auto untrusted = get(url);
  GetOptions trusting;
  trusting.ca_file = dir + "/cert.pem";
  auto trusted = get(url, trusting);
  pclose(server);
  std::filesystem::remove_all(dir);
  ASSERT_FALSE(untrusted);
  EXPECT_THAT(untrusted.error().message(), HasSubstr("certificate"));
  ASSERT_TRUE(trusted) << trusted.error().message();
  EXPECT_EQ(trusted->status, 200);
}

TEST(Urls, JoinAndEncode) {
  EXPECT_EQ(join_url("host:9817", "/x"), "http://host:9817/x");
  EXPECT_EQ(join_url("http://host:9817/", "/x"), "http://host:9817/x");
  EXPECT_EQ(join_url("https://host/prefix", "/x"), "https://host/prefix/x");
  EXPECT_EQ(percent_encode("12_[1-4]"), "12_%5B1-4%5D");
  EXPECT_EQ(percent_encode("a/b c"), "a%2Fb%20c");
}

TEST(Post, SendsTheBodyAndItsHeaders) {
  std::string header, body;
  test::ScriptedServer server([&](const std::string& request, test::Connection& connection) {
    header = request;
    body = connection.read_body(request);
    return connection.send_answer("202 Accepted", "text/plain", "taken");
  });
  PostOptions options;
  options.headers = {"Authorization: Bearer t"};
  const std::string large(100'000, 'x');
  auto response = post(server.url("/a"), large, options);
  ASSERT_TRUE(response.has_value()) << response.error().message();
  EXPECT_EQ(response->status, 202);
  EXPECT_EQ(response->body, "taken");
  EXPECT_EQ(body, large);
  EXPECT_THAT(header, StartsWith("POST /a HTTP/1.1"));
  EXPECT_THAT(header, HasSubstr("Content-Type: application/json\r\n"));
  EXPECT_THAT(header, HasSubstr("Authorization: Bearer t\r\n"));
}

TEST(Post, AnAnswerThatIsNoSuccessIsAnAnswer) {
  test::ScriptedServer server([&](const std::string& request, test::Connection& connection) {
    connection.read_body(request);
    return connection.send_answer("400 Bad Request", "text/plain", "no such label");
  });
  auto response = post(server.url(), "{}");
  ASSERT_TRUE(response.has_value()) << response.error().message();
  EXPECT_EQ(response->status, 400);
  EXPECT_EQ(said_by(*response), ": no such label");
}

TEST(Post, IsGivenUpWithinASecondOrTwo) {
  test::ScriptedServer server([](const std::string&, test::Connection& connection) {
    connection.be_silent();
    return false;
  });
  std::stop_source stop;
  std::thread stopper([&] {
    std::this_thread::sleep_for(100ms);
    stop.request_stop();
  });
  PostOptions options;
  options.stop = stop.get_token();
  const auto begin = std::chrono::steady_clock::now();
  auto response = post(server.url(), "{}", options);
  stopper.join();
  ASSERT_FALSE(response.has_value());
  EXPECT_THAT(response.error().message(), HasSubstr("stopped"));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 3s);
}

}  // namespace
}  // namespace schedlens::net
