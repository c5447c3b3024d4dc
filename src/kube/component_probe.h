// SPDX-License-Identifier: Apache-2.0
#pragma once
// Asks one component of the control plane for its metrics, and keeps its last good answer.

#include <functional>
#include <optional>
#include <stop_token>
#include <string>

#include "base/result.h"
#include "kube/pages.h"
#include "model/component_facts.h"
#include "model/source.h"
#include "os/clock.h"

namespace schedlens::kube {

template <class Vitals>
struct Component {
  std::string name;   // of the source: "kube-scheduler https://10.0.0.5:10259/metrics"
  std::string feeds;  // as SourceStatus::feeds
  std::string address;
  std::function<Result<net::StreamRequest>()> request;
  Result<Vitals> (*parse)(std::string_view) = nullptr;
  PageOptions page;
  Seconds every{0};  // a last good answer that is younger than this will do
};

// One thread at a time. Vitals are ComponentFacts.
template <class Vitals>
class ComponentProbe {
 public:
  // The clock must outlive it.
  ComponentProbe(Component<Vitals> component, const os::Clock& clock)
      : component_(std::move(component)), clock_(clock) {
    status_.name = component_.name;
    status_.feeds = component_.feeds;
  }

  // Asks and waits for the answer, not for ever, and no longer than until it is told to stop.
  void read(const std::stop_token& token = {}) {
    // After a failure it is asked again at once: that it answers again must show soon.
    if (status_.state == model::SourceState::kFresh && status_.last_success &&
        clock_.now() - *status_.last_success < component_.every) {
      return;
    }
    const auto begin = clock_.steady();
    status_.last_attempt = clock_.now();
    ++status_.reads;
    auto vitals = ask(token);
    status_.seconds = std::chrono::duration<double>(clock_.steady() - begin).count();
    if (!vitals) {
      ++status_.failures;
      status_.state = last_ ? model::SourceState::kFailed : model::SourceState::kNever;
      status_.error = vitals.error().message();
      return;
    }
    status_.state = model::SourceState::kFresh;
    status_.error.clear();
    status_.records = 1;
    status_.last_success = clock_.now();
    last_ = std::move(*vitals);
    last_->address = component_.address;
    last_->time = status_.last_success;
  }

  const model::SourceStatus& status() const { return status_; }
  // The last good answer, also when a later question failed; nothing before the first.
  const std::optional<Vitals>& last() const { return last_; }

 private:
  Result<Vitals> ask(const std::stop_token& token) {
    auto request = component_.request();
    if (!request) return fail(request.error());
    auto page = read_page(std::move(*request), component_.page, clock_, token);
    if (!page) return fail(page.error());
    status_.bytes = page->size();
    return component_.parse(*page);
  }

  Component<Vitals> component_;
  const os::Clock& clock_;
  model::SourceStatus status_;
  std::optional<Vitals> last_;
};

}  // namespace schedlens::kube
