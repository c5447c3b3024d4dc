// SPDX-License-Identifier: Apache-2.0
#pragma once
// What is in each kind of file, and how files of older formats become files of this one.
//
// A file says in application_id that it is ours and of which kind, in user_version its format.

#include <cstdint>
#include <memory>
#include <span>

#include "base/result.h"
#include "memory/directory.h"
#include "memory/sqlite.h"

namespace schedlens::memory {

int current_format(FileKind kind);

// Runs the steps that the file has not seen yet, all in one transaction: a failure, or the end of
// the process, leaves it as it was. The first makes format 1 of an empty file, each further one a
// format of the one before. `id` marks the kind. Fails on a file that is not of this kind or newer.
Status apply_steps(Database& database, std::int64_t id, std::span<const char* const> steps);

// For writing: made where it is not there, brought to the current format where it is of an older
// one. With `check` its pages are looked through first. A damaged file is set aside and a new one
// made. Fails on a newer format, which is left as it is.
Result<std::unique_ptr<Database>> open_for_writing(const StoreFile& file, bool check,
                                                   Timestamp now);

// For reading, beside a writer or without one. Null when the file is gone, or was made and nothing
// written to it yet. Fails when it is damaged, or of a newer or an older format.
Result<std::unique_ptr<Database>> open_for_reading(const StoreFile& file);

// Whether SQLite finds the structure of the file whole; the error is what it found.
Status check_pages(Database& database);

}  // namespace schedlens::memory
