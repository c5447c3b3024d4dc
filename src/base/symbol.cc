// SPDX-License-Identifier: Apache-2.0
#include "base/symbol.h"

#include <array>
#include <atomic>
#include <mutex>
#include <new>
#include <unordered_map>

namespace schedlens {
namespace {

// Texts live in blocks that never move, so a reader needs no lock: it only follows the block
// pointer, which is published before any id inside the block is handed out.
constexpr std::uint32_t kBlockBits = 12;
constexpr std::uint32_t kBlockSize = 1u << kBlockBits;
constexpr std::uint32_t kMaxBlocks = 1u << 14;

class Interner {
 public:
  Interner() { intern(""); }

  std::uint32_t intern(std::string_view text) {
    std::lock_guard lock(mutex_);
    if (auto it = ids_.find(text); it != ids_.end()) return it->second;
    if ((next_ >> kBlockBits) >= kMaxBlocks) throw std::bad_alloc();
    auto& block = blocks_[next_ >> kBlockBits];
    if (!block.load(std::memory_order_relaxed)) {
      block.store(new std::string[kBlockSize], std::memory_order_release);
    }
    std::string& slot = block.load(std::memory_order_relaxed)[next_ & (kBlockSize - 1)];
    slot = text;
    ids_.emplace(slot, next_);
    return next_++;
  }

  std::string_view text(std::uint32_t id) const {
    return blocks_[id >> kBlockBits].load(std::memory_order_acquire)[id & (kBlockSize - 1)];
  }

 private:
  std::mutex mutex_;
  std::unordered_map<std::string_view, std::uint32_t> ids_;
  std::uint32_t next_ = 0;
  std::array<std::atomic<std::string*>, kMaxBlocks> blocks_{};
};

Interner& interner() {
  // Never destroyed: symbols may be read by other static objects' destructors.
  static Interner& instance = *new Interner;
  return instance;
}

}  // namespace

Symbol::Symbol(std::string_view text) : id_(text.empty() ? 0 : interner().intern(text)) {}

std::string_view Symbol::view() const {
  return id_ == 0 ? std::string_view() : interner().text(id_);
}

}  // namespace schedlens
