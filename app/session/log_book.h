#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <vector>

namespace threadscape::app {

/// The messages that the log panel shows, the latest last. Any thread may add messages.
class LogBook {
 public:
  enum class Level : std::uint8_t { info, warning, error };
  struct Entry {
    Level level;
    double seconds;  ///< Seconds since the program started.
    std::string text;
  };

  void info(std::string text) { add(Level::info, std::move(text)); }
  void warning(std::string text) { add(Level::warning, std::move(text)); }
  void error(std::string text) { add(Level::error, std::move(text)); }
  [[nodiscard]] std::vector<Entry> entries() const;
  void clear();

 private:
  void add(Level level, std::string text);
  static constexpr std::size_t max_entries = 500;
  mutable std::mutex mutex_;
  std::deque<Entry> entries_;
};

}  // namespace threadscape::app
