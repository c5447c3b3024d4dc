// SPDX-License-Identifier: Apache-2.0
#include "os/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "base/text.h"

namespace schedlens::os {
namespace {

using SteadyClock = std::chrono::steady_clock;
constexpr std::size_t kMaxErrorOutput = 64 << 10;

class Fd {
 public:
  Fd() = default;
  explicit Fd(int fd) : fd_(fd) {}
  Fd(Fd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Fd& operator=(Fd&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Fd() { close(); }
  int get() const { return fd_; }
  bool open() const { return fd_ >= 0; }
  void close() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }

 private:
  int fd_ = -1;
};

struct Pipe {
  Fd read, write;
};

Result<Pipe> make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return fail("pipe: {}", std::strerror(errno));
  return Pipe{Fd(ends[0]), Fd(ends[1])};
}

std::string_view environment_value(const std::vector<std::string>& environment,
                                   std::string_view name) {
  for (std::string_view entry : environment) {
    auto pair = cut(entry, '=');
    if (pair && pair->first == name) return pair->second;
  }
  return {};
}

std::string_view short_name(std::string_view program) {
  auto slash = program.rfind('/');
  return slash == std::string_view::npos ? program : program.substr(slash + 1);
}

Result<std::string> find_program(const Command& command) {
  if (command.argv.empty() || command.argv[0].empty()) return fail("no program to run");
  const auto& name = command.argv[0];
  if (name.find('/') != std::string::npos) {
    if (::access(name.c_str(), X_OK) == 0) return name;
    return fail("{}: {}", name, std::strerror(errno));
  }
  auto path = environment_value(command.environment, "PATH");
  std::string refused;
  for (auto folder : split(path, ':')) {
    if (folder.empty()) continue;
    auto candidate = std::string(folder) + "/" + name;
    if (::access(candidate.c_str(), X_OK) == 0) return candidate;
    if (errno == EACCES) refused = candidate;
  }
  if (!refused.empty()) return fail("{}: {} is not executable", name, refused);
  return fail("{}: not found in PATH={}", name, path);
}

// A started child in a process group of its own; whatever is left of the group when this goes out
// of scope unreaped is killed.
class Child {
 public:
  explicit Child(pid_t pid) : pid_(pid) {}
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    if (!reaped_) kill_and_reap();
  }

  void kill_and_reap() {
    ::kill(-pid_, SIGKILL);
    ::kill(pid_, SIGKILL);
    wait(0);
  }

  // Reaps the child if it has ended.
  bool ended() { return reaped_ || wait(WNOHANG); }
  int status() const { return status_; }
  std::chrono::microseconds cpu() const {
    auto time = [](const timeval& t) {
      return std::chrono::seconds(t.tv_sec) + std::chrono::microseconds(t.tv_usec);
    };
    return time(usage_.ru_utime) + time(usage_.ru_stime);
  }

 private:
  bool wait(int options) {
    pid_t got;
    do {
      got = ::wait4(pid_, &status_, options, &usage_);
    } while (got < 0 && errno == EINTR);
    reaped_ = got != 0;
    return reaped_;
  }

