// SPDX-License-Identifier: Apache-2.0
// Files are named by number: 0000000000000007.queue. An entry is its length, its items and the
// checksum of those two and the bytes, four bytes each, little end first; then the bytes. A file
// that an earlier process wrote is never appended to, as its end may be cut off; where an entry is
// not whole or its checksum is wrong, the rest of its file is left out. `position` holds the number
// of the first file and how many of its bytes are done with.
#include "remote/disk_queue.h"

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <optional>

#include "base/text.h"

namespace schedlens::remote {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kHeader = 12;
constexpr std::uint32_t kMostBytes = 64'000'000;  // of an entry; more is damage
constexpr std::string_view kSuffix = ".queue";

void put32(std::string& out, std::uint32_t value) {
  for (int shift = 0; shift < 32; shift += 8) out += static_cast<char>(value >> shift & 0xff);
}

std::uint32_t get32(const char* at) {
  std::uint32_t value = 0;
  for (int i = 3; i >= 0; --i) value = value << 8 | static_cast<unsigned char>(at[i]);
  return value;
}

std::uint32_t checksum(std::string_view head, std::string_view bytes) {
  auto sum = crc32(0, reinterpret_cast<const Bytef*>(head.data()), static_cast<uInt>(head.size()));
  return static_cast<std::uint32_t>(
      crc32(sum, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size())));
}

Error system_error(const fs::path& path, const char* what) {
  return Error(fmt::format("{}: {}: {}", path.string(), what, std::strerror(errno)));
}

// The entry that begins where the stream stands; nothing when no whole one does.
std::optional<QueueEntry> read_entry(std::ifstream& in) {
  std::array<char, kHeader> head{};
  if (!in.read(head.data(), head.size())) return std::nullopt;
  const auto size = get32(head.data());
  if (size > kMostBytes) return std::nullopt;
  QueueEntry entry;
  entry.items = get32(head.data() + 4);
  entry.bytes.resize(size);
  if (!in.read(entry.bytes.data(), size)) return std::nullopt;
  if (checksum({head.data(), 8}, entry.bytes) != get32(head.data() + 8)) return std::nullopt;
  return entry;
}

bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto n = write(descriptor, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

}  // namespace

