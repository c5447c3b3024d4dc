// SPDX-License-Identifier: Apache-2.0
#include "memory/codec.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

namespace schedlens::memory {
namespace {

constexpr std::array kPowers = {1.0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6};
constexpr double kLargestWhole = 9007199254740992.0;  // 2^53

enum IntegerMode : char { kAllEqual = 0, kRice = 1 };
enum DoubleMode : char {
  kConstant = 0,
  kDecimalSteps = 1,
  kDecimalValues = 2,
  kXor = 3,
  kPlain = 4
};

// A quotient from here on is written as so many ones and the whole number in 64 bits.
constexpr unsigned kEscape = 40;

class BitWriter {
 public:
  explicit BitWriter(std::string& out) : out_(out) {}
  ~BitWriter() {
    if (used_ > 0) out_ += static_cast<char>(bits_ << (8 - used_));
  }
  BitWriter(const BitWriter&) = delete;
  BitWriter& operator=(const BitWriter&) = delete;

  void put(std::uint64_t value, unsigned count) {
    while (count > 0) {
      const unsigned take = std::min(count, 8 - used_);
      const auto part = (value >> (count - take)) & ((1U << take) - 1);
      bits_ = static_cast<std::uint8_t>((bits_ << take) | part);
      used_ += take;
      count -= take;
      if (used_ == 8) {
        out_ += static_cast<char>(bits_);
        bits_ = 0;
        used_ = 0;
      }
    }
  }

 private:
  std::string& out_;
  std::uint8_t bits_ = 0;
  unsigned used_ = 0;
};

class BitReader {
 public:
  explicit BitReader(std::string_view in) : in_(in) {}
  bool take(unsigned count, std::uint64_t& value) {
    if (count > in_.size() * 8 - at_) return false;
    value = 0;
    while (count > 0) {
      const unsigned offset = at_ % 8, part = std::min(count, 8 - offset);
      const auto byte = static_cast<std::uint8_t>(in_[at_ / 8]);
      value = (value << part) | ((byte >> (8 - offset - part)) & ((1U << part) - 1));
      at_ += part;
      count -= part;
    }
    return true;
  }
  // Ones until a zero, at most kEscape; the zero is taken too.
  bool take_ones(unsigned& ones) {
    for (ones = 0; ones < kEscape; ++ones) {
      if (at_ >= in_.size() * 8) return false;
      const bool one = static_cast<std::uint8_t>(in_[at_ / 8]) >> (7 - at_ % 8) & 1;
      ++at_;
      if (!one) return true;
    }
    return true;
  }
  std::size_t bytes_used() const { return (at_ + 7) / 8; }

