// SPDX-License-Identifier: Apache-2.0
#include "base/gzip_stream.h"

#include <zlib.h>

#include <array>
#include <new>

namespace schedlens {
namespace {

// zlib: window of 32 KiB, plus 16 for the gzip header.
constexpr int kGzipWindow = 15 + 16;

}  // namespace

struct GzipStream::State {
  z_stream stream{};
  std::array<Bytef, 64 * 1024> buffer;
};

GzipStream::GzipStream(int level) : state_(std::make_unique<State>()) {
  const int code =
      deflateInit2(&state_->stream, level, Z_DEFLATED, kGzipWindow, 8, Z_DEFAULT_STRATEGY);
  if (code != Z_OK) throw std::bad_alloc();
}

GzipStream::~GzipStream() {
  deflateEnd(&state_->stream);
}

void GzipStream::run(int flush, std::string& out) {
  auto& s = state_->stream;
  do {
    s.next_out = state_->buffer.data();
    s.avail_out = static_cast<uInt>(state_->buffer.size());
    deflate(&s, flush);
    out.append(reinterpret_cast<const char*>(state_->buffer.data()),
               state_->buffer.size() - s.avail_out);
  } while (s.avail_out == 0);
}

void GzipStream::add(std::string_view piece, std::string& out) {
  state_->stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(piece.data()));
  state_->stream.avail_in = static_cast<uInt>(piece.size());
  run(Z_NO_FLUSH, out);
}

void GzipStream::finish(std::string& out) {
  state_->stream.next_in = nullptr;
  state_->stream.avail_in = 0;
  run(Z_FINISH, out);
}

}  // namespace schedlens
