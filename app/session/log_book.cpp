#include "app/session/log_book.h"

#include <chrono>

namespace threadscape::app {

std::vector<LogBook::Entry> LogBook::entries() const {
  const std::lock_guard lock(mutex_);
  return {entries_.begin(), entries_.end()};
}

void LogBook::clear() {
  const std::lock_guard lock(mutex_);
  entries_.clear();
}

void LogBook::add(Level level, std::string text) {
  static const auto start = std::chrono::steady_clock::now();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const std::lock_guard lock(mutex_);
  entries_.push_back({level, seconds, std::move(text)});
  if (entries_.size() > max_entries) entries_.pop_front();
}

}  // namespace threadscape::app