 private:
  std::string_view in_;
  std::size_t at_ = 0;
};

std::uint64_t rice_bits(std::span<const std::uint64_t> values, unsigned k) {
  std::uint64_t bits = 0;
  for (const auto v : values) {
    const auto quotient = v >> k;
    bits += quotient < kEscape ? quotient + 1 + k : kEscape + 64;
  }
  return bits;
}

// Of all parameters the best; it is near the logarithm of the mean.
unsigned rice_parameter(std::span<const std::uint64_t> values, std::uint64_t& bits) {
  double sum = 0;
  for (const auto v : values) sum += static_cast<double>(v);
  const double mean = sum / static_cast<double>(values.size());
  const auto near = static_cast<unsigned>(mean < 1 ? 0 : std::min(60.0, std::log2(mean)));
  unsigned best = near;
  bits = rice_bits(values, near);
  const auto try_one = [&](unsigned k) {
    const auto cost = rice_bits(values, k);
    if (cost >= bits) return false;
    bits = cost;
    best = k;
    return true;
  };
  for (unsigned k = near; k > 0 && try_one(k - 1); --k) {
  }
  if (best == near) try_one(near + 1);
  return best;
}

// Differences wrap around as unsigned numbers do, and come back the same.
std::int64_t minus(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}
std::int64_t plus(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

struct IntegerPlan {
  std::int64_t base = 0;
  bool equal = true;
  unsigned k = 0;
  std::uint64_t bits = 0;
  std::vector<std::uint64_t> rest;
};

IntegerPlan plan_of(std::span<const std::int64_t> values) {
  IntegerPlan plan;
  if (values.empty()) return plan;
  plan.base = values[0];
  plan.equal = std::all_of(values.begin(), values.end(), [&](auto v) { return v == plan.base; });
  if (plan.equal) return plan;
  std::vector<std::int64_t> sorted(values.begin(), values.end());
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  plan.base = *middle;
  plan.rest.reserve(values.size());
  for (const auto v : values) plan.rest.push_back(zigzag(minus(v, plan.base)));
  plan.k = rice_parameter(plan.rest, plan.bits);
  return plan;
}

void write(const IntegerPlan& plan, std::string& out) {
  out += plan.equal ? kAllEqual : kRice;
  put_varint(zigzag(plan.base), out);
  if (plan.equal) return;
  out += static_cast<char>(plan.k);
  BitWriter bits(out);
  for (const auto v : plan.rest) {
    const auto quotient = v >> plan.k;
    if (quotient < kEscape) {
      bits.put(~std::uint64_t{1}, static_cast<unsigned>(quotient) + 1);
      bits.put(v, plan.k);
    } else {
      bits.put(~std::uint64_t{0}, kEscape);
      bits.put(v, 64);
    }
  }
}

// One of each a thread: making them costs more than a chunk.
struct Deflater {
  Deflater() { deflateInit2(&stream, 6, Z_DEFLATED, -12, 5, Z_DEFAULT_STRATEGY); }
  ~Deflater() { deflateEnd(&stream); }
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;
  z_stream stream{};
};
struct Inflater {
  Inflater() { inflateInit2(&stream, -15); }
  ~Inflater() { inflateEnd(&stream); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  z_stream stream{};
};

Bytef* bytes(const char* data) {
  return reinterpret_cast<Bytef*>(const_cast<char*>(data));
}

// Deflated to fewer bytes than it has, or nothing.
std::string deflated(const std::string& in) {
  thread_local Deflater deflater;
  auto& stream = deflater.stream;
  deflateReset(&stream);
  std::string out(in.size(), '\0');
  stream.next_in = bytes(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = bytes(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  if (deflate(&stream, Z_FINISH) != Z_STREAM_END) return "";
  out.resize(stream.total_out);
  return out;
}

bool inflate_exactly(std::string_view in, std::string& out) {
  thread_local Inflater inflater;
  auto& stream = inflater.stream;
  inflateReset(&stream);
  stream.next_in = bytes(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = bytes(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  return inflate(&stream, Z_FINISH) == Z_STREAM_END && stream.total_out == out.size();
}

// Of each value the XOR with the one before; then all first bytes, all second bytes, ...
void encode_xor(std::span<const double> values, std::string& out) {
  const auto n = values.size();
  std::string planes(n * 8, '\0');
  std::uint64_t before = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const auto bits = std::bit_cast<std::uint64_t>(values[i]);
    const auto changed = bits ^ before;
    before = bits;
    for (std::size_t b = 0; b < 8; ++b)
      planes[b * n + i] = static_cast<char>(changed >> (56 - 8 * b));
  }
  const auto small = deflated(planes);
  out += small.empty() ? kPlain : kXor;
  const auto& body = small.empty() ? planes : small;
  put_varint(body.size(), out);
  out += body;
}

bool decode_xor(std::string_view& in, bool plain, std::size_t n, std::vector<double>& out) {
  std::uint64_t size = 0;
  if (!take_varint(in, size) || size > in.size()) return false;
  std::string planes;
  if (plain) {
    if (size != n * 8) return false;
    planes = in.substr(0, size);
  } else {
    // Deflate makes at most 1032 bytes of one.
    if (n * 8 / 1032 > size) return false;
    planes.resize(n * 8);
    if (!inflate_exactly(in.substr(0, size), planes)) return false;
  }
  in.remove_prefix(size);
  std::uint64_t before = 0;
  for (std::size_t i = 0; i < n; ++i) {
    std::uint64_t changed = 0;
    for (std::size_t b = 0; b < 8; ++b) {
      changed = changed << 8 | static_cast<std::uint8_t>(planes[b * n + i]);
    }
    before ^= changed;
    out.push_back(std::bit_cast<double>(before));
  }
  return true;
}

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

}  // namespace

double power_of_ten(int exponent) {
  return kPowers[static_cast<std::size_t>(exponent)];
}

void put_varint(std::uint64_t value, std::string& out) {
  while (value >= 0x80) {
    out += static_cast<char>(value | 0x80);
    value >>= 7;
  }
  out += static_cast<char>(value);
}

bool take_varint(std::string_view& in, std::uint64_t& value) {
  value = 0;
  for (unsigned i = 0; i < 10 && i < in.size(); ++i) {
    const auto byte = static_cast<std::uint8_t>(in[i]);
    value |= static_cast<std::uint64_t>(byte & 0x7f) << (7 * i);
    if (byte < 0x80) {
      in.remove_prefix(i + 1);
      return true;
    }
  }
  return false;
}

void encode_integers(std::span<const std::int64_t> values, std::string& out) {
  write(plan_of(values), out);
}

bool decode_integers(std::string_view& in, std::size_t count, std::vector<std::int64_t>& out) {
  if (in.empty()) return false;
  const char mode = in.front();
  in.remove_prefix(1);
  std::uint64_t base_bits = 0;
  if ((mode != kAllEqual && mode != kRice) || !take_varint(in, base_bits)) return false;
  const auto base = unzigzag(base_bits);
  if (mode == kAllEqual) {
    out.insert(out.end(), count, base);
    return true;
  }
  if (in.empty() || static_cast<std::uint8_t>(in.front()) > 62) return false;
  const unsigned k = static_cast<std::uint8_t>(in.front());
  in.remove_prefix(1);
  if (count > in.size() * 8) return false;
  BitReader bits(in);
  for (std::size_t i = 0; i < count; ++i) {
    unsigned quotient = 0;
    std::uint64_t value = 0;
    if (!bits.take_ones(quotient)) return false;
    if (!bits.take(quotient == kEscape ? 64 : k, value)) return false;
    if (quotient != kEscape) value |= std::uint64_t{quotient} << k;
    out.push_back(plus(base, unzigzag(value)));
  }
  in.remove_prefix(bits.bytes_used());
  return true;
}

int decimal_places(std::span<const double> values, std::vector<std::int64_t>& scaled) {
  int places = 0;
  scaled.clear();
  while (scaled.size() < values.size()) {
    const auto power = power_of_ten(places);
    const auto v = values[scaled.size()];
    const auto whole = std::nearbyint(v * power);
    if (!(std::abs(whole) < kLargestWhole)) return -1;  // NaN, too
    if (same_bits(static_cast<double>(static_cast<std::int64_t>(whole)) / power, v)) {
      scaled.push_back(static_cast<std::int64_t>(whole));
      continue;
    }
    if (static_cast<std::size_t>(++places) == kPowers.size()) return -1;
    scaled.clear();
  }
  return places;
}

void encode_doubles(std::span<const double> values, std::string& out) {
  if (std::all_of(values.begin(), values.end(),
                  [&](double v) { return same_bits(v, values[0]); })) {
    const double v = values.empty() ? 0 : values[0];
    out += kConstant;
    out.append(reinterpret_cast<const char*>(&v), sizeof v);
    return;
  }
  std::vector<std::int64_t> scaled;
  const int places = decimal_places(values, scaled);
  if (places < 0) return encode_xor(values, out);
  std::vector<std::int64_t> steps;
  steps.reserve(scaled.size());
  for (std::size_t i = 1; i < scaled.size(); ++i) steps.push_back(minus(scaled[i], scaled[i - 1]));
  const auto by_steps = plan_of(steps);
  const auto by_values = plan_of(scaled);
  const bool step_wise = by_steps.equal || (!by_values.equal && by_steps.bits <= by_values.bits);
  out += step_wise ? kDecimalSteps : kDecimalValues;
  out += static_cast<char>(places);
  if (step_wise) put_varint(zigzag(scaled[0]), out);
  write(step_wise ? by_steps : by_values, out);
}

bool decode_doubles(std::string_view& in, std::size_t count, std::vector<double>& out) {
  if (in.empty()) return false;
  const char mode = in.front();
  in.remove_prefix(1);
  if (mode == kConstant) {
    double v = 0;
    if (in.size() < sizeof v) return false;
    std::memcpy(&v, in.data(), sizeof v);
    in.remove_prefix(sizeof v);
    out.insert(out.end(), count, v);
    return true;
  }
  if (mode == kXor || mode == kPlain) return decode_xor(in, mode == kPlain, count, out);
  if ((mode != kDecimalSteps && mode != kDecimalValues) || in.empty() || count == 0) return false;
  const auto places = static_cast<std::uint8_t>(in.front());
  in.remove_prefix(1);
  if (places >= kPowers.size()) return false;
  const auto power = power_of_ten(places);
  std::vector<std::int64_t> whole;
  whole.reserve(std::min<std::size_t>(count, in.size() * 8));
  if (mode == kDecimalSteps) {
    std::uint64_t first = 0;
    if (!take_varint(in, first)) return false;
    whole.push_back(unzigzag(first));
    if (!decode_integers(in, count - 1, whole)) return false;
    for (std::size_t i = 1; i < whole.size(); ++i) whole[i] = plus(whole[i], whole[i - 1]);
  } else if (!decode_integers(in, count, whole)) {
    return false;
  }
  for (const auto w : whole) out.push_back(static_cast<double>(w) / power);
  return true;
}

}  // namespace schedlens::memory
