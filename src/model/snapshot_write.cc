// SPDX-License-Identifier: Apache-2.0
// The writing half of the snapshot file: an archive that turns every described member into JSON.
// What is empty or unknown is left out.

#include "base/json_writer.h"
#include "model/enum_names.h"
#include "model/fields.h"
#include "model/snapshot_file.h"

namespace schedlens::model {
namespace {

class Writer {
 public:
  explicit Writer(JsonWriter& json) : json_(json) {}

  template <class T>
  void operator()(std::string_view name, const T& v) {
    if (left_out(v)) return;
    json_.key(name);
    write(v);
  }

  template <class T>
  void write(const T& v) {
    if constexpr (std::is_enum_v<T>) {
      json_.value(lower(enum_name(v)));
    } else if constexpr (requires { describe(*this, v); }) {
      json_.object([&] { describe(*this, v); });
    } else {
      json_.value(v);
    }
  }
  template <class T>
  void write(const std::optional<T>& v) {
    write(*v);
  }
  template <class T>
  void write(const SharedOptional<T>& v) {
    write(*v);
  }
  template <class T>
  void write(const Shared<T>& v) {
    write(*v);
  }
  template <class T>
  void write(const std::shared_ptr<const T>& v) {
    write(*v);
  }
  template <class T>
  void write(const SharedList<T>& v) {
    json_.array([&] {
      for (const auto& item : v) write(item);
    });
  }
  template <class T>
  void write(const std::vector<T>& v) {
    json_.array([&] {
      for (const auto& item : v) write(item);
    });
  }
  template <class T>
  void write(const Flags<T>& v) {
    json_.array([&] {
      for (int i = 0; i < kEnumSize<T>; ++i) {
        if (v.has(static_cast<T>(i))) json_.value(lower(enum_name(static_cast<T>(i))));
      }
    });
  }
  template <class T>
  void write(const Bound<T>& v) {
    if (v.has_value()) {
      json_.value(v.value);
    } else {
      json_.value("unlimited");
    }
  }
  template <class Tag>
  void write(const Id<Tag>& v) {
    json_.value(v.index);
  }
  void write(const ResourceCounts& v) {
    json_.object([&] {
      for (const auto& item : v.items()) json_.field(item.name.view(), item.count);
    });
  }
  void write(const Quantities& v) {
    json_.object([&] {
      for (const auto& item : v.items()) json_.field(item.name.view(), item.amount);
    });
  }
  void write(const Labels& v) {
    json_.object([&] {
      for (const auto& label : v.items()) json_.field(label.key.view(), label.value);
    });
  }
  void write(const SchedulerConfig& v) {
    json_.array([&] {
      for (const auto& entry : v.entries) {
        json_.array([&] {
          json_.value(entry.first);
          json_.value(entry.second);
        });
      }
    });
  }

 private:
  template <class T>
  static bool left_out(const T& v) {
    if constexpr (requires { v.has_value(); }) {
      if constexpr (requires { v.known(); }) return !v.known();
      return !v.has_value();
    } else if constexpr (requires { v.get() == nullptr; }) {
      return v == nullptr;
    } else if constexpr (requires { v.empty(); }) {
      return v.empty();
    } else if constexpr (requires { v.any(); }) {
      return !v.any();
    } else {
      return false;
    }
  }

  template <class T>
  static bool left_out(const Shared<T>& v) {
    return left_out(*v);
  }

  JsonWriter& json_;
};

}  // namespace

std::string snapshot_to_json(const Snapshot& snapshot) {
  JsonWriter json;
  Writer writer(json);
  json.object([&] {
    json.field("format", "schedlens-snapshot");
    json.field("version", kSnapshotFileVersion);
    describe(writer, snapshot);
  });
  auto text = json.take();
  text += '\n';
  return text;
}

}  // namespace schedlens::model
