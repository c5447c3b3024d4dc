// SPDX-License-Identifier: Apache-2.0
#pragma once
// One protobuf message of the Kubernetes API, read field by field. Every getter is told the field's
// name, so that an error can say where in the object it is: "spec.containers.resources.requests".

#include <cstdint>
#include <optional>
#include <protozero/pbf_reader.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "base/symbol.h"
#include "base/units.h"
#include "kube/quantity.h"

namespace schedlens::kube {

// Thrown by Fields, caught by decoded(): it never leaves this folder.
class Fault : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Reads from bytes that the caller keeps. Of one thread.
class Fields {
 public:
  // name is the message's place in its parent, a literal; the parent must outlive it.
  explicit Fields(std::string_view bytes, const char* name = nullptr,
                  const Fields* parent = nullptr);

  // Goes to the next field, past whatever of the present one was not read.
  bool next();
  std::uint32_t number() const { return number_; }

  std::string_view text(const char* name);
  Symbol symbol(const char* name) { return Symbol(text(name)); }
  std::string string(const char* name) { return std::string(text(name)); }
  std::int64_t integer(const char* name);
  std::int32_t int32(const char* name) { return static_cast<std::int32_t>(integer(name)); }
  bool boolean(const char* name) { return integer(name) != 0; }
  Fields message(const char* name) { return Fields(text(name), name, this); }
  // meta/v1 Time and MicroTime; nothing for the zero time, which is written as an empty message.
  std::optional<Timestamp> time(const char* name);
  // One entry of a map with text keys; the value's bytes as they are.
  std::pair<std::string_view, std::string_view> entry(const char* name);
  // One entry of a map of quantities.
  std::pair<Symbol, Amount> amount(const char* name);

 private:
  void expect(protozero::pbf_wire_type type, const char* name) const;
  [[noreturn]] void fault(const char* name, std::string_view what) const;
  std::string path() const;

  protozero::pbf_reader reader_;
  const char* name_;
  const Fields* parent_;
  std::uint32_t number_ = 0;
  bool unread_ = false;
};

// What read() returns, or the Fault it threw.
template <class Read>
auto decoded(Read&& read) -> Result<decltype(read())> {
  try {
    return read();
  } catch (const Fault& f) {
    return fail(Error(f.what()));
  }
}

}  // namespace schedlens::kube
