// SPDX-License-Identifier: Apache-2.0
#pragma once
// The objects of one resource as the API server last said, in the order of namespace and name, so
// that two Snapshots of one state are equal.

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "kube/meta.h"
#include "kube/sink.h"

namespace schedlens::kube {

// What tells the objects of one resource apart.
struct Where {
  Symbol ns;
  std::string_view name;

  std::string text() const {
    auto whole = ns.empty() ? std::string() : ns.str() + "/";
    return whole += name;
  }
  friend bool operator<(const Where& a, const Where& b) {
    return a.ns != b.ns ? a.ns < b.ns : a.name < b.name;
  }
};
inline Where where(const Meta& meta) {
  return {meta.ns, meta.name};
}
template <class Object>
Where where(const Object& object) {
  return where(object.meta);
}

// Object has a member `Meta meta`, or a where() of its own. The stream's thread writes; whoever
// holds the mutex, which all tables of one cluster share, reads.
template <class Object>
class ObjectTable final : public Sink {
 public:
  // Nothing where the object is of no interest: then it is treated as not there.
  using Decode = std::function<Result<std::optional<Object>>(std::string_view)>;

  using ReadMeta = Result<Meta> (*)(std::string_view);

  // The version is of the API that the objects are written in ("policy/v1").
  using OnVersion = std::function<void(std::string_view)>;

  ObjectTable(std::mutex& mutex, Decode decode, OnVersion on_version = nullptr,
              ReadMeta read_meta = decode_meta)
      : mutex_(mutex),
        decode_(std::move(decode)),
        on_version_(std::move(on_version)),
        read_meta_(read_meta) {}

  // Called with each object that goes, holding the mutex.
  void when_gone(std::function<void(const Object&)> callback) { on_gone_ = std::move(callback); }

  void use_version(std::string_view api_version) override {
    if (on_version_) on_version_(api_version);
  }

  void begin_list() override {
    std::lock_guard lock(mutex_);
    ++generation_;
  }

  void end_list() override {
    std::lock_guard lock(mutex_);
    std::erase_if(objects_, [&](const auto& entry) {
      const bool gone = entry.seen != generation_;
      if (gone && on_gone_) on_gone_(entry.object);
      return gone;
    });
    loaded_ = true;
  }

  Status take(std::string_view bytes) override {
    auto object = decode_(bytes);
    if (!object) return keep_last_good(bytes, object.error());
    std::lock_guard lock(mutex_);
    if (!*object) {
      const auto meta = read_meta_(bytes);
      if (meta) remove(where(*meta));
      return {};
    }
    put(std::move(**object));
    return {};
  }

  Status remove(std::string_view bytes) override {
    const auto meta = read_meta_(bytes);
    if (!meta) return fail(meta.error());
    std::lock_guard lock(mutex_);
    remove(where(*meta));
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
    for (const auto& entry : objects_) visit(std::as_const(entry.object));
  }
  // What the visitor changes must not be where the object is.
  template <class Visit>
  void each(Visit&& visit) {
    if (!loaded_) return;
    for (const auto& entry : objects_) visit(entry.object);
  }

 private:
  // Its place in the set is where the object is: that never changes.
  struct Entry {
    mutable Object object;
    mutable std::uint64_t seen = 0;  // the last list that brought it
  };
  struct ByWhere {
    using is_transparent = void;
    static Where of(const Where& w) { return w; }
    static Where of(const Entry& e) { return where(std::as_const(e.object)); }
    bool operator()(const auto& a, const auto& b) const { return of(a) < of(b); }
  };

  void put(Object object) {
    const auto at_place = where(std::as_const(object));
    // Lists come in order.
    const bool last = objects_.empty() || ByWhere()(*objects_.rbegin(), at_place);
    const auto at = last ? objects_.end() : objects_.lower_bound(at_place);
    if (at == objects_.end() || ByWhere()(at_place, *at)) {
      objects_.insert(at, Entry{std::move(object), generation_});
    } else {
      at->object = std::move(object);
      at->seen = generation_;
    }
  }

  void remove(const Where& place) {
    const auto at = objects_.find(place);
    if (at == objects_.end()) return;
    if (on_gone_) on_gone_(at->object);
    objects_.erase(at);
  }

  // The object is there, though what it says now cannot be read: what it said before stays.
  Status keep_last_good(std::string_view bytes, const Error& error) {
    const auto meta = read_meta_(bytes);
    if (!meta) return fail(error);
    std::lock_guard lock(mutex_);
    const auto known = objects_.find(where(*meta));
    if (known != objects_.end()) known->seen = generation_;
    return fail(error.within(where(*meta).text()));
  }

  std::mutex& mutex_;
  Decode decode_;
  OnVersion on_version_;
  std::function<void(const Object&)> on_gone_;
  ReadMeta read_meta_;
  std::set<Entry, ByWhere> objects_;
  std::uint64_t generation_ = 0;
  bool loaded_ = false;
};

}  // namespace schedlens::kube
