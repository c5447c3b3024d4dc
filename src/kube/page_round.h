// SPDX-License-Identifier: Apache-2.0
#pragma once
// Asks many for one page each, some at a time, and says what came of it as the state of one source.

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "kube/pages.h"
#include "model/source.h"
#include "os/clock.h"

namespace schedlens::kube {

struct PageQuestion {
  std::string who;                     // for an error message
  Result<net::StreamRequest> request;  // or why there can be none
};

// One thread at a time.
class PageRound {
 public:
  // whose: "kubelets"; right: what a refusal asks for. The clock must outlive it.
  PageRound(std::string name, std::string feeds, std::string whose, std::string right,
            const os::Clock& clock);

  // With the place of the question and its page; fails where the page cannot be read.
  using Take = std::function<Status(std::size_t, const std::string&)>;

  // For ten seconds at most: then the next time begins where this one ended, so that those that
  // hang keep nobody from being asked for ever. False when it was told to stop.
  bool ask(std::vector<PageQuestion> questions, const std::stop_token& token, const Take& take);

  // Partial where some gave no page; the error says how many, and the first reason.
  const model::SourceStatus& status() const { return status_; }

 private:
  void close(std::size_t asked, std::size_t answered, const std::string& first_error);

  std::string whose_;
  PageOptions options_;
  const os::Clock& clock_;
  model::SourceStatus status_;
  std::size_t first_ = 0;  // the place of the question that is asked first
};

}  // namespace schedlens::kube
