// SPDX-License-Identifier: Apache-2.0
#pragma once
// The objects of one resource as the API server last said, by namespace and name.

#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/result.h"
#include "kube/meta.h"
#include "kube/sink.h"

namespace schedlens::kube {

// What all tables of one cluster share: readers hold the mutex for as long as they look.
struct TableState {
  std::mutex mutex;
  std::uint64_t changes = 0;  // grows with every change of any table
};

// Object has a member `Meta meta`. The stream's thread writes; whoever holds the mutex reads.
template <class Object>
class ObjectTable final : public Sink {
 public:
  // Nothing where the object is of no interest: then it is treated as not there.
  using Decode = std::function<Result<std::optional<Object>>(std::string_view)>;

  // The version is of the API that the objects are written in ("policy/v1").
  using OnVersion = std::function<void(std::string_view)>;

  ObjectTable(TableState& state, Decode decode, OnVersion on_version = nullptr)
      : state_(state), decode_(std::move(decode)), on_version_(std::move(on_version)) {}

  void use_version(std::string_view api_version) override {
    if (on_version_) on_version_(api_version);
  }

  void begin_list() override {
    std::lock_guard lock(state_.mutex);
    ++generation_;
  }

  void end_list() override {
    std::lock_guard lock(state_.mutex);
    std::erase_if(objects_, [&](const auto& entry) { return entry.second.seen != generation_; });
    loaded_ = true;
    ++state_.changes;
  }

  Status take(std::string_view bytes) override {
    auto object = decode_(bytes);
    if (!object) return keep_last_good(bytes, object.error());
    std::lock_guard lock(state_.mutex);
    ++state_.changes;
    if (!*object) {
      const auto meta = decode_meta(bytes);
      if (meta) objects_.erase(key(*meta));
      return {};
    }
    auto where = key((*object)->meta);
    objects_.insert_or_assign(std::move(where), Entry{std::move(**object), generation_});
    return {};
  }

  Status remove(std::string_view bytes) override {
    const auto meta = decode_meta(bytes);
    if (!meta) return fail(meta.error());
    std::lock_guard lock(state_.mutex);
    state_.changes += objects_.erase(key(*meta));
    return {};
  }

  // The rest only while holding the mutex.

  // A whole list was read at least once. Until then the table shows nothing: half a list is no
  // cluster.
  bool loaded() const { return loaded_; }
  std::size_t size() const { return loaded_ ? objects_.size() : 0; }
  template <class Visit>
  void each(Visit&& visit) const {
    if (!loaded_) return;
    for (const auto& [where, entry] : objects_) visit(entry.object);
  }

 private:
  struct Entry {
    Object object;
    std::uint64_t seen = 0;  // the last list that brought it
  };

  static std::string key(const Meta& meta) {
    std::string text(meta.ns.view());
    return (text += '/') += meta.name;
  }

  // The object is there, though what it says now cannot be read: what it said before stays.
  Status keep_last_good(std::string_view bytes, const Error& error) {
    const auto meta = decode_meta(bytes);
    if (!meta) return fail(error);
    std::lock_guard lock(state_.mutex);
    const auto known = objects_.find(key(*meta));
    if (known != objects_.end()) known->second.seen = generation_;
    const auto name = meta->ns.empty() ? meta->name : key(*meta);
    return fail(error.within(name));
  }

  TableState& state_;
  Decode decode_;
  OnVersion on_version_;
  std::unordered_map<std::string, Entry> objects_;
  std::uint64_t generation_ = 0;
  bool loaded_ = false;
};

}  // namespace schedlens::kube
