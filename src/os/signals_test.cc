// SPDX-License-Identifier: Apache-2.0
#include "os/signals.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "os/service_manager.h"

namespace schedlens::os {
namespace {

using namespace std::chrono_literals;

TEST(Signals, AreWaitedForInsteadOfInterrupting) {
  Signals signals({SIGUSR1, SIGUSR2});
  EXPECT_EQ(signals.wait(0ms), std::nullopt);
  ::kill(::getpid(), SIGUSR2);
  EXPECT_EQ(signals.wait(5s), SIGUSR2);
  ::kill(::getpid(), SIGUSR1);
  EXPECT_EQ(signals.wait(5s), SIGUSR1);
  EXPECT_EQ(signals.wait(1ms), std::nullopt);
}

TEST(ServiceManager, SendsOneDatagram) {
  char directory[] = "/tmp/schedlens_os_test_XXXXXX";
  ASSERT_NE(::mkdtemp(directory), nullptr);
  auto path = std::string(directory) + "/notify";
  int fd = ::socket(AF_UNIX, SOCK_DGRAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  ASSERT_EQ(::bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);

  ::setenv("NOTIFY_SOCKET", path.c_str(), 1);
  EXPECT_TRUE(tell_service_manager("READY=1"));
  char buffer[64];
  auto n = ::recv(fd, buffer, sizeof buffer, MSG_DONTWAIT);
  ASSERT_GT(n, 0);
  EXPECT_EQ(std::string(buffer, static_cast<std::size_t>(n)), "READY=1");

  ::setenv("NOTIFY_SOCKET", (path + "-gone").c_str(), 1);
  EXPECT_FALSE(tell_service_manager("READY=1"));
  ::unsetenv("NOTIFY_SOCKET");
  EXPECT_TRUE(tell_service_manager("READY=1"));
  ::close(fd);
  std::filesystem::remove_all(directory);
}

}  // namespace
}  // namespace schedlens::os
