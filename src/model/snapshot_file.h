// SPDX-License-Identifier: Apache-2.0
#pragma once
// Saving a Snapshot to a file and loading it again, exactly. The format is JSON, versioned and
// documented in docs/snapshot-file.md; files whose name ends in .gz are compressed, and reading
// recognises compressed data by itself.

#include <string>
#include <string_view>

#include "base/result.h"
#include "model/snapshot.h"

namespace schedlens::model {

inline constexpr int kSnapshotFileVersion = 1;

std::string snapshot_to_json(const Snapshot& snapshot);

// The error names the place in the document: "/nodes/3/cpus: expected a whole number".
// The result's index is built.
Result<Snapshot> snapshot_from_json(std::string_view json);

// Replaces the file as a whole or leaves the old one: a crash or a full disk loses nothing.
Status save_snapshot(const Snapshot& snapshot, const std::string& path);
Result<Snapshot> load_snapshot(const std::string& path);

}  // namespace schedlens::model
