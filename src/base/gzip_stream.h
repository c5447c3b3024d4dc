// SPDX-License-Identifier: Apache-2.0
#pragma once
// gzip of a text that comes in pieces and is never held as a whole. One thread.

#include <memory>
#include <string>
#include <string_view>

namespace schedlens {

class GzipStream {
 public:
  explicit GzipStream(int level);  // 1 (fast) to 9 (small)
  ~GzipStream();
  GzipStream(const GzipStream&) = delete;
  GzipStream& operator=(const GzipStream&) = delete;

  // What can be written so far is appended to out.
  void add(std::string_view piece, std::string& out);
  // The rest. Once.
  void finish(std::string& out);

 private:
  struct State;
  void run(int flush, std::string& out);
  std::unique_ptr<State> state_;
};

}  // namespace schedlens
