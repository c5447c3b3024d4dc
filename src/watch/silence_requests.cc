// SPDX-License-Identifier: Apache-2.0
#include "watch/silence_requests.h"

#include <fmt/format.h>
#include <simdjson.h>
#include <unistd.h>

#include <thread>

#include "base/files.h"
#include "base/json_writer.h"
#include "base/log.h"

namespace schedlens::watch {

namespace fs = std::filesystem;
using alert::Silence;
using simdjson::dom::element;

namespace {

constexpr std::string_view kFolder = "requests";
constexpr std::string_view kRequest = ".json";
constexpr std::string_view kAnswer = ".answer";
// Answers that nobody fetched.
constexpr auto kAnswerKept = std::chrono::hours(1);

Result<std::string> ask(const fs::path& directory, const std::string& request,
                        std::chrono::milliseconds timeout) {
  std::error_code error;
  if (!fs::is_directory(directory, error)) {
    return fail("{} is no data directory", directory.string());
  }
  const auto folder = directory / kFolder;
  fs::create_directory(folder, error);
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto name = fmt::format("{}-{}", now.count(), getpid());
  const auto asked = folder / (name + std::string(kRequest));
  const auto answered = folder / (name + std::string(kAnswer));
  if (auto written = write_file(asked, request); !written) return fail(written.error());
  const auto end = std::chrono::steady_clock::now() + timeout;
  while (!fs::exists(answered, error)) {
    if (std::chrono::steady_clock::now() >= end) {
      if (fs::remove(asked, error)) {
        return fail("no server answers on {}: does schedlens serve run there?", directory.string());
      }
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  auto answer = read_file(answered);
  if (!answer) return answer;
  fs::remove(answered, error);
  if (answer->starts_with("error ")) return fail("{}", answer->substr(6));
  return answer->substr(answer->find(' ') + 1);
}

template <class T>
void take(element e, std::string_view name, T& value) {
  T read{};
  if (e[name].get(read) == simdjson::SUCCESS) value = read;
}

std::string text(element e, std::string_view name) {
  std::string_view read;
  return e[name].get(read) == simdjson::SUCCESS ? std::string(read) : std::string();
}

Result<Silence> read_silence(element e) {
  Silence silence;
  simdjson::dom::array matchers;
  if (e["matchers"].get(matchers) == simdjson::SUCCESS) {
    for (element item : matchers) {
      std::string_view pattern;
      if (item.get(pattern) != simdjson::SUCCESS) return fail("a matcher is no text");
      auto matcher = alert::parse_matcher(pattern);
      if (!matcher) return fail(matcher.error());
      silence.matchers.push_back(std::move(*matcher));
    }
  }
  take(e, "from", silence.from.unix_seconds);
  take(e, "until", silence.until.unix_seconds);
  take(e, "every", silence.every.value);
  silence.author = text(e, "author");
  silence.comment = text(e, "comment");
  return silence;
}

Result<std::string> apply(const std::string& request, alert::Silences& silences, Timestamp now) {
  simdjson::dom::parser parser;
  element e;
  if (parser.parse(request).get(e) != simdjson::SUCCESS) return fail("the request is no JSON");
  if (const auto id = text(e, "remove"); !id.empty()) {
    if (auto removed = silences.remove(id); !removed) return fail(removed.error());
    log::info("silence removed id={}", id);
    return id;
  }
  auto silence = read_silence(e);
  if (!silence) return fail(silence.error());
  const auto author = silence->author, comment = silence->comment;
  auto id = silences.add(std::move(*silence), now);
  if (id) log::info("silence added id={} author={} comment={}", *id, author, comment);
  return id;
}

}  // namespace

Result<std::string> request_silence(const fs::path& directory, const Silence& silence,
                                    std::chrono::milliseconds timeout) {
  JsonWriter json;
  json.object([&] {
    json.key("matchers");
    json.array([&] {
      for (const auto& m : silence.matchers) {
        json.value(fmt::format("{}={}", m.label, m.pattern.text()));
      }
    });
    json.field("from", silence.from);
    json.field("until", silence.until);
    json.field("every", silence.every);
    json.field("author", silence.author);
    json.field("comment", silence.comment);
  });
  return ask(directory, json.take(), timeout);
}

Result<std::string> request_removal(const fs::path& directory, const std::string& id,
                                    std::chrono::milliseconds timeout) {
  JsonWriter json;
  json.object([&] { json.field("remove", id); });
  return ask(directory, json.take(), timeout);
}

int take_requests(const fs::path& directory, alert::Silences& silences, Timestamp now) {
  std::error_code error;
  int taken = 0;
  for (const auto& entry : fs::directory_iterator(directory / kFolder, error)) {
    const auto& path = entry.path();
    if (path.extension() == kAnswer) {
      const auto age = fs::file_time_type::clock::now() - entry.last_write_time(error);
      if (!error && age > kAnswerKept) fs::remove(path, error);
      continue;
    }
    if (path.extension() != kRequest) continue;
    const auto request = read_file(path);
    // Taken back meanwhile.
    if (!request || !fs::remove(path, error)) continue;
    const auto done = apply(*request, silences, now);
    auto answer = path;
    answer.replace_extension(kAnswer);
    const auto written = write_file(
        answer, done ? "done " + *done : fmt::format("error {}", done.error().message()));
    if (!written) log::warning("{}", written.error().message());
    ++taken;
  }
  return taken;
}

}  // namespace schedlens::watch
