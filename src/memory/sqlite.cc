// SPDX-License-Identifier: Apache-2.0
#include "memory/sqlite.h"

#include <sqlite3.h>

namespace schedlens::memory {
namespace {

// Readers never block the writer; only a check point, or another program that writes, takes time.
constexpr int kBusyMilliseconds = 5000;

// Pages of dropped rows can be given back (auto_vacuum; only heeded by a new file). A commit is on
// the disk (synchronous=FULL) when it returns. The log is put back into the file
// about every 16 MiB. No mmap: a torn file would end the process by SIGBUS.
constexpr const char* kWriterSettings =
    "PRAGMA auto_vacuum=INCREMENTAL; PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA "
    "wal_autocheckpoint=4000;"
    "PRAGMA journal_size_limit=33554432; PRAGMA cache_size=-8000; PRAGMA mmap_size=0;";
// Files may come from elsewhere: damaged pages are found early, and schemas may not call functions.
constexpr const char* kReaderSettings = "PRAGMA cell_size_check=ON; PRAGMA trusted_schema=OFF;";

bool is_damage(int code) {
  const int primary = code & 0xff;
  return primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB;
}

std::string uri(const std::filesystem::path& file) {
  std::string out = "file:";
  for (const char c : file.string()) {
    if (c == '?' || c == '#' || c == '%') {
      out += fmt::format("%{:02x}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace

Statement::Statement(Statement&& other) noexcept
    : database_(other.database_),
      statement_(std::exchange(other.statement_, nullptr)),
      purpose_(std::move(other.purpose_)) {}

Statement& Statement::operator=(Statement&& other) noexcept {
  std::swap(database_, other.database_);
  std::swap(statement_, other.statement_);
  std::swap(purpose_, other.purpose_);
  return *this;
}

Statement::~Statement() {
  sqlite3_finalize(statement_);
}

void Statement::reset() {
  sqlite3_reset(statement_);
}

void Statement::bind_at(int at, std::int64_t value) {
  sqlite3_bind_int64(statement_, at, value);
}
void Statement::bind_at(int at, double value) {
  sqlite3_bind_double(statement_, at, value);
}
void Statement::bind_at(int at, std::string_view text) {
  sqlite3_bind_text64(statement_, at, text.data() ? text.data() : "", text.size(), SQLITE_TRANSIENT,
                      SQLITE_UTF8);
}
void Statement::bind_at(int at, Blob blob) {
  sqlite3_bind_blob64(statement_, at, blob.bytes.data() ? blob.bytes.data() : "", blob.bytes.size(),
                      SQLITE_TRANSIENT);
}
void Statement::bind_at(int at, std::nullopt_t) {
  sqlite3_bind_null(statement_, at);
}

Result<bool> Statement::step() {
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  auto error = database_->failure(purpose_, code);
  sqlite3_reset(statement_);
  return fail(std::move(error));
}

Status Statement::run() {
  for (;;) {
    auto row = step();
    if (!row) return fail(row.error());
    if (!*row) break;
  }
  sqlite3_reset(statement_);
  return {};
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(statement_, column) == SQLITE_NULL;
}
std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(statement_, column);
}
double Statement::real(int column) const {
  return is_null(column) ? __builtin_nan("") : sqlite3_column_double(statement_, column);
}
std::string_view Statement::text(int column) const {
  const void* data = sqlite3_column_blob(statement_, column);
  const int size = sqlite3_column_bytes(statement_, column);
  return data ? std::string_view(static_cast<const char*>(data), static_cast<std::size_t>(size))
              : std::string_view();
}

Result<std::unique_ptr<Database>> Database::open(const std::filesystem::path& file, Access access) {
  std::unique_ptr<Database> database(new Database);
  database->file_ = file;
  database->access_ = access;
  const int flags =
      access == Access::kWrite ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
  auto name = uri(file);
  if (access == Access::kImmutable) name += "?immutable=1";
  const int code = sqlite3_open_v2(
      name.c_str(), &database->connection_,
      flags | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nullptr);
  if (code != SQLITE_OK) return fail(database->failure("open", code));
  sqlite3_busy_timeout(database->connection_, kBusyMilliseconds);
  sqlite3_db_config(database->connection_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  if (auto set = database->execute("open", kReaderSettings); !set) return fail(set.error());
  if (access == Access::kWrite) {
    if (auto set = database->execute("open", kWriterSettings); !set) {
      // The caller has to know whether the file is damaged or only out of reach.
      if (!database->broken_) return fail(set.error());
    }
  }
  return database;
}

Database::~Database() {
  sqlite3_close_v2(connection_);
}

Result<Statement> Database::prepare(std::string_view purpose, std::string_view sql) {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v3(connection_, sql.data(), static_cast<int>(sql.size()),
                                      SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
  if (code != SQLITE_OK) return fail(failure(purpose, code));
  return Statement(*this, statement, std::string(purpose));
}

Status Database::execute(std::string_view purpose, const std::string& sql) {
  const int code = sqlite3_exec(connection_, sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return fail(failure(purpose, code));
  return {};
}

Result<std::int64_t> Database::integer(std::string_view purpose, std::string_view sql) {
  auto statement = prepare(purpose, sql);
  if (!statement) return fail(statement.error());
  auto row = statement->step();
  if (!row) return fail(row.error());
  if (!*row) return fail("{}: {}: no answer", file_.string(), purpose);
  return statement->integer(0);
}

Error Database::failure(std::string_view purpose, int code) {
  if (is_damage(code)) broken_ = true;
  const char* words = connection_ ? sqlite3_errmsg(connection_) : sqlite3_errstr(code);
  return Error(fmt::format("{}: {}: {} (SQLite {})", file_.string(), purpose, words, code));
}

Error Database::damage(std::string_view what) {
  broken_ = true;
  return Error(fmt::format("{}: {}", file_.string(), what));
}

void Database::roll_back() {
  // After some failures SQLite has done so itself, and says that there is nothing to roll back.
  if (!sqlite3_get_autocommit(connection_)) {
    sqlite3_exec(connection_, "ROLLBACK", nullptr, nullptr, nullptr);
  }
}

}  // namespace schedlens::memory
