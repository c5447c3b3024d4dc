// SPDX-License-Identifier: Apache-2.0
// The reading half of the snapshot file: an archive that fills every described member from JSON.
// A member that the document lacks keeps its default; one that the document has and we do not
// know is an error, because it would be lost silently.

#include <simdjson.h>

#include <charconv>

#include "model/enum_names.h"
#include "model/fields.h"
#include "model/snapshot_file.h"

namespace schedlens::model {
namespace {

using simdjson::dom::element;

// Carried as an exception inside this file only: the archive's calls have no result to return.
struct Mismatch {
  std::string place;
  std::string message;
};

class Reader {
 public:
  Reader(element object, std::string place, std::size_t known_elsewhere = 0)
      : place_(std::move(place)), matched_(known_elsewhere) {
    if (object.get(object_) != simdjson::SUCCESS) throw Mismatch{place_, "expected an object"};
  }

  template <class T>
  void operator()(std::string_view name, T& v) {
    names_.push_back(name);
    element found;
    if (object_.at_key(name).get(found) != simdjson::SUCCESS) return;
    ++matched_;
    read(found, v, name);
  }

  // Called after describe(): every key of the document must have been asked for.
  void finish(std::initializer_list<std::string_view> also_known = {}) {
    if (matched_ == object_.size()) return;
    for (auto [key, ignored] : object_) {
      bool known = std::find(names_.begin(), names_.end(), key) != names_.end() ||
                   std::find(also_known.begin(), also_known.end(), key) != also_known.end();
      if (!known) throw Mismatch{place_, "unknown field '" + std::string(key) + "'"};
    }
    throw Mismatch{place_, "a field stands here twice"};
  }

 private:
  [[noreturn]] void mismatch(std::string_view name, std::string message) const {
    throw Mismatch{place_ + "/" + std::string(name), std::move(message)};
  }

  template <class T>
  T get(element e, std::string_view name, const char* expected) const {
    T value;
    if (e.get(value) != simdjson::SUCCESS) mismatch(name, std::string("expected ") + expected);
    return value;
  }

  template <class T>
  void read(element e, T& v, std::string_view name) {
    if constexpr (std::is_same_v<T, bool>) {
      v = get<bool>(e, name, "true or false");
    } else if constexpr (std::is_integral_v<T>) {
      read_integer(e, v, name);
    } else if constexpr (std::is_floating_point_v<T>) {
      v = get<double>(e, name, "a number");
    } else if constexpr (std::is_enum_v<T>) {
      auto text = get<std::string_view>(e, name, "a word");
      auto parsed = parse_enum<T>(text);
      if (!parsed) mismatch(name, "unknown word '" + std::string(text) + "'");
      v = *parsed;
    } else {
      Reader inner(e, place_ + "/" + std::string(name));
      describe(inner, v);
      inner.finish();
    }
  }
  template <class T>
  void read_integer(element e, T& v, std::string_view name) {
    if constexpr (std::is_signed_v<T>) {
      auto wide = get<std::int64_t>(e, name, "a whole number");
      v = static_cast<T>(wide);
      if (v != wide) mismatch(name, "the number is too large");
    } else {
      auto wide = get<std::uint64_t>(e, name, "a whole number, not negative");
      v = static_cast<T>(wide);
      if (v != wide) mismatch(name, "the number is too large");
    }
  }
  void read(element e, std::string& v, std::string_view name) {
    v = get<std::string_view>(e, name, "a text");
  }
  void read(element e, Symbol& v, std::string_view name) {
    v = Symbol(get<std::string_view>(e, name, "a text"));
  }
  void read(element e, Bytes& v, std::string_view name) { read_integer(e, v.value, name); }
  void read(element e, Seconds& v, std::string_view name) { read_integer(e, v.value, name); }
  void read(element e, Timestamp& v, std::string_view name) {
    read_integer(e, v.unix_seconds, name);
  }
  template <class Tag>
  void read(element e, Id<Tag>& v, std::string_view name) {
    read_integer(e, v.index, name);
  }
  template <class T>
  void read(element e, std::optional<T>& v, std::string_view name) {
    if (e.is_null()) return;
    read(e, v.emplace(), name);
  }
  template <class T>
  void read(element e, SharedOptional<T>& v, std::string_view name) {
    if (!e.is_null()) read(e, v.emplace(), name);
  }
  template <class T>
  void read(element e, Shared<T>& v, std::string_view name) {
    read(e, v.edit(), name);
  }
  template <class T>
  void read(element e, std::shared_ptr<const T>& v, std::string_view name) {
    auto made = std::make_shared<T>();
    read(e, *made, name);
    v = std::move(made);
  }
  template <class T>
  void read(element e, SharedList<T>& v, std::string_view name) {
    std::vector<T> items;
    read(e, items, name);
    v = std::move(items);
  }
  template <class T>
  void read(element e, std::vector<T>& v, std::string_view name) {
    std::size_t i = 0;
    auto items = get<simdjson::dom::array>(e, name, "a list");
    v.reserve(items.size());
    for (auto item : items) {
      read(item, v.emplace_back(), std::string(name) + "/" + std::to_string(i++));
    }
  }
  template <class T>
  void read(element e, Flags<T>& v, std::string_view name) {
    std::vector<T> flags;
    read(e, flags, name);
    for (auto f : flags) v.set(f);
  }
  template <class T>
  void read(element e, Bound<T>& v, std::string_view name) {
    if (e.is_string()) {
      if (get<std::string_view>(e, name, "") != "unlimited") {
        mismatch(name, "expected a number or \"unlimited\"");
      }
      v = Bound<T>::unlimited();
    } else {
      T value{};
      read(e, value, name);
      v = Bound<T>::of(value);
    }
  }
  void read(element e, ResourceCounts& v, std::string_view name) {
    for (auto [key, count] : get<simdjson::dom::object>(e, name, "an object")) {
      v.set(Symbol(key),
            get<double>(count, std::string(name) + "/" + std::string(key), "a number"));
    }
  }
  void read(element e, Quantities& v, std::string_view name) {
    for (auto [key, amount] : get<simdjson::dom::object>(e, name, "an object")) {
      v.set(Symbol(key), get<std::int64_t>(amount, std::string(name) + "/" + std::string(key),
                                           "a whole number"));
    }
  }
  void read(element e, Labels& v, std::string_view name) {
    std::vector<Label> labels;
    for (auto [key, value] : get<simdjson::dom::object>(e, name, "an object")) {
      const auto text =
          get<std::string_view>(value, std::string(name) + "/" + std::string(key), "a text");
      labels.push_back({Symbol(key), std::string(text)});
    }
    v = Labels(std::move(labels));
  }
  void read(element e, SchedulerConfig& v, std::string_view name) {
    for (auto pair : get<simdjson::dom::array>(e, name, "a list")) {
      std::vector<std::string> parts;
      read(pair, parts, name);
      if (parts.size() != 2) mismatch(name, "expected pairs of key and value");
      v.entries.emplace_back(parts[0], parts[1]);
    }
  }