  pid_t pid_;
  bool reaped_ = false;
  int status_ = 0;
  rusage usage_{};
};

class SpawnSetup {
 public:
  SpawnSetup(int in, int out, int err) {
    ::posix_spawn_file_actions_init(&actions);
    if (in < 0) {
      ::posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    } else {
      ::posix_spawn_file_actions_adddup2(&actions, in, 0);
    }
    ::posix_spawn_file_actions_adddup2(&actions, out, 1);
    ::posix_spawn_file_actions_adddup2(&actions, err, 2);
    ::posix_spawn_file_actions_addclosefrom_np(&actions, 3);
    ::posix_spawnattr_init(&attributes);
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    ::posix_spawnattr_setsigmask(&attributes, &none);
    ::posix_spawnattr_setsigdefault(&attributes, &all);
    ::posix_spawnattr_setpgroup(&attributes, 0);
    ::posix_spawnattr_setflags(
        &attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  ~SpawnSetup() {
    ::posix_spawn_file_actions_destroy(&actions);
    ::posix_spawnattr_destroy(&attributes);
  }
  SpawnSetup(const SpawnSetup&) = delete;
  SpawnSetup& operator=(const SpawnSetup&) = delete;

  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
};

Result<pid_t> spawn(const std::string& program, const Command& command, int in, int out, int err) {
  auto pointers = [](const std::vector<std::string>& texts) {
    std::vector<char*> list;
    for (const auto& text : texts) list.push_back(const_cast<char*>(text.c_str()));
    list.push_back(nullptr);
    return list;
  };
  auto argv = pointers(command.argv);
  auto environment = pointers(command.environment);
  SpawnSetup setup(in, out, err);
  pid_t pid = 0;
  int error = ::posix_spawn(&pid, program.c_str(), &setup.actions, &setup.attributes, argv.data(),
                            environment.data());
  if (error != 0) return fail("{}: cannot be started: {}", program, std::strerror(error));
  return pid;
}

// A file in memory, so that a program that does not read its input blocks nobody.
Result<Fd> input_file(const std::string& text) {
  if (text.empty()) return Fd();
  Fd fd(::memfd_create("input", MFD_CLOEXEC));
  if (!fd.open()) return fail("memfd_create: {}", std::strerror(errno));
  std::size_t done = 0;
  while (done < text.size()) {
    auto n = ::write(fd.get(), text.data() + done, text.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return fail("its input cannot be kept: {}", std::strerror(errno));
    done += static_cast<std::size_t>(n);
  }
  ::lseek(fd.get(), 0, SEEK_SET);
  return fd;
}

enum class End { kItself, kTimeout, kTooMuch, kStopped };

// A stop request as something that poll() can wait for.
class StopEvent {
 public:
  static Result<StopEvent> make() {
    Fd fd(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    if (!fd.open()) return fail("eventfd: {}", std::strerror(errno));
    return StopEvent(std::move(fd));
  }
  pollfd entry() const { return {fd_.get(), POLLIN, 0}; }
  void raise() const { ::eventfd_write(fd_.get(), 1); }

 private:
  explicit StopEvent(Fd fd) : fd_(std::move(fd)) {}
  Fd fd_;
};

int milliseconds_until(SteadyClock::time_point deadline) {
  auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - SteadyClock::now()).count();
  return left < 0 ? 0 : static_cast<int>(std::min<long>(left, 1'000'000));
}

// Reads what is there now; closes the pipe at its end. False when there is more than allowed.
bool drain(Fd& fd, std::string& text, std::size_t limit, bool cut_at_limit) {
  std::array<char, 1 << 16> buffer;
  auto got = ::read(fd.get(), buffer.data(), buffer.size());
  if (got < 0) {
    if (errno != EINTR && errno != EAGAIN) fd.close();
    return true;
  }
  if (got == 0) {
    fd.close();
    return true;
  }
  auto count = static_cast<std::size_t>(got);
  auto room = limit - text.size();
  if (count > room && !cut_at_limit) return false;
  text.append(buffer.data(), std::min(count, room));
  return true;
}

End read_until_end(Fd& out, Fd& err, const StopEvent& stop, Output& output, std::size_t max_output,
                   SteadyClock::time_point deadline) {
  while (out.open() || err.open()) {
    std::array<pollfd, 3> wait = {pollfd{out.get(), POLLIN, 0}, pollfd{err.get(), POLLIN, 0},
                                  stop.entry()};
    int ready = ::poll(wait.data(), wait.size(), milliseconds_until(deadline));
    if (SteadyClock::now() >= deadline) return End::kTimeout;
    if (ready <= 0) continue;
    if (wait[2].revents) return End::kStopped;
    if (wait[0].revents && !drain(out, output.out, max_output, false)) return End::kTooMuch;
    if (wait[1].revents) drain(err, output.err, kMaxErrorOutput, true);
  }
  return End::kItself;
}

// A child may close its output and go on.
End wait_until_ended(Child& child, const StopEvent& stop, SteadyClock::time_point deadline) {
  auto pause = std::chrono::microseconds(200);
  while (!child.ended()) {
    if (SteadyClock::now() >= deadline) return End::kTimeout;
    auto wait = stop.entry();
    timespec time{0, std::chrono::nanoseconds(pause).count()};
    if (::ppoll(&wait, 1, &time, nullptr) > 0) return End::kStopped;
    pause = std::min(pause * 2, std::chrono::microseconds(20'000));
  }
  return End::kItself;
}

// What the program said about its failure, on one line.
std::string complaint(const Output& output) {
  std::string text;
  int lines = 0;
  for (auto line : split(output.err.empty() ? output.out : output.err, '\n')) {
    line = trim(line);
    if (line.empty()) continue;
    if (!text.empty()) text += "; ";
    text += printable(line.substr(0, 200));
    if (++lines == 3) break;
  }
  return text.empty() ? "no message" : text;
}

std::string in_words(std::chrono::milliseconds duration) {
  if (duration.count() % 1000 == 0) return fmt::format("{} s", duration.count() / 1000);
  return fmt::format("{} ms", duration.count());
}

}  // namespace

Result<Output> SystemProcessRunner::run(const Command& command) {
  auto program = find_program(command);
  if (!program) return fail(program.error());
  auto name = short_name(command.argv[0]);
  if (command.stop.stop_requested()) return fail("{}: stopped before its start", name);
  auto out = make_pipe();
  auto err = make_pipe();
  if (!out || !err) return fail("{}: {}", name, (out ? err : out).error().message());
  auto in = input_file(command.input);
  if (!in) return fail("{}: {}", name, in.error().message());
  auto stop = StopEvent::make();
  if (!stop) return fail("{}: {}", name, stop.error().message());
  std::stop_callback on_stop(command.stop, [&] { stop->raise(); });

  auto started = SteadyClock::now();
  auto deadline = started + command.timeout;
  auto pid = spawn(*program, command, in->get(), out->write.get(), err->write.get());
  if (!pid) return fail(pid.error());
  Child child(*pid);
  out->write.close();
  err->write.close();

  Output output;
  auto end = read_until_end(out->read, err->read, *stop, output, command.max_output, deadline);
  if (end == End::kItself) end = wait_until_ended(child, *stop, deadline);
  if (end != End::kItself) child.kill_and_reap();
  if (end == End::kTimeout) {
    return fail("{}: no answer within {}; killed", name, in_words(command.timeout));
  }
  if (end == End::kTooMuch) {
    return fail("{}: printed more than {} bytes; killed", name, command.max_output);
  }
  if (end == End::kStopped) return fail("{}: stopped; killed", name);
  output.wall = std::chrono::duration_cast<std::chrono::microseconds>(SteadyClock::now() - started);
  output.cpu = child.cpu();
  if (WIFSIGNALED(child.status())) {
    return fail("{}: killed by signal {} ({})", name, WTERMSIG(child.status()),
                ::strsignal(WTERMSIG(child.status())));
  }
  if (int code = WEXITSTATUS(child.status()); code != 0) {
    return fail("{}: exit {}: {}", name, code, complaint(output));
  }
  return output;
}

}  // namespace schedlens::os
