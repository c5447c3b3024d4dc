// SPDX-License-Identifier: Apache-2.0
#pragma once
// Values that their copies share until one is written to, so that a large cluster is held once
// however many Snapshots show it.
//
// Copies may be read and dropped in different threads. One object is of one thread at a time while
// it is written to, like any other value; a reference from edit() is good until the next copy.

#include <atomic>
#include <cstdint>
#include <optional>
#include <utility>

namespace schedlens::model {

template <class T>
class Shared {
 public:
  Shared() = default;  // a T(), of which nothing is kept until it is written to
  Shared(T value) : held_(new Held{std::move(value)}) {}
  Shared(const Shared& other) noexcept : held_(other.held_) {
    if (held_) held_->owners.fetch_add(1, std::memory_order_relaxed);
  }
  Shared(Shared&& other) noexcept : held_(std::exchange(other.held_, nullptr)) {}
  Shared& operator=(Shared other) noexcept {
    std::swap(held_, other.held_);
    return *this;
  }
  ~Shared() {
    if (held_ && held_->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) delete held_;
  }

  const T& operator*() const { return held_ ? held_->value : empty(); }
  const T* operator->() const { return &**this; }
  // To be written to; others keep what they have.
  T& edit() {
    if (!held_) {
      held_ = new Held{T()};
    } else if (!alone()) {
      *this = Shared(**this);
    }
    return held_->value;
  }

  // No copy shares it.
  bool alone() const { return !held_ || held_->owners.load(std::memory_order_acquire) == 1; }
  bool is_default() const { return !held_; }
  friend bool operator==(const Shared& a, const Shared& b) {
    return a.held_ == b.held_ || *a == *b;
  }

 private:
  struct Held {
    T value;
    std::atomic<std::uint32_t> owners = 1;
  };
  static const T& empty() {
    static const T value{};
    return value;
  }

  Held* held_ = nullptr;
};

// The same of what most have not: as std::optional, in the place of one pointer.
template <class T>
class SharedOptional {
 public:
  SharedOptional() = default;
  SharedOptional(std::nullopt_t) {}
  SharedOptional(T value) : held_(std::move(value)) {}
  SharedOptional(std::optional<T> value) {
    if (value) held_ = std::move(*value);
  }

  bool has_value() const { return !held_.is_default(); }
  explicit operator bool() const { return has_value(); }
  const T& operator*() const { return *held_; }
  const T* operator->() const { return &*held_; }
  T& operator*() { return held_.edit(); }
  T* operator->() { return &held_.edit(); }
  T& emplace() {
    held_ = T();
    return held_.edit();
  }
  void reset() { held_ = {}; }
  bool alone() const { return held_.alone(); }
  friend bool operator==(const SharedOptional& a, const SharedOptional& b) {
    return a.has_value() == b.has_value() && a.held_ == b.held_;
  }

 private:
  Shared<T> held_;
};

}  // namespace schedlens::model
