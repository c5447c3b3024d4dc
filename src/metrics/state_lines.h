// SPDX-License-Identifier: Apache-2.0
#pragma once
// Writes the series of Kubernetes objects in the Prometheus text format, object by object. Text
// goes to the sink in pieces; what was written is not held.
//
// One duplicate would make a scrape fail as a whole: lines of one object that have the same labels
// are written once, and objects differ by what identifies them.

#include <array>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/units.h"
#include "metrics/families.h"
#include "model/labels.h"

namespace schedlens::metrics {

class StateLines {
 public:
  using Sink = std::function<void(std::string_view)>;
  using Pair = std::pair<std::string_view, std::string_view>;

  explicit StateLines(Sink sink);

  // The family of the samples that follow; it leaves no trace where there are none.
  void family(std::string_view name, Type type, std::string_view help);
  // What identifies the object of the samples that follow; the texts must outlive them.
  void object(std::initializer_list<Pair> identity);

  void add(double value, std::initializer_list<Pair> labels = {});
  void add(double value, std::span<const std::pair<std::string, std::string>> labels);
  // A moment that is not known has no series.
  void add_time(std::optional<Timestamp> moment);
  // One series each for "true", "false" and "unknown", of which one is 1; status is the API's word.
  void add_condition(std::string_view status, std::string_view name,
                     std::initializer_list<Pair> labels = {});

  void finish();
  std::uint64_t series() const { return series_; }

 private:
  void begin_line();
  void put_label(std::string_view name, std::string_view value);
  void end_line(double value);

  Sink sink_;
  std::string text_;
  std::string_view name_, help_;
  Type type_ = Type::kGauge;
  bool started_ = false;
  std::array<Pair, 3> identity_;
  std::size_t identified_by_ = 0;
  std::size_t line_ = 0;  // where the line begins that is being written
  std::vector<std::pair<std::size_t, std::size_t>> lines_;  // of this object, without values
  std::uint64_t series_ = 0;
};

// Names and values of labels as Prometheus takes them: "app.kubernetes.io/name" under the prefix
// "label" is label_app_kubernetes_io_name. Keys that become the same name are told apart by
// _conflict1, _conflict2 in the order of the keys.
std::vector<std::pair<std::string, std::string>> prometheus_labels(
    std::string_view prefix, std::vector<model::Label> labels);

// Every character that may not stand in a name of Prometheus is "_".
std::string sanitized(std::string_view name);

}  // namespace schedlens::metrics
