// SPDX-License-Identifier: Apache-2.0
#pragma once
// SQLite behind values: a connection to one file, prepared statements, transactions. Every failure
// names the file, what was being done and SQLite's own words. One thread at a time per connection.
//
// A file that SQLite finds damaged makes its connection broken() for good; what failed for want of
// room or by an input/output error does not.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "base/units.h"

struct sqlite3;
struct sqlite3_stmt;

namespace schedlens::memory {

class Database;

// Bytes, where a text would be bound otherwise.
struct Blob {
  std::string_view bytes;
};

class Statement {
 public:
  Statement() = default;
  Statement(Statement&& other) noexcept;
  Statement& operator=(Statement&& other) noexcept;
  ~Statement();

  // Starts over with these values for ?1, ?2, ... NaN is bound as NULL: SQLite has no NaN.
  template <class... Values>
  Statement& bind(const Values&... values) {
    reset();
    int at = 0;
    (bind_at(++at, values), ...);
    return *this;
  }
  // For values that are not known at compile time: reset(), then each.
  void reset();
  void bind_at(int at, std::int64_t value);
  void bind_at(int at, double value);
  void bind_at(int at, std::string_view text);
  void bind_at(int at, const std::string& text) { bind_at(at, std::string_view(text)); }
  void bind_at(int at, const char* text) { bind_at(at, std::string_view(text)); }
  void bind_at(int at, Blob blob);
  void bind_at(int at, std::nullopt_t);
  void bind_at(int at, Timestamp moment) { bind_at(at, moment.unix_seconds); }
  template <class T>
  void bind_at(int at, const std::optional<T>& value) {
    if (value) {
      bind_at(at, *value);
    } else {
      bind_at(at, std::nullopt);
    }
  }

  // To the next row; false when there is none.
  Result<bool> step();
  // To the end; the statement can then be bound again.
  Status run();

  bool is_null(int column) const;
  std::int64_t integer(int column) const;
  double real(int column) const;  // NULL is NaN
  // Valid until the next step.
  std::string_view text(int column) const;

 private:
  friend class Database;
  Statement(Database& database, sqlite3_stmt* statement, std::string purpose)
      : database_(&database), statement_(statement), purpose_(std::move(purpose)) {}

  Database* database_ = nullptr;
  sqlite3_stmt* statement_ = nullptr;
  std::string purpose_;
};

class Database {
 public:
  enum class Access {
    kWrite,      // created where it is not there
    kRead,       // beside a writer, too
    kImmutable,  // a file that nobody writes, in a directory that cannot be written to
  };
  // Does not move afterwards: its statements point to it.
  static Result<std::unique_ptr<Database>> open(const std::filesystem::path& file, Access access);
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  ~Database();

  // `purpose` says in errors what was being done: "write points".
  Result<Statement> prepare(std::string_view purpose, std::string_view sql);
  // One or several statements without values.
  Status execute(std::string_view purpose, const std::string& sql);
  // The body in one transaction, rolled back when it fails.
  template <class Body>
  Status transaction(std::string_view purpose, Body&& body) {
    if (auto begun = execute(purpose, "BEGIN IMMEDIATE"); !begun) return begun;
    Status done = body();
    if (done) done = execute(purpose, "COMMIT");
    if (!done) roll_back();
    return done;
  }
  // The body with one state of the file before it, whatever is written meanwhile.
  template <class Body>
  Status reading(std::string_view purpose, Body&& body) {
    if (auto begun = execute(purpose, "BEGIN"); !begun) return begun;
    Status done = body();
    roll_back();
    return done;
  }
  Result<std::int64_t> integer(std::string_view purpose, std::string_view sql);

  bool broken() const { return broken_; }
  // For what SQLite cannot know to be damaged; makes the file broken().
  Error damage(std::string_view what);
  Access access() const { return access_; }
  const std::filesystem::path& file() const { return file_; }

 private:
  friend class Statement;
  Database() = default;
  Error failure(std::string_view purpose, int code);
  void roll_back();

  sqlite3* connection_ = nullptr;
  std::filesystem::path file_;
  Access access_ = Access::kRead;
  bool broken_ = false;
};

}  // namespace schedlens::memory
