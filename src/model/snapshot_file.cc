// SPDX-License-Identifier: Apache-2.0
#include "model/snapshot_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>

#include "base/gzip.h"

namespace schedlens::model {
namespace {

constexpr std::size_t kMaxSize = std::size_t{4} << 30;

Status write_all(int fd, std::string_view data) {
  while (!data.empty()) {
    auto n = ::write(fd, data.data(), data.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return fail("{}", std::strerror(errno));
    data.remove_prefix(static_cast<std::size_t>(n));
  }
  if (::fsync(fd) != 0) return fail("{}", std::strerror(errno));
  return {};
}

// Written beside the target and renamed over it, so that readers see the old or the new file.
Status replace_file(const std::string& path, std::string_view data) {
  auto temporary = path + ".tmp-" + std::to_string(::getpid());
  int fd = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0640);
  if (fd < 0) return fail("{}: {}", temporary, std::strerror(errno));
  auto written = write_all(fd, data);
  if (::close(fd) != 0 && written) written = fail("{}", std::strerror(errno));
  if (!written) {
    ::unlink(temporary.c_str());
    return fail(written.error().within(temporary));
  }
  if (std::rename(temporary.c_str(), path.c_str()) != 0) {
    auto error = fail("{}: {}", path, std::strerror(errno));
    ::unlink(temporary.c_str());
    return error;
  }
  return {};
}

}  // namespace

Status save_snapshot(const Snapshot& snapshot, const std::string& path) {
  auto json = snapshot_to_json(snapshot);
  return replace_file(path, path.ends_with(".gz") ? gzip(json, 6) : json);
}

Result<Snapshot> load_snapshot(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return fail("{}: {}", path, std::strerror(errno));
  std::ostringstream content;
  content << file.rdbuf();
  if (file.bad()) return fail("{}: {}", path, std::strerror(errno));
  auto data = std::move(content).str();
  if (is_gzip(data)) {
    auto plain = gunzip(data, kMaxSize);
    if (!plain) return fail(plain.error().within(path));
    data = std::move(*plain);
  }
  auto snapshot = snapshot_from_json(data);
  if (!snapshot) return fail(snapshot.error().within(path));
  return snapshot;
}

}  // namespace schedlens::model
