// SPDX-License-Identifier: Apache-2.0
#include "kube/page_round.h"

#include <fmt/format.h>

#include <utility>

namespace schedlens::kube {

PageRound::PageRound(std::string name, std::string feeds, std::string whose, std::string right,
                     const os::Clock& clock)
    : whose_(std::move(whose)), clock_(clock) {
  status_.name = std::move(name);
  status_.feeds = std::move(feeds);
  options_.at_once = 16;
  options_.whole_patience = std::chrono::seconds(10);
  options_.right = std::move(right);
}

bool PageRound::ask(std::vector<PageQuestion> questions, const std::stop_token& token,
                    const Take& take) {
  const auto begin = clock_.steady();
  status_.last_attempt = clock_.now();
  ++status_.reads;
  status_.bytes = 0;

  std::size_t answered = 0;
  std::string first_error;
  const auto fail_one = [&](std::size_t place, const Error& error) {
    if (first_error.empty()) {
      first_error = fmt::format("{}: {}", questions[place].who, error.message());
    }
  };
  std::vector<net::StreamRequest> requests;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < questions.size(); ++i) {
    const auto place = (first_ + i) % questions.size();
    auto& request = questions[place].request;
    if (!request) {
      fail_one(place, request.error());
      continue;
    }
    requests.push_back(std::move(*request));
    places.push_back(place);
  }
  const auto reached = read_pages(std::move(requests), options_, clock_, token,
                                  [&](std::size_t i, Result<std::string> page) {
                                    const auto place = places[i];
                                    if (!page) return fail_one(place, page.error());
                                    status_.bytes += page->size();
                                    if (auto taken = take(place, *page); !taken) {
                                      return fail_one(place, taken.error());
                                    }
                                    ++answered;
                                  });
  if (token.stop_requested()) return false;
  first_ = reached < places.size() ? places[reached] : 0;
  status_.seconds = std::chrono::duration<double>(clock_.steady() - begin).count();
  close(questions.size(), answered, first_error);
  return true;
}

void PageRound::close(std::size_t asked, std::size_t answered, const std::string& first_error) {
  const auto failed = asked - answered;
  status_.records = answered;
  status_.unreadable_records = failed;
  status_.error = failed == 0
                      ? std::string()
                      : fmt::format("{} of {} {} failed; {}", failed, asked, whose_, first_error);
  if (answered > 0 || failed == 0) {
    status_.last_success = clock_.now();
    status_.state = failed == 0 ? model::SourceState::kFresh : model::SourceState::kPartial;
    return;
  }
  ++status_.failures;
  status_.state = status_.last_success ? model::SourceState::kFailed : model::SourceState::kNever;
}

}  // namespace schedlens::kube
