// SPDX-License-Identifier: Apache-2.0
#include "memory/directory.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "base/log.h"
#include "base/text.h"
#include "base/time_text.h"

namespace schedlens::memory {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kDamaged = ".db.damaged-";
// SQLite's log and its index, which belong to the file.
constexpr std::array kCompanions = {"-wal", "-shm"};

std::uint64_t size_of(const fs::path& path) {
  std::error_code error;
  const auto size = fs::file_size(path, error);
  return error ? 0 : size;
}

std::string holder_of(int descriptor) {
  std::array<char, 32> text{};
  const auto size = pread(descriptor, text.data(), text.size(), 0);
  return size > 0 ? fmt::format(" by process {}",
                                trim(std::string_view(text.data(), static_cast<std::size_t>(size))))
                  : "";
}

}  // namespace

Day StoreFile::end() const {
  switch (kind) {
    case FileKind::kState:
      return day_of(kEndOfTime);
    case FileKind::kSeries:
      return {day.number + 1};
    default:
      return next_month(day);
  }
}

std::string file_name(FileKind kind, Day day) {
  switch (kind) {
    case FileKind::kState:
      return "state.db";
    case FileKind::kRecords:
      return fmt::format("records-{}.db", month_text(day));
    case FileKind::kRollup:
      return fmt::format("rollup-{}.db", month_text(day));
    case FileKind::kSeries:
      break;
  }
  return fmt::format("series-{}.db", day_text(day));
}

std::optional<StoreFile> parse_file_name(std::string_view name) {
  if (name == "state.db") return StoreFile{FileKind::kState, {}, name, 0};
  if (!name.ends_with(".db")) return std::nullopt;
  const auto parts = cut(name.substr(0, name.size() - 3), '-');
  if (!parts) return std::nullopt;
  const auto& [word, date] = *parts;
  std::optional<Day> day;
  FileKind kind = FileKind::kSeries;
  if (word == "series") {
    day = parse_day(date);
  } else if (word == "records" || word == "rollup") {
    kind = word == "records" ? FileKind::kRecords : FileKind::kRollup;
    day = parse_month(date);
  }
  if (!day) return std::nullopt;
  return StoreFile{kind, *day, name, 0};
}

Result<std::vector<StoreFile>> list_files(const fs::path& directory) {
  std::error_code error;
  std::vector<StoreFile> files;
  fs::directory_iterator entries(directory, error);
  if (error) return fail("data directory {}: {}", directory.string(), error.message());
  for (; entries != fs::directory_iterator(); entries.increment(error)) {
    if (error) return fail("data directory {}: {}", directory.string(), error.message());
    auto file = parse_file_name(entries->path().filename().string());
    if (!file) continue;
    file->path = entries->path();
    file->bytes = size_of(file->path) + size_of(file->path.string() + kCompanions[0]);
    files.push_back(std::move(*file));
  }
  std::sort(files.begin(), files.end(), [](const StoreFile& a, const StoreFile& b) {
    return std::pair(a.kind, a.day) < std::pair(b.kind, b.day);
  });
  return files;
}

std::vector<fs::path> set_aside_files(const fs::path& directory) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator entries(directory, error);
       !error && entries != fs::directory_iterator(); entries.increment(error)) {
    const auto name = entries->path().filename().string();
    if (name.find(kDamaged) != std::string::npos && !name.ends_with("-wal") &&
        !name.ends_with("-shm")) {
      found.push_back(entries->path());
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

Status set_aside(const fs::path& file, std::string_view why, Timestamp now) {
  auto stem = file.string();
  if (stem.ends_with(".db")) stem.resize(stem.size() - 3);
  const auto base = fmt::format("{}{}{}", stem, kDamaged, now.unix_seconds);
  auto aside = base;
  for (int i = 2; fs::exists(aside); ++i) aside = fmt::format("{}.{}", base, i);
  std::error_code error;
  fs::rename(file, aside, error);
  if (error) return fail("set {} aside: {}", file.string(), error.message());
  for (const char* companion : kCompanions) {
    std::error_code ignored;  // it need not be there
    fs::rename(file.string() + companion, aside + companion, ignored);
  }
  log::error("file of the data directory is damaged and was set aside file={} as={} why=\"{}\"",
             file.string(), aside, why);
  return {};
}

Status drop_file(const fs::path& file) {
  std::error_code error;
  fs::remove(file, error);
  if (error) return fail("drop {}: {}", file.string(), error.message());
  for (const char* companion : kCompanions) {
    std::error_code ignored;
    fs::remove(file.string() + companion, ignored);
  }
  return {};
}

Result<DirectoryLock> DirectoryLock::take(const fs::path& directory) {
  std::error_code error;
  fs::create_directories(directory, error);
  if (error) return fail("data directory {}: {}", directory.string(), error.message());
  const auto path = directory / "lock";
  const int descriptor = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (descriptor < 0) return fail("{}: {}", path.string(), std::strerror(errno));
  DirectoryLock lock(descriptor);
  if (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return fail("{}: {}", path.string(), std::strerror(errno));
    return fail("data directory {} is written to{}; only one may at a time", directory.string(),
                holder_of(descriptor));
  }
  // For whoever is refused; of no consequence when it cannot be written.
  const auto pid = fmt::format("{}\n", getpid());
  if (ftruncate(descriptor, 0) != 0 || pwrite(descriptor, pid.data(), pid.size(), 0) < 0) {
    log::debug("cannot write to the lock file file={}", path.string());
  }
  return lock;
}

DirectoryLock::~DirectoryLock() {
  if (descriptor_ >= 0) close(descriptor_);
}

}  // namespace schedlens::memory
