// SPDX-License-Identifier: Apache-2.0
#pragma once
// A list whose elements several lists may hold: copying it copies no element. Read it as a constant
// list: access through one that is not constant is taken for writing, and gives the list an element
// of its own where others hold it too.

#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <type_traits>
#include <utility>
#include <vector>

#include "model/shared.h"

namespace schedlens::model {

template <class T>
class SharedList {
 public:
  using value_type = T;

  SharedList() = default;
  SharedList(std::initializer_list<T> items) : items_(items.begin(), items.end()) {}
  SharedList(std::vector<T> items)
      : items_(std::make_move_iterator(items.begin()), std::make_move_iterator(items.end())) {}

  std::size_t size() const { return items_.size(); }
  bool empty() const { return items_.empty(); }
  void reserve(std::size_t count) { items_.reserve(count); }
  void resize(std::size_t count) { items_.resize(count); }
  void clear() { items_.clear(); }

  void push_back(Shared<T> item) { items_.push_back(std::move(item)); }
  T& emplace_back() { return items_.emplace_back().edit(); }

  const T& operator[](std::size_t i) const { return *items_[i]; }
  T& operator[](std::size_t i) { return items_[i].edit(); }
  const T& front() const { return *items_.front(); }
  T& front() { return items_.front().edit(); }
  const T& back() const { return *items_.back(); }
  T& back() { return items_.back().edit(); }

  template <bool kWrites>
  class Iterator {
    using Place = std::conditional_t<kWrites, Shared<T>*, const Shared<T>*>;

   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = T;
    using difference_type = std::ptrdiff_t;
    using reference = std::conditional_t<kWrites, T&, const T&>;
    using pointer = std::conditional_t<kWrites, T*, const T*>;

    Iterator() = default;
    explicit Iterator(Place place) : place_(place) {}
    reference operator*() const {
      if constexpr (kWrites) {
        return place_->edit();
      } else {
        return **place_;
      }
    }
    pointer operator->() const { return &**this; }
    Iterator& operator++() {
      ++place_;
      return *this;
    }
    Iterator operator++(int) {
      auto before = *this;
      ++place_;
      return before;
    }
    friend bool operator==(Iterator, Iterator) = default;

   private:
    Place place_ = nullptr;
  };
  using iterator = Iterator<true>;
  using const_iterator = Iterator<false>;

  const_iterator begin() const { return const_iterator(items_.data()); }
  const_iterator end() const { return const_iterator(items_.data() + items_.size()); }
  iterator begin() { return iterator(items_.data()); }
  iterator end() { return iterator(items_.data() + items_.size()); }

 private:
  std::vector<Shared<T>> items_;
};

}  // namespace schedlens::model
