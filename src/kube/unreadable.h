// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which objects are there but could not be understood, with examples for people.

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace schedlens::kube {

class Unreadable {
 public:
  void add(const std::string& object, const std::string& why) {
    if (known_.size() < kMostKnown || known_.contains(object)) {
      known_[object] = why;
    } else {
      ++others_;
    }
  }
  // It could be read after all, or is gone.
  void forget(const std::string& object) { known_.erase(object); }
  void clear() {
    known_.clear();
    others_ = 0;
  }
  bool empty() const { return known_.empty() && others_ == 0; }
  std::uint64_t count() const { return known_.size() + others_; }
  std::vector<std::string> examples() const {
    std::vector<std::string> out;
    for (const auto& entry : known_) {
      if (out.size() == kExamples) break;
      out.push_back(entry.second);
    }
    return out;
  }

 private:
  static constexpr std::size_t kMostKnown = 1000;
  static constexpr std::size_t kExamples = 3;
  std::map<std::string, std::string> known_;
  std::uint64_t others_ = 0;
};

}  // namespace schedlens::kube
