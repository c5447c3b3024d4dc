// SPDX-License-Identifier: Apache-2.0
#include "slurm/gres.h"

#include <algorithm>
#include <iterator>

#include "base/text.h"
#include "slurm/value_text.h"

namespace schedlens::slurm {
namespace {

// "name[:type]:count(note)" taken apart.
struct Token {
  std::string_view name, type;
  std::optional<std::uint64_t> count;
  std::string_view note;  // inside the parentheses
};

enum class Count { kLast, kElsewhere };

Result<Token> parse_token(std::string_view text, Count count = Count::kLast) {
  auto bad = [&](const char* why) {
    return fail("GRES '{}' {}", printable(text.substr(0, 60)), why);
  };
  Token token;
  auto body = text;
  if (auto open = body.find('('); open != std::string_view::npos) {
    if (body.back() != ')') return bad("is cut off");
    token.note = body.substr(open + 1, body.size() - open - 2);
    body = body.substr(0, open);
  } else if (body.find(')') != std::string_view::npos) {
    return bad("has ')' without '('");
  }
  std::vector<std::string_view> parts;
  for (auto part : split(body, ':')) {
    if (part.empty()) return bad("is cut off");
    if (part != "no_consume") parts.push_back(part);
  }
  if (parts.empty()) return bad("has no name");
  token.name = parts.front();
  parts.erase(parts.begin());
  if (!parts.empty() && count == Count::kLast) {
    char first = parts.back().front();
    bool number = first >= '0' && first <= '9';
    if (number) token.count = parse_count(parts.back());
    // A type may begin with a digit ("1g.10gb"), but the last part is then still a count.
    if (token.count) parts.pop_back();
  }
  if (parts.size() > 1) return bad("has too many parts");
  if (!parts.empty()) token.type = parts.front();
  return token;
}

// "0,4-5" as 0, 4, 5.
Result<std::vector<std::uint16_t>> parse_indexes(std::string_view text) {
  std::vector<std::uint16_t> indexes;
  if (says_nothing(text)) return indexes;
  for (auto part : split(text, ',')) {
    auto ends = cut(part, '-');
    auto first = parse_number<std::uint16_t>(ends ? ends->first : part);
    auto last = parse_number<std::uint16_t>(ends ? ends->second : part);
    if (!first || !last || *last < *first || *last > 8191) {
      return fail("device indexes '{}' are no list of numbers", printable(text.substr(0, 60)));
    }
    for (unsigned i = *first; i <= *last; ++i) indexes.push_back(static_cast<std::uint16_t>(i));
  }
  std::sort(indexes.begin(), indexes.end());
  indexes.erase(std::unique(indexes.begin(), indexes.end()), indexes.end());
  return indexes;
}

// "3/4,-/4,0/4" by device: how much of it those who share it use; "-" for one that was given whole.
struct SharedUse {
  std::vector<std::uint16_t> devices;  // in use
  std::size_t all = 0;
};
SharedUse parse_shared_use(std::string_view note) {
  SharedUse use;
  for (auto part : split(note, ',')) {
    auto pair = cut(part, '/');
    if (!pair) return {};
    auto used = parse_number<std::uint64_t>(pair->first);
    if (used.value_or(0) > 0) use.devices.push_back(static_cast<std::uint16_t>(use.all));
    ++use.all;
  }
  return use;
}

// A GPU that is shared in parts is not free to be given whole.
void occupy_shared(const SharedUse& use, std::vector<model::GresPool>& pools) {
  model::GresPool* gpus = nullptr;
  for (auto& pool : pools) {
    if (pool.name != model::names::kGpu) continue;
    if (gpus) return;  // of which type the devices are cannot be told
    gpus = &pool;
  }
  if (!gpus || gpus->total != use.all) return;
  auto& whole = gpus->used_indexes;
  std::vector<std::uint16_t> both;
  std::set_union(whole.begin(), whole.end(), use.devices.begin(), use.devices.end(),
                 std::back_inserter(both));
  gpus->used = gpus->used.value_or(0) + (both.size() - whole.size());
  whole = std::move(both);
}

Result<Token> parse_counted_token(std::string_view text) {
  auto token = parse_token(text);
  if (token && !token->count) {
    return fail("GRES '{}' has no count", printable(text.substr(0, 60)));
  }
  return token;
}

void add_use(model::GresPool& pool, std::uint64_t count,
             const std::vector<std::uint16_t>& indexes) {
  pool.used = pool.used.value_or(0) + count;
  pool.used_indexes.insert(pool.used_indexes.end(), indexes.begin(), indexes.end());
  std::sort(pool.used_indexes.begin(), pool.used_indexes.end());
}

// Enters the use of one token into the pool it belongs to.
Status enter_use(const Token& token, const std::vector<std::uint16_t>& indexes,
                 std::vector<model::GresPool>& pools) {
  Symbol name(token.name), type(token.type);
  std::vector<model::GresPool*> same_name;
  for (auto& pool : pools) {
    if (pool.name != name) continue;
    if (pool.type == type) {
      add_use(pool, *token.count, indexes);
      return {};
    }
    same_name.push_back(&pool);
  }
  if (*token.count == 0) {
    // "gpu:0" is about every type.
    for (auto* pool : same_name) pool->used = pool->used.value_or(0);
    return {};
  }
  // Untyped where the configuration has one type, or the other way round.
  if (same_name.size() == 1 && (token.type.empty() || same_name[0]->type.empty())) {
    add_use(*same_name[0], *token.count, indexes);
    return {};
  }
  return fail("GRES in use '{}:{}' is not among the node's", token.name, token.type);
}

std::string_view without_prefix(std::string_view text) {
  if (text.starts_with("gres:") || text.starts_with("gres/")) text.remove_prefix(5);
  return text;
}

}  // namespace

Result<std::vector<model::GresPool>> parse_gres_config(std::string_view text) {
  std::vector<model::GresPool> pools;
  if (says_nothing(text)) return pools;
  for (auto part : split_outside_brackets(text, ',')) {
    auto token = parse_token(part);
    if (!token) return fail(token.error());
    if (!token->count && !token->type.empty()) {
      return fail("GRES '{}' has no count", printable(part.substr(0, 60)));
    }
    model::GresPool pool;
    pool.name = Symbol(token->name);
    pool.type = Symbol(token->type);
    pool.total = token->count.value_or(1);
    if (token->note.starts_with("S:")) pool.sockets = token->note.substr(2);
    // The same type on several sockets is listed once per socket.
    auto same = std::find_if(pools.begin(), pools.end(), [&](const auto& p) {
      return p.name == pool.name && p.type == pool.type;
    });
    if (same == pools.end()) {
      pools.push_back(std::move(pool));
    } else {
      same->total += pool.total;
      if (!pool.sockets.empty()) same->sockets += (same->sockets.empty() ? "" : ",") + pool.sockets;
    }
  }
  return pools;
}

Status apply_gres_used(std::string_view text, std::vector<model::GresPool>& pools) {
  if (says_nothing(text)) {
    for (auto& pool : pools) pool.used = 0;
    return {};
  }
  std::vector<SharedUse> shared;
  for (auto part : split_outside_brackets(text, ',')) {
    auto token = parse_counted_token(part);
    if (!token) return fail(token.error());
    std::vector<std::uint16_t> indexes;
    if (token->note.starts_with("IDX:")) {
      auto list = parse_indexes(token->note.substr(4));
      if (!list) return fail(list.error());
      indexes = std::move(*list);
    } else if (auto use = parse_shared_use(token->note); use.all > 0) {
      indexes = use.devices;
      shared.push_back(std::move(use));
    }
    auto entered = enter_use(*token, indexes, pools);
    if (!entered) return entered;
  }
  for (const auto& use : shared) occupy_shared(use, pools);
  return {};
}

Result<std::vector<model::GresPool>> parse_gres_held(std::string_view text) {
  std::vector<model::GresPool> held;
  if (says_nothing(text)) return held;
  for (auto part : split_outside_brackets(text, ',')) {
    auto token = parse_counted_token(part);
    if (!token) return fail(token.error());
    model::GresPool pool;
    pool.name = Symbol(token->name);
    pool.type = Symbol(token->type);
    pool.total = *token->count;
    pool.used = *token->count;
    if (token->note.starts_with("IDX:")) {
      auto list = parse_indexes(token->note.substr(4));
      if (!list) return fail(list.error());
      pool.used_indexes = std::move(*list);
    }
    held.push_back(std::move(pool));
  }
  return held;
}

Result<std::vector<model::GresCount>> parse_gres_request(std::string_view text) {
  std::vector<model::GresCount> asked;
  if (says_nothing(text)) return asked;
  for (auto whole : split_outside_brackets(text, ',')) {
    auto part = without_prefix(whole);
    bool is_gres = part.size() != whole.size();
    auto amount = cut(part, '=');
    auto name = amount ? amount->first : part.substr(0, part.find(':'));
    if (!is_gres && (name == "cpu" || name == "mem" || name == "node" || name == "billing" ||
                     name == "energy" || name.find('/') != std::string_view::npos)) {
      continue;
    }
    // "gpu:3090=2": a type may be a number.
    auto token = amount ? parse_token(amount->first, Count::kElsewhere) : parse_token(part);
    if (!token) return fail(token.error());
    if (amount) token->count = parse_count(amount->second);
    if (amount && !token->count) {
      return fail("GRES '{}' has no count", printable(whole.substr(0, 60)));
    }
    asked.push_back({Symbol(token->name), Symbol(token->type), token->count.value_or(1)});
  }
  return asked;
}

Result<std::vector<model::GresCount>> parse_licences(std::string_view text) {
  std::vector<model::GresCount> asked;
  if (says_nothing(text)) return asked;
  for (;;) {
    auto end = text.find_first_of(",;|");
    auto part = text.substr(0, end);
    auto pair = cut(part, ':');
    if (!pair) pair = cut(part, '=');
    auto count = pair ? parse_count(pair->second) : std::optional<std::uint64_t>(1);
    auto name = pair ? pair->first : part;
    if (!count || name.empty()) return fail("licence '{}' has no count", printable(part));
    asked.push_back({Symbol(name), {}, *count});
    if (end == std::string_view::npos) return asked;
    text.remove_prefix(end + 1);
  }
}

std::optional<double> parse_tres_amount(std::string_view name, std::string_view amount) {
  if (name == "mem" || name == "vmem") {
    auto bytes = parse_mebibytes(amount);
    if (!bytes) return std::nullopt;
    return static_cast<double>(bytes->value);
  }
  return parse_scaled(amount);
}

Result<model::ResourceCounts> parse_tres(std::string_view text) {
  model::ResourceCounts counts;
  if (says_nothing(text)) return counts;
  while (!text.empty()) {
    auto comma = text.find(',');
    auto part = text.substr(0, comma);
    text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
    auto pair = cut(part, '=');
    auto amount = pair ? parse_tres_amount(pair->first, pair->second) : std::nullopt;
    if (!amount || pair->first.empty()) {
      return fail("TRES '{}' is no name=amount", printable(part.substr(0, 60)));
    }
    counts.set(Symbol(pair->first), *amount);
  }
  return counts;
}

}  // namespace schedlens::slurm
