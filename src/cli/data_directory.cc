// SPDX-License-Identifier: Apache-2.0
#include "cli/data_directory.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <ostream>

#include "base/json_writer.h"
#include "base/time_text.h"
#include "cli/table.h"
#include "cli/words.h"
#include "memory/check.h"
#include "memory/compact.h"

namespace schedlens::cli {
namespace {

using memory::CheckedFile;
using memory::CompactedFile;
using memory::FileKind;
using Kind = Column::Kind;

int problem(Context& context, const Error& error) {
  context.err << "schedlens: " << error.message() << '\n';
  return kFailure;
}

std::string_view name_of(FileKind kind) {
  constexpr std::array<std::string_view, 4> kNames = {"state", "records", "hours", "points"};
  return kNames.at(static_cast<std::size_t>(kind));
}

std::string size_text(std::uint64_t bytes) {
  return short_bytes({static_cast<std::int64_t>(bytes)});
}

std::string name_of(const std::filesystem::path& path) {
  return path.filename().string();
}

void write_names(JsonWriter& json, const std::vector<std::filesystem::path>& paths) {
  json.array([&] {
    for (const auto& path : paths) json.value(name_of(path));
  });
}

void print_checked(Context& context, const std::vector<CheckedFile>& files,
                   const std::vector<std::filesystem::path>& aside, std::size_t damaged) {
  Table table({{"FILE"},
               {"HOLDS"},
               {"SIZE", Kind::kNumber},
               {"SERIES", Kind::kNumber},
               {"ENTRIES", Kind::kNumber},
               {"STATE"}});
  std::uint64_t bytes = 0;
  for (const auto& file : files) {
    const bool has_series =
        file.file.kind == FileKind::kSeries || file.file.kind == FileKind::kRollup;
    const bool whole = file.problems.empty();
    bytes += file.file.bytes;
    table.row({name_of(file.file.path), name_of(file.file.kind), size_text(file.file.bytes),
               has_series ? std::to_string(file.series) : "-", std::to_string(file.entries),
               whole ? Cell("whole", Tone::kGood) : Cell("damaged", Tone::kBad)});
  }
  context.out << table.render(context.style);
  context.out << fmt::format("{}, {}: {}\n", counted(files.size(), "file"), size_text(bytes),
                             damaged == 0 ? "all whole" : fmt::format("{} damaged", damaged));
  for (const auto& path : aside) {
    context.out << fmt::format("{} was found damaged before and set aside\n", name_of(path));
  }
}

void print_checked_json(Context& context, const std::vector<CheckedFile>& files,
                        const std::vector<std::filesystem::path>& aside, std::size_t damaged) {
  JsonWriter json(2);
  json.object([&] {
    json.field("whole", damaged == 0);
    json.key("files");
    json.array([&] {
      for (const auto& file : files) {
        json.object([&] {
          json.field("file", name_of(file.file.path));
          json.field("holds", name_of(file.file.kind));
          json.field("bytes", file.file.bytes);
          json.field("series", file.series);
          json.field("entries", file.entries);
          json.key("problems");
          json.array([&] {
            for (const auto& text : file.problems) json.value(text);
          });
        });
      }
    });
    json.key("set_aside");
    write_names(json, aside);
  });
  context.out << json.str() << '\n';
}

void print_compacted(Context& context, const memory::Compaction& done) {
  Table table({{"FILE"}, {"BEFORE", Kind::kNumber}, {"AFTER", Kind::kNumber}, {"STATE"}});
  std::uint64_t before = 0, after = 0;
  for (const auto& file : done.files) {
    before += file.before;
    after += file.after;
    const auto state = file.dropped               ? Cell("dropped", Tone::kDim)
                       : !file.problem.empty()    ? Cell("failed", Tone::kBad)
                       : file.before == 0         ? Cell("new", Tone::kGood)
                       : file.after < file.before ? Cell("smaller", Tone::kGood)
                                                  : Cell("as it was");
    table.row({name_of(file.path), size_text(file.before), size_text(file.after), state});
  }
  context.out << table.render(context.style);
  context.out << fmt::format("{} before, {} now\n", size_text(before), size_text(after));
}

void print_compacted_json(Context& context, const memory::Compaction& done) {
  JsonWriter json(2);
  json.object([&] {
    json.key("files");
    json.array([&] {
      for (const auto& file : done.files) {
        json.object([&] {
          json.field("file", name_of(file.path));
          json.field("bytes_before", file.before);
          json.field("bytes_after", file.after);
          json.field("dropped", file.dropped);
          json.key("problem");
          if (file.problem.empty()) {
            json.null();
          } else {
            json.value(file.problem);
          }
        });
      }
    });
    json.key("set_aside");
    write_names(json, done.set_aside);
  });
  context.out << json.str() << '\n';
}

}  // namespace

int run_store_check(Context& context, const StoreCommandOptions& options) {
  std::vector<CheckedFile> files;
  std::size_t damaged = 0;
  auto done = memory::check_files(options.directory, [&](const CheckedFile& file) {
    files.push_back(file);
    damaged += file.problems.empty() ? 0 : 1;
  });
  if (!done) return problem(context, done.error());
  const auto aside = memory::set_aside_files(options.directory);
  const auto print = context.json ? print_checked_json : print_checked;
  print(context, files, aside, damaged);
  for (const auto& file : files) {
    for (const auto& text : file.problems) context.err << "schedlens: " << text << '\n';
  }
  return damaged == 0 ? kOk : kFailure;
}

int run_store_compact(Context& context, const StoreCommandOptions& options) {
  memory::StoreOptions limits;
  limits.raw_days = options.raw_days;
  limits.rollup_months = options.rollup_months;
  limits.record_months = options.record_months;
  limits.max_bytes = options.max_bytes;
  auto done = memory::compact(options.directory, limits, os::SystemClock());
  if (!done) return problem(context, done.error());
  const auto print = context.json ? print_compacted_json : print_compacted;
  print(context, *done);
  int code = kOk;
  for (const auto& file : done->files) {
    if (!file.problem.empty()) code = problem(context, Error(file.problem));
  }
  for (const auto& path : done->set_aside) {
    code = problem(context, Error(path.string() + ": was damaged and is set aside"));
  }
  return code;
}

}  // namespace schedlens::cli
