#include "app/lesson/block_entries.h"

#include <algorithm>
#include <charconv>

#include "compute/core/errors.h"
#include "compute/core/suggestion.h"

namespace threadscape::app {

void fail_at(const std::string& file, int line, const std::string& what) {
  throw UsageError(file + ":" + std::to_string(line) + ": " + what);
}

std::string_view without_blanks(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

void BlockEntries::fail(const std::string& what) const {
  fail_at(file_, line_, "the block '" + block_ + "' " + what);
}

void BlockEntries::fail(const BlockEntry& entry, const std::string& what) const {
  fail_at(file_, entry.line, what);
}

void BlockEntries::add(std::string_view text, int line) {
  if (without_blanks(text).empty()) {
    if (!entries_.empty()) entries_.back().value += '\n';
    return;
  }
  if (text.starts_with(' ') || text.starts_with('\t')) {
    if (entries_.empty()) fail_at(file_, line, "an indented line goes on with the entry above, and there is none");
    entries_.back().value += '\n' + std::string(text.substr(std::min<std::size_t>(text.find_first_not_of(" \t"), 2)));
    return;
  }
  const std::size_t colon = text.find(':');
  const std::string key(without_blanks(text.substr(0, colon)));
  if (colon == std::string_view::npos || key.empty() ||
      key.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") != std::string::npos)
    fail_at(file_, line, "a line of a block is 'key: value', or indented to go on with the value above");
  entries_.push_back({key, std::string(without_blanks(text.substr(colon + 1))), line});
}

void BlockEntries::require(std::span<const std::string_view> keys, std::span<const std::string_view> many) {
  for (BlockEntry& entry : entries_) {
    if (std::ranges::find(keys, entry.key) == keys.end())
      fail(entry,
           "the block '" + block_ + "' has no key '" + entry.key + "': " + suggestion_and_list(entry.key, keys, ", "));
    while (entry.value.ends_with('\n') || entry.value.ends_with(' '))
      entry.value.pop_back();
    if (entry.value.starts_with('\n')) entry.value.erase(0, 1);
    if (entry.value.empty()) fail(entry, "nothing stands behind '" + entry.key + ":'");
    const bool once = std::ranges::find(many, entry.key) == many.end();
    if (once && std::ranges::count(entries_, entry.key, &BlockEntry::key) > 1)
      fail(entry, "the key '" + entry.key + "' stands twice");
  }
}

const BlockEntry* BlockEntries::find(std::string_view key) const {
  const auto found = std::ranges::find(entries_, key, &BlockEntry::key);
  return found == entries_.end() ? nullptr : &*found;
}

std::string BlockEntries::text(std::string_view key) const {
  const BlockEntry* const entry = find(key);
  return entry == nullptr ? std::string() : entry->value;
}

std::string BlockEntries::required(std::string_view key) const {
  if (find(key) == nullptr) fail("needs the key '" + std::string(key) + "'");
  return text(key);
}

void BlockEntries::for_each(std::string_view key, const std::function<void(const BlockEntry&)>& f) const {
  for (const BlockEntry& entry : entries_) {
    if (entry.key != key) continue;
    try {
      f(entry);
    } catch (const UsageError& error) {
      fail(entry, error.what());
    }
  }
}

int BlockEntries::number(std::string_view key, int otherwise, int lo, int hi) const {
  int value = otherwise;
  for_each(key, [&](const BlockEntry& entry) {
    const auto [end, error] = std::from_chars(entry.value.data(), entry.value.data() + entry.value.size(), value);
    if (error != std::errc() || end != entry.value.data() + entry.value.size() || value < lo || value > hi)
      throw UsageError("'" + entry.value + "' is no number from " + std::to_string(lo) + " to " + std::to_string(hi));
  });
  return value;
}

bool BlockEntries::flag(std::string_view key) const {
  bool value = false;
  for_each(key, [&](const BlockEntry& entry) {
    if (entry.value != "yes" && entry.value != "no") throw UsageError("'" + entry.value + "' is neither yes nor no");
    value = entry.value == "yes";
  });
  return value;
}

}  // namespace threadscape::app