  simdjson::dom::object object_;
  std::string place_;
  std::size_t matched_;
  std::vector<std::string_view> names_;
};

void check_version(element document) {
  std::string_view format;
  if (document["format"].get(format) != simdjson::SUCCESS || format != "schedlens-snapshot") {
    throw Mismatch{"", "this is not a schedlens snapshot (no \"format\": \"schedlens-snapshot\")"};
  }
  std::int64_t version = 0;
  if (document["version"].get(version) != simdjson::SUCCESS || version != kSnapshotFileVersion) {
    throw Mismatch{"/version", fmt::format("version {} was written by another schedlens; this one "
                                           "reads version {}",
                                           version, kSnapshotFileVersion)};
  }
}

// Ids are places in the document's own lists; one that points outside would crash a reader later.
void check_nodes(const std::vector<NodeId>& ids, std::size_t nodes, const std::string& place) {
  for (auto id : ids) {
    if (id.index >= nodes) {
      throw Mismatch{place, fmt::format("node {} of {} does not exist", id.index, nodes)};
    }
  }
}

void check_ids(const Snapshot& s) {
  auto count = s.nodes.size();
  for (std::size_t i = 0; i < s.workloads.size(); ++i) {
    const auto& w = s.workloads[i];
    auto place = fmt::format("/workloads/{}", i);
    check_nodes(w.allocation.nodes, count, place + "/allocation/nodes");
    check_nodes(w.planned_nodes, count, place + "/planned_nodes");
    check_nodes(w.request.required_nodes, count, place + "/request/required_nodes");
    if (w.request.excluded_nodes) {
      check_nodes(*w.request.excluded_nodes, count, place + "/request/excluded_nodes");
    }
    for (const auto& part : w.allocation.per_node) {
      check_nodes({part.node}, count, place + "/allocation/per_node");
    }
  }
  for (std::size_t i = 0; i < s.queues.size(); ++i) {
    check_nodes(s.queues[i].nodes, count, fmt::format("/queues/{}/nodes", i));
  }
  for (std::size_t i = 0; i < s.reservations.size(); ++i) {
    check_nodes(s.reservations[i].nodes, count, fmt::format("/reservations/{}/nodes", i));
  }
}

// The same of what is said of use.
void check_usage(const Snapshot& s) {
  if (!s.kubernetes || !s.kubernetes->usage) return;
  const auto& usage = *s.kubernetes->usage;
  const auto check_pod = [&](WorkloadId id) {
    if (id.index < s.workloads.size()) return;
    throw Mismatch{"/kubernetes/usage",
                   fmt::format("workload {} of {} does not exist", id.index, s.workloads.size())};
  };
  if (usage.pods) {
    for (const auto& pod : *usage.pods) check_pod(pod.pod);
  }
  if (usage.nodes) {
    for (const auto& node : *usage.nodes) {
      check_nodes({node.node}, s.nodes.size(), "/kubernetes/usage/nodes");
    }
  }
  if (!usage.gpus) return;
  for (const auto& gpu : *usage.gpus) {
    if (gpu.node) check_nodes({*gpu.node}, s.nodes.size(), "/kubernetes/usage/gpus");
    for (auto pod : gpu.pods) check_pod(pod);
  }
}

}  // namespace

Result<Snapshot> snapshot_from_json(std::string_view json) {
  simdjson::dom::parser parser;
  element document;
  auto error = parser.parse(json.data(), json.size()).get(document);
  if (error) return fail("snapshot: not valid JSON: {}", simdjson::error_message(error));
  try {
    check_version(document);
    Snapshot snapshot;
    Reader reader(document, "", 2);
    describe(reader, snapshot);
    reader.finish({"format", "version"});
    check_ids(snapshot);
    check_usage(snapshot);
    snapshot.build_index();
    return snapshot;
  } catch (const Mismatch& m) {
    return fail("snapshot: {}{}{}", m.place, m.place.empty() ? "" : ": ", m.message);
  }
}

}  // namespace schedlens::model
