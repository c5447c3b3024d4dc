// SPDX-License-Identifier: Apache-2.0
#include "metrics/exposition.h"

#include <fmt/format.h>

#include <cassert>
#include <charconv>
#include <cmath>
#include <iterator>

#include "base/utf8.h"

namespace schedlens::metrics {
namespace {

constexpr std::size_t kPiece = 64 * 1024;

// Bytes that cannot stand in a label value as they are, in either form.
constexpr bool needs_care(char c) {
  auto byte = static_cast<unsigned char>(c);
  return c == '\\' || c == '"' || byte < 0x20 || byte >= 0x80;
}

template <class Number>
void put_number(std::string& text, Number number) {
  char digits[32];
  auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
  text.append(digits, static_cast<std::size_t>(end - digits));
}

}  // namespace

Exposition::Exposition(Sink sink, const std::vector<std::string>& prefixes,
                       std::optional<std::uint32_t> limit, Form form)
    : sink_(std::move(sink)), form_(form), limit_(limit) {
  for (std::size_t i = 0; i < kFamilyCount; ++i) {
    wanted_[i] = prefixes.empty();
    for (const auto& p : prefixes) wanted_[i] = wanted_[i] || kFamilies[i].name.starts_with(p);
  }
  text_.reserve(kPiece + 4096);
  if (form_ == Form::kJson) {
    text_ = "{\"version\": 1, \"families\": [";
    close_ = "\"}, \"value\": ";
  }
}

bool Exposition::open(FamilyRef f, [[maybe_unused]] std::size_t labels) {
  assert(labels == f->label_count());
  if (!wanted_[f.index]) return false;
  if (current_ != f) {
    // A second stretch of one family would make the whole page unreadable.
    assert(!started_[f.index]);
    if (started_[f.index]) return false;
    start_family(f);
  }
  if (samples_ >= limit_.value_or(f->limit)) {
    ++dropped_[f.index];
    return false;
  }
  if (form_ == Form::kJson) text_ += samples_ > 0 ? ",\n    " : "\n    ";
  ++samples_;
  ++series_;
  return true;
}

void Exposition::start_family(FamilyRef f) {
  if (form_ == Form::kJson) end_json_family();
  current_ = f;
  started_[f.index] = true;
  samples_ = 0;
  if (form_ == Form::kJson) {
    start_json_family();
  } else {
    start_text_family();
  }
}

void Exposition::start_text_family() {
  const auto& f = *current_;
  text_.append("# HELP ").append(f->name).append(" ");
  for (char c : f->help) {
    if (c == '\\') text_ += '\\';
    text_ += c;
  }
  text_.append("\n# TYPE ").append(f->name).append(" ").append(type_name(f->type)).append("\n");
  bare_.assign(f->name).append(" ");
  for (std::size_t i = 0; i < f->label_count(); ++i) {
    before_label_[i] = i == 0 ? std::string(f->name) + "{" : std::string("\",");
    before_label_[i].append(f->labels[i]).append("=\"");
  }
}

void Exposition::start_json_family() {
  const auto& f = *current_;
  text_ += "\n  {\"name\": \"";
  text_.append(f->name).append("\", \"type\": \"").append(type_name(f->type)).append("\", ");
  if (!f->unit.empty()) text_.append("\"unit\": \"").append(f->unit).append("\", ");
  text_ += "\"help\": \"";
  put_escaped(f->help);
  text_ += "\", \"samples\": [";
  bare_ = "{\"labels\": {}, \"value\": ";
  for (std::size_t i = 0; i < f->label_count(); ++i) {
    before_label_[i] = i == 0 ? "{\"labels\": {\"" : "\", \"";
    before_label_[i].append(f->labels[i]).append("\": \"");
  }
}

void Exposition::end_json_family() {
  if (current_) text_ += "]},";
}

void Exposition::put_escaped(std::string_view value) {
  std::size_t clean = 0;  // start of the stretch not yet copied
  for (std::size_t i = 0; i < value.size();) {
    if (!needs_care(value[i])) {
      ++i;
      continue;
    }
    text_.append(value, clean, i - clean);
    if (auto length = utf8_length(value, i); length > 1) {
      text_.append(value, i, length);
      i += length;
    } else {
      put_special(value[i++]);
    }
    clean = i;
  }
  text_.append(value, clean);
}

void Exposition::put_special(char c) {
  auto byte = static_cast<unsigned char>(c);
  if (c == '\\' || c == '"') {
    text_ += '\\';
    text_ += c;
  } else if (c == '\n') {
    text_ += "\\n";
  } else if (byte >= 0x80) {
    text_ += "\xEF\xBF\xBD";
  } else if (form_ == Form::kJson) {
    fmt::format_to(std::back_inserter(text_), "\\u{:04x}", byte);
  } else {
    text_ += c;
  }
}

void Exposition::put_histogram(const Histogram& h, std::initializer_list<std::string_view> labels) {
  series_ += h.counts().size() + 1;
  if (form_ == Form::kJson) return put_json_histogram(h, labels);
  auto name = (*current_)->name;
  auto line = [&](std::string_view suffix, bool bucket, double bound) {
    text_.append(name).append(suffix);
    char before = '{';
    std::size_t i = 0;
    for (auto value : labels) {
      text_ += before;
      text_.append((*current_)->labels[i++]).append("=\"");
      put_escaped(value);
      text_ += '"';
      before = ',';
    }
    if (bucket) {
      text_ += before;
      text_ += "le=\"";
      put(bound);
      text_ += '"';
      before = ',';
    }
    text_ += before == '{' ? " " : "} ";
  };
  std::uint64_t below = 0;
  for (std::size_t i = 0; i < h.counts().size(); ++i) {
    below += h.counts()[i];
    line("_bucket", true, i < h.bounds().size() ? h.bounds()[i] : INFINITY);
    put(below);
    end_line();
  }
  line("_sum", false, 0);
  put(h.sum());
  end_line();
  line("_count", false, 0);
  put(h.count());
  end_line();
}

void Exposition::put_json_histogram(const Histogram& h,
                                    std::initializer_list<std::string_view> labels) {
  std::size_t i = 0;
  for (auto value : labels) put_label(i++, value);
  text_ += i > 0 ? "\"}, \"buckets\": [" : "{\"labels\": {}, \"buckets\": [";
  std::uint64_t below = 0;
  for (std::size_t b = 0; b < h.counts().size(); ++b) {
    below += h.counts()[b];
    text_ += b > 0 ? ", {\"le\": " : "{\"le\": ";
    put(b < h.bounds().size() ? h.bounds()[b] : INFINITY);
    text_ += ", \"count\": ";
    put(below);
    text_ += '}';
  }
  text_ += "], \"sum\": ";
  put(h.sum());
  text_ += ", \"count\": ";
  put(h.count());
  end_sample();
}

void Exposition::put(double number) {
  std::string_view quote = form_ == Form::kJson ? "\"" : "";
  if (std::isnan(number)) {
    text_.append(quote).append("NaN").append(quote);
  } else if (std::isinf(number)) {
    text_.append(quote).append(number > 0 ? "+Inf" : "-Inf").append(quote);
  } else if (number == std::trunc(number) && std::abs(number) < 1e15) {
    put_number(text_, static_cast<std::int64_t>(number));
  } else {
    put_number(text_, number);
  }
}

void Exposition::put_signed(std::int64_t number) {
  put_number(text_, number);
}

void Exposition::put_unsigned(std::uint64_t number) {
  put_number(text_, number);
}

void Exposition::end_sample() {
  if (form_ == Form::kJson) text_ += '}';
  end_line();
}

void Exposition::end_line() {
  if (form_ == Form::kText) text_ += '\n';
  if (text_.size() >= kPiece) flush();
}

void Exposition::finish() {
  if (form_ == Form::kJson) text_ += current_ ? "]}\n]}\n" : "]}\n";
  flush();
}

void Exposition::flush() {
  if (text_.empty()) return;
  sink_(text_);
  flushed_ += text_.size();
  text_.clear();
}

}  // namespace schedlens::metrics
