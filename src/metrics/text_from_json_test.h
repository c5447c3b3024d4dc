// SPDX-License-Identifier: Apache-2.0
#pragma once
// The Prometheus text that a JSON page stands for, so that the two forms can be held against each
// other.

#include <fmt/format.h>
#include <simdjson.h>

#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

namespace schedlens::metrics::test {

class TextFromJson {
 public:
  // "not JSON" where it is none.
  std::string read(const std::string& json) {
    simdjson::dom::parser parser;
    simdjson::dom::element page;
    if (parser.parse(json).get(page) != simdjson::SUCCESS) return "not JSON";
    for (auto family : page["families"]) {
      std::string_view name = family["name"], type = family["type"], help = family["help"];
      line("# HELP {} {}", name, escaped(help, "\\"));
      line("# TYPE {} {}", name, type);
      for (auto sample : family["samples"]) write(name, sample);
    }
    return text_;
  }

 private:
  using Element = simdjson::dom::element;

  template <class... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
    text_ += '\n';
  }

  void write(std::string_view name, Element sample) {
    std::string labels;
    for (auto [key, value] : simdjson::dom::object(sample["labels"])) {
      labels += fmt::format("{}{}=\"{}\"", labels.empty() ? "" : ",", key,
                            escaped(std::string_view(value), "\\\"\n"));
    }
    auto with = [](const std::string& all) { return all.empty() ? all : "{" + all + "}"; };
    Element value;
    if (sample["value"].get(value) == simdjson::SUCCESS) {
      line("{}{} {}", name, with(labels), number(value));
      return;
    }
    auto before = labels.empty() ? labels : labels + ",";
    for (auto bucket : sample["buckets"]) {
      line("{}_bucket{{{}le=\"{}\"}} {}", name, before, number(bucket["le"]),
           number(bucket["count"]));
    }
    line("{}_sum{} {}", name, with(labels), number(sample["sum"]));
    line("{}_count{} {}", name, with(labels), number(sample["count"]));
  }

  static std::string number(Element value) {
    if (value.is_string()) return std::string(std::string_view(value));
    if (value.is_uint64()) return fmt::to_string(std::uint64_t(value));
    if (value.is_int64()) return fmt::to_string(std::int64_t(value));
    return fmt::to_string(double(value));
  }

  static std::string escaped(std::string_view text, std::string_view special) {
    std::string out;
    for (char c : text) {
      if (special.find(c) != std::string_view::npos) out += '\\';
      out += c == '\n' ? 'n' : c;
    }
    return out;
  }

  std::string text_;
};

}  // namespace schedlens::metrics::test