DiskQueue::DiskQueue(DiskQueue&& other) noexcept
    : directory_(std::move(other.directory_)),
      options_(other.options_),
      files_(std::move(other.files_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      next_number_(other.next_number_),
      position_(other.position_),
      pending_(other.pending_),
      dropped_(other.dropped_),
      damaged_bytes_(other.damaged_bytes_) {}

DiskQueue::~DiskQueue() {
  if (descriptor_ >= 0) close(descriptor_);
}

fs::path DiskQueue::path(std::uint64_t number) const {
  return directory_ / fmt::format("{:016}{}", number, kSuffix);
}

Result<DiskQueue> DiskQueue::open(const fs::path& directory, QueueOptions options) {
  std::error_code failed;
  fs::create_directories(directory, failed);
  if (failed) return fail("{}: {}", directory.string(), failed.message());
  DiskQueue queue(directory, options);
  if (auto scanned = queue.scan(); !scanned) return fail(scanned.error());
  return queue;
}

Status DiskQueue::scan() {
  std::error_code failed;
  for (fs::directory_iterator it(directory_, failed), end; !failed && it != end;
       it.increment(failed)) {
    const auto name = it->path().filename().string();
    if (!name.ends_with(kSuffix)) continue;
    const auto number = parse_number<std::uint64_t>(name.substr(0, name.size() - kSuffix.size()));
    if (!number || path(*number).filename() != name) continue;
    std::error_code no_size;
    const auto size = fs::file_size(it->path(), no_size);
    files_.push_back({*number, no_size ? 0 : size, 0});
  }
  if (failed) return fail("{}: {}", directory_.string(), failed.message());
  std::sort(files_.begin(), files_.end(),
            [](const File& a, const File& b) { return a.number < b.number; });

  std::uint64_t first = 0, done = 0;
  std::ifstream(directory_ / "position") >> first >> done;
  // The number goes on even where no file is left, or the position would hold for a new one.
  next_number_ = std::max(first, files_.empty() ? 0 : files_.back().number) + 1;
  while (!files_.empty() && files_.front().number < first) remove_front();
  if (!files_.empty() && files_.front().number == first) position_ = done;
  for (auto& file : files_) {
    scan_file(file, file.number == first ? position_ : 0);
    pending_ += file.items;
  }
  return {};
}

void DiskQueue::scan_file(File& file, std::uint64_t from) {
  std::ifstream in(path(file.number), std::ios::binary);
  in.seekg(static_cast<std::streamoff>(from));
  auto at = from;
  while (at < file.bytes) {
    const auto entry = read_entry(in);
    if (!entry) break;
    at += kHeader + entry->bytes.size();
    file.items += entry->items;
  }
  if (at < file.bytes) damaged_bytes_ += file.bytes - at;
}

Status DiskQueue::begin_file() {
  if (descriptor_ >= 0) close(descriptor_);
  const auto file = path(next_number_);
  descriptor_ = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600);
  if (descriptor_ < 0) return fail(system_error(file, "open"));
  files_.push_back({next_number_++, 0, 0});
  return {};
}

Status DiskQueue::append(std::string_view bytes, std::uint32_t items) {
  if (bytes.size() > kMostBytes) return fail("an entry of {} bytes is too large", bytes.size());
  if (descriptor_ < 0 || files_.empty() || files_.back().bytes >= options_.file_bytes) {
    if (auto begun = begin_file(); !begun) return begun;
  }
  std::string entry;
  entry.reserve(kHeader + bytes.size());
  put32(entry, static_cast<std::uint32_t>(bytes.size()));
  put32(entry, items);
  put32(entry, checksum(entry, bytes));
  entry += bytes;
  auto& file = files_.back();
  if (!write_all(descriptor_, entry)) {
    auto error = system_error(path(file.number), "write");
    // Half an entry would hide those behind it.
    if (ftruncate(descriptor_, static_cast<off_t>(file.bytes)) != 0) {
      close(descriptor_);
      descriptor_ = -1;
    }
    return fail(std::move(error));
  }
  file.bytes += entry.size();
  file.items += items;
  pending_ += items;
  make_room();
  return {};
}

std::uint64_t DiskQueue::bytes() const {
  std::uint64_t sum = 0;
  for (const auto& file : files_) sum += file.bytes;
  return sum;
}

void DiskQueue::remove_front() {
  std::error_code ignored;  // one that stays is removed at the next start
  fs::remove(path(files_.front().number), ignored);
  pending_ -= std::min(pending_, files_.front().items);
  files_.pop_front();
  position_ = 0;
  if (files_.empty() && descriptor_ >= 0) {
    close(descriptor_);
    descriptor_ = -1;
  }
}

void DiskQueue::make_room() {
  while (files_.size() > 1 && bytes() > options_.max_bytes) {
    dropped_ += files_.front().items;
    remove_front();
    (void)save_position();
  }
}

std::vector<QueueEntry> DiskQueue::peek(std::size_t most_entries, std::size_t most_bytes) {
  std::vector<QueueEntry> entries;
  std::size_t size = 0;
  for (std::size_t i = 0; i < files_.size(); ++i) {
    const auto number = files_[i].number;
    auto at = i == 0 ? position_ : 0;
    std::ifstream in(path(number), std::ios::binary);
    in.seekg(static_cast<std::streamoff>(at));
    while (at < files_[i].bytes) {
      auto entry = read_entry(in);
      if (!entry) break;  // counted when it was found, or will be found at the next start
      at += kHeader + entry->bytes.size();
      size += entry->bytes.size();
      if (!entries.empty() && (entries.size() == most_entries || size > most_bytes)) {
        return entries;
      }
      entry->file = number;
      entry->end = at;
      entries.push_back(std::move(*entry));
    }
  }
  return entries;
}

Status DiskQueue::pop(const QueueEntry& last) {
  while (!files_.empty() && files_.front().number < last.file) remove_front();
  // It may have gone meanwhile, to make room.
  if (files_.empty() || files_.front().number != last.file) return save_position();
  auto& file = files_.front();
  std::ifstream in(path(file.number), std::ios::binary);
  in.seekg(static_cast<std::streamoff>(position_));
  while (position_ < last.end) {
    const auto entry = read_entry(in);
    if (!entry) break;
    position_ += kHeader + entry->bytes.size();
    file.items -= std::min<std::uint64_t>(file.items, entry->items);
    pending_ -= std::min<std::uint64_t>(pending_, entry->items);
  }
  position_ = std::max(position_, last.end);
  const bool written_to = files_.size() == 1 && descriptor_ >= 0;
  const bool full = file.bytes >= options_.file_bytes;
  if (position_ >= file.bytes && (!written_to || full)) {
    // The next file begins behind the one that goes.
    auto done = save_position();
    remove_front();
    return done;
  }
  return save_position();
}

Status DiskQueue::save_position() const {
  const auto first = files_.empty() ? next_number_ - 1 : files_.front().number;
  const auto done = files_.empty() ? ~std::uint64_t{0} >> 1 : position_;
  const auto target = directory_ / "position";
  const auto fresh = directory_ / "position.new";
  {
    std::ofstream out(fresh, std::ios::trunc);
    out << first << ' ' << done << '\n';
    out.flush();
    if (!out) return fail("{}: cannot be written", fresh.string());
  }
  std::error_code failed;
  fs::rename(fresh, target, failed);
  if (failed) return fail("{}: {}", target.string(), failed.message());
  return {};
}

}  // namespace schedlens::remote
