// SPDX-License-Identifier: Apache-2.0
#pragma once
// Writes the series of Kubernetes objects in the Prometheus text format, object by object, into a
// piece of text that is taken whenever it is full.
//
// A large cluster has millions of lines: what identifies an object is made text once, by whoever
// writes several families of it, and a line is copied together without looking at its parts again.
//
// One duplicate would make a scrape fail as a whole: lines of one object that have the same labels
// are written once, and objects differ by what identifies them.

#include <cstddef>
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
  using Pair = std::pair<std::string_view, std::string_view>;

  StateLines();

  // The family of the samples that follow; it leaves no trace where there are none.
  void family(std::string_view name, Type type, std::string_view help);
  // What identifies the object of the samples that follow.
  void object(std::initializer_list<Pair> identity);
  // The same as it is in a line, which identity() told of the object before; it must outlive the
  // object's samples.
  void object(std::string_view identity);
  std::string_view identity() const { return identity_; }

  void add(double value, std::initializer_list<Pair> labels = {});
  void add(double value, std::span<const std::pair<std::string, std::string>> labels);
  // A moment that is not known has no series.
  void add_time(std::optional<Timestamp> moment);
  // One series each for "true", "false" and "unknown", of which one is 1; status is the API's word.
  void add_condition(std::string_view status, std::string_view name,
                     std::initializer_list<Pair> labels = {});

  // Asked between objects: lines of one object stay together.
  bool full() const;
  // What was written since, in exchange for the text whose memory is used next.
  void take(std::string& piece);

 private:
  char* room(std::size_t bytes) {
    if (text_.size() - used_ < bytes) text_.resize(text_.size() + bytes);
    return text_.data() + used_;
  }
  void put(std::string_view text);
  void begin_line();
  void put_label(std::string_view name, std::string_view value);
  void end_line(double value);

  std::string text_;      // all of its size may be written to
  std::size_t used_ = 0;  // of it
  std::string head_;      // `name{`
  std::string_view name_, help_;
  Type type_ = Type::kGauge;
  bool started_ = false;
  std::string own_identity_;
  std::string_view identity_;
  std::size_t line_ = 0;  // where the line begins that is being written
  std::vector<std::pair<std::size_t, std::size_t>> lines_;  // of this object, without values
};

// Names and values of labels as Prometheus takes them: "app.kubernetes.io/name" under the prefix
// "label" is label_app_kubernetes_io_name. Keys that become the same name are told apart by
// _conflict1, _conflict2 in the order of the keys.
std::vector<std::pair<std::string, std::string>> prometheus_labels(
    std::string_view prefix, std::vector<model::Label> labels);

// Every character that may not stand in a name of Prometheus is "_".
std::string sanitized(std::string_view name);

}  // namespace schedlens::metrics
