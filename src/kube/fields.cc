// SPDX-License-Identifier: Apache-2.0
#include "kube/fields.h"

#include <fmt/format.h>

#include <protozero/exception.hpp>

namespace schedlens::kube {

Fields::Fields(std::string_view bytes, const char* name, const Fields* parent)
    : reader_(bytes.data(), bytes.size()), name_(name), parent_(parent) {}

bool Fields::next() {
  try {
    if (unread_) reader_.skip();
    unread_ = reader_.next();
    number_ = unread_ ? reader_.tag() : 0;
    return unread_;
  } catch (const protozero::exception& e) {
    fault(nullptr, e.what());
  }
}

void Fields::expect(protozero::pbf_wire_type type, const char* name) const {
  if (!unread_ || reader_.wire_type() != type) fault(name, "wrong wire type");
}

std::string_view Fields::text(const char* name) {
  expect(protozero::pbf_wire_type::length_delimited, name);
  try {
    const auto view = reader_.get_view();
    unread_ = false;
    return {view.data(), view.size()};
  } catch (const protozero::exception& e) {
    fault(name, e.what());
  }
}

std::int64_t Fields::integer(const char* name) {
  expect(protozero::pbf_wire_type::varint, name);
  try {
    const auto value = reader_.get_int64();
    unread_ = false;
    return value;
  } catch (const protozero::exception& e) {
    fault(name, e.what());
  }
}

std::optional<Timestamp> Fields::time(const char* name) {
  auto fields = message(name);
  std::optional<Timestamp> moment;
  while (fields.next()) {
    if (fields.number() == 1) moment = Timestamp{fields.integer("seconds")};
  }
  return moment;
}

std::pair<std::string_view, std::string_view> Fields::entry(const char* name) {
  auto fields = message(name);
  std::pair<std::string_view, std::string_view> result;
  while (fields.next()) {
    if (fields.number() == 1) result.first = fields.text("key");
    if (fields.number() == 2) result.second = fields.text("value");
  }
  return result;
}

std::pair<Symbol, Amount> Fields::amount(const char* name) {
  const auto [key, value] = entry(name);
  Fields fields(value, name, this);
  std::pair<Symbol, Amount> result{Symbol(key), {}};
  while (fields.next()) {
    if (fields.number() != 1) continue;
    auto parsed = parse_quantity(fields.text("string"));
    if (!parsed) fault(name, parsed.error().within(key).message());
    result.second = *parsed;
  }
  return result;
}

std::string Fields::path() const {
  std::string text = parent_ ? parent_->path() : "";
  if (!name_) return text;
  if (!text.empty()) text += '.';
  return text + name_;
}

void Fields::fault(const char* name, std::string_view what) const {
  auto place = path();
  if (name) place += (place.empty() ? "" : ".") + std::string(name);
  throw Fault(place.empty() ? std::string(what) : fmt::format("{}: {}", place, what));
}

}  // namespace schedlens::kube
