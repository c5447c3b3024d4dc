// SPDX-License-Identifier: Apache-2.0
#include "base/files.h"

#include <fstream>
#include <sstream>

namespace schedlens {

namespace fs = std::filesystem;

Result<std::string> read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::error_code error;
  // A directory can be opened, too.
  if (!file || fs::is_directory(path, error)) return fail("{} cannot be read", path.string());
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

Status write_file(const fs::path& path, std::string_view text) {
  const fs::path part = path.string() + ".part";
  std::ofstream file(part, std::ios::binary);
  file << text;
  file.close();
  std::error_code error;
  if (!file) {
    fs::remove(part, error);
    return fail("{} cannot be written", path.string());
  }
  fs::rename(part, path, error);
  if (error) return fail("{} cannot be written: {}", path.string(), error.message());
  return {};
}

}  // namespace schedlens
