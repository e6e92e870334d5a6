#include "app/session/log_book.h"

#include <algorithm>
#include <chrono>

#include "app/session/crash_report.h"
#include "compute/core/printable.h"

namespace threadscape::app {

std::vector<LogBook::Entry> LogBook::entries_after(std::uint64_t number) const {
  const std::lock_guard lock(mutex_);
  const auto first = std::ranges::upper_bound(entries_, number, {}, &Entry::number);
  return {first, entries_.end()};
}

void LogBook::clear() {
  const std::lock_guard lock(mutex_);
  entries_.clear();
}

void LogBook::add(Level level, std::string text, std::vector<Offer> offers) {
  static const auto start = std::chrono::steady_clock::now();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  text = printable(text);  // It may name files, which may have any names.
  note_for_crash_report(text);
  const std::lock_guard lock(mutex_);
  entries_.push_back({level, seconds, std::move(text), std::move(offers), ++added_});
  if (entries_.size() > max_entries) entries_.pop_front();
}

}  // namespace threadscape::app
