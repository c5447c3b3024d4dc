// SPDX-License-Identifier: Apache-2.0
#include "cli/config.h"

#include <array>
#include <cerrno>
#include <fstream>
#include <system_error>

#include "base/text.h"
#include "cli/config_keys.h"

namespace schedlens::cli {

Result<Endpoint> parse_endpoint(std::string_view text) {
  auto wrong = [&] { return fail("'{}' is no address, such as 127.0.0.1:9817", printable(text)); };
  auto colon = text.rfind(':');
  if (colon == std::string_view::npos) return wrong();
  auto host = text.substr(0, colon);
  auto port = parse_number<std::uint16_t>(text.substr(colon + 1));
  if (!port) return wrong();
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
    host = host.substr(1, host.size() - 2);
  } else if (host.find_first_of(":[] /") != std::string_view::npos) {
    return wrong();
  }
  if (host.empty()) return wrong();
  return Endpoint{std::string(host), *port};
}

Result<Seconds> parse_duration(std::string_view text) {
  constexpr std::array<std::pair<char, std::int64_t>, 4> kUnits = {
      {{'s', 1}, {'m', 60}, {'h', 3600}, {'d', 86400}}};
  for (auto [unit, seconds] : kUnits) {
    if (text.empty() || text.back() != unit) continue;
    auto number = parse_number<std::uint32_t>(text.substr(0, text.size() - 1));
    if (number) return Seconds{*number * seconds};
  }
  return fail("'{}' is no duration, such as 30s, 5m, 2h or 1d", printable(text));
}

Result<kube::KubeletPage> parse_kubelet_page(std::string_view text) {
  if (text == "no") return kube::KubeletPage::kNone;
  if (text == "resource") return kube::KubeletPage::kResource;
  if (text == "summary") return kube::KubeletPage::kSummary;
  if (text == "cadvisor") return kube::KubeletPage::kCadvisor;
  return fail("'{}' is none of no, resource, summary, cadvisor", printable(text));
}

Result<Config> load_config(const std::string& path) {
  std::ifstream file(path);
  std::string text;
  char part[16384];
  while (file.read(part, sizeof part), file.gcount() > 0) {
    text.append(part, static_cast<std::size_t>(file.gcount()));
  }
  if (!file.is_open() || file.bad()) {
    return fail("{}: {}", path, std::generic_category().message(errno));
  }
  return parse_config(text, path);
}

std::string config_help() {
  std::string out;
  for (const auto& key : config_keys()) {
    out += fmt::format("{}\n    {}; default: {}\n    {}\n", key.path, key.type_text(),
                       key.default_text.empty() ? "none" : key.default_text, key.help);
  }
  return out;
}

std::string config_markdown() {
  std::string out =
      "# Configuration of `schedlens serve`\n\n"
      "A YAML file, given with `--config FILE`. A key that is not in the file has its default. A "
      "key that\ndoes not exist, a value of another type, a value out of range and a key given "
      "twice are errors; each\nnames the file, the line and the column, and for a misspelt key the "
      "nearest one.\n\n"
      "`SIGHUP` reads the file again. A wrong file changes nothing: the error is logged, and\n"
      "`schedlens_config_last_reload_successful` is 0 until a good file is read. Keys that need a "
      "restart say so.\n\n"
      "| key | type | default | meaning |\n| --- | --- | --- | --- |\n";
  for (const auto& key : config_keys()) {
    out += fmt::format("| `{}` | {} | {} | {} |\n", key.path, key.type_text(),
                       key.default_text.empty() ? "" : fmt::format("`{}`", key.default_text),
                       key.help);
  }
  out += "\nEvery key at its default:\n\n```yaml\n";
  std::string section;
  for (const auto& key : config_keys()) {
    auto parts = cut(key.path, '.');
    if (parts && parts->first != section) out += fmt::format("{}:\n", parts->first);
    section = parts ? parts->first : "";
    out += fmt::format("{}{}{}: {}\n", key.default_text.empty() ? "# " : "", parts ? "  " : "",
                       parts ? parts->second : key.path, key.default_text);
  }
  return out + "```\n";
}

}  // namespace schedlens::cli
