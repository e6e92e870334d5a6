#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <vector>

#include "compute/core/shape.h"

namespace threadscape::app {

/// Something that a message offers to do for the user, as a button beside it.
struct Offer {
  enum class Action : std::uint8_t {
    copy_text,         ///< Copies `text`, usually a path, to the clipboard.
    choose_algorithm,  ///< Chooses the algorithm that `text` names.
    open_file,         ///< Asks for a file to open.
    choose_backend,    ///< Chooses the backend that `text` names.
    set_parameter,     ///< Sets a parameter of the chosen algorithm to what `text` says: NAME=VALUE.
    earlier_input,     ///< Opens the data again that were the input before a result of the kind `kind`.
  };
  Action action = Action::copy_text;
  std::string label;  ///< Text of the button.
  std::string text = {};
  Kind kind = Kind::none;
  friend bool operator==(const Offer&, const Offer&) = default;
};

/// The messages to the user, the latest last. The window shows each of them for some seconds, except details, and the
/// log panel shows all. Any thread may add messages: threads that decode or measure have no other way to tell the user
/// something.
class LogBook {
 public:
  enum class Level : std::uint8_t { detail, info, warning, error };
  struct Entry {
    Level level;
    double seconds;  ///< Seconds since the program started.
    std::string text;
    std::vector<Offer> offers;
    std::uint64_t number;  ///< 1 for the first message, 2 for the second, ...
  };

  /// A fact that nobody waits for, which is shown in the log panel only.
  void detail(std::string text) { add(Level::detail, std::move(text), {}); }
  void info(std::string text, std::vector<Offer> offers = {}) { add(Level::info, std::move(text), std::move(offers)); }
  void warning(std::string text, std::vector<Offer> offers = {}) {
    add(Level::warning, std::move(text), std::move(offers));
  }
  void error(std::string text, std::vector<Offer> offers = {}) {
    add(Level::error, std::move(text), std::move(offers));
  }
  [[nodiscard]] std::vector<Entry> entries() const { return entries_after(0); }
  /// The messages with a higher number than this one.
  [[nodiscard]] std::vector<Entry> entries_after(std::uint64_t number) const;
  void clear();

 private:
  void add(Level level, std::string text, std::vector<Offer> offers);
  static constexpr std::size_t max_entries = 500;
  mutable std::mutex mutex_;
  std::deque<Entry> entries_;
  std::uint64_t added_ = 0;
};

}  // namespace threadscape::app
