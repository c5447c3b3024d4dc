// SPDX-License-Identifier: Apache-2.0
#include "base/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <new>

namespace schedlens {
namespace {

// zlib: window of 32 KiB, plus 16 for the gzip header.
constexpr int kGzipWindow = 15 + 16;

Bytef* bytes(std::string_view data) {
  return reinterpret_cast<Bytef*>(const_cast<char*>(data.data()));
}

}  // namespace

bool is_gzip(std::string_view data) {
  return data.size() > 2 && data[0] == '\x1f' && data[1] == '\x8b';
}

std::string gzip(std::string_view data, int level) {
  z_stream stream{};
  if (deflateInit2(&stream, level, Z_DEFLATED, kGzipWindow, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::bad_alloc();
  }
  std::string out(deflateBound(&stream, data.size()), '\0');
  stream.next_in = bytes(data);
  stream.avail_in = static_cast<uInt>(data.size());
  stream.next_out = bytes(out);
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

Result<std::string> gunzip(std::string_view data, std::size_t max_size) {
  z_stream stream{};
  if (inflateInit2(&stream, kGzipWindow) != Z_OK) throw std::bad_alloc();
  std::string out;
  stream.next_in = bytes(data);
  stream.avail_in = static_cast<uInt>(data.size());
  int code = Z_OK;
  while (code == Z_OK) {
    auto done = out.size();
    out.resize(std::max<std::size_t>(64 * 1024, done * 2));
    stream.next_out = bytes(out) + done;
    stream.avail_out = static_cast<uInt>(out.size() - done);
    code = inflate(&stream, Z_NO_FLUSH);
    out.resize(stream.total_out);
    if (out.size() > max_size) {
      inflateEnd(&stream);
      return fail("gzip: the content is larger than {} bytes", max_size);
    }
  }
  inflateEnd(&stream);
  if (code != Z_STREAM_END) return fail("gzip: the data are damaged or cut off");
  return out;
}

}  // namespace schedlens
