#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/session/setting.h"

namespace threadscape::app {

/// The settings that the user has left, for undo and redo. The workspace tells it what has changed. Changes during one
/// gesture, such as the drag of a slider, become one entry.
class History {
 public:
  /// Keeps at most this many settings to go back to.
  static constexpr std::size_t max_entries = 200;
  /// Keeps at most this many bytes of opened data that are not open any more. Older ones are read from their files
  /// again.
  static constexpr std::size_t max_data_bytes = std::size_t{512} << 20;

  explicit History(std::size_t entries = max_entries, std::size_t data_bytes = max_data_bytes)
      : entries_(entries), data_bytes_(data_bytes) {}

  /// Called with the present setting when it may have changed. While `gesture` is set, a mouse button or a widget is
  /// held: what changes meanwhile is recorded when that ends, as one entry. The first call records where the history
  /// begins.
  void observe(const Setting& now, bool gesture);

  [[nodiscard]] bool can_undo() const { return !past_.empty(); }
  [[nodiscard]] bool can_redo() const { return !future_.empty(); }
  /// What undo() would take back, in a few words; "" if there is nothing.
  [[nodiscard]] std::string undo_name() const;
  [[nodiscard]] std::string redo_name() const;

  /// The setting to go back to from `now`, which can be redone. Nothing if there is none. Settings that name painted
  /// masks which are not kept any more are forgotten with all before them.
  [[nodiscard]] std::optional<Setting> undo(const Setting& now);
  /// The setting that the last undo() has left. Nothing if something else was changed since then.
  [[nodiscard]] std::optional<Setting> redo(const Setting& now);
  /// To be called when a setting of undo() or redo() was applied: `now` is what the workspace has become. Files of
  /// `wanted` whose data are missing are expected to be opened soon, which is no change of the user.
  void applied(const Setting& now, const Setting& wanted);
  /// Expects that these files are opened for the present setting, which is no change of the user.
  void await(const std::vector<std::pair<Kind, std::filesystem::path>>& files);
  /// Bytes of the data that only this history keeps.
  [[nodiscard]] std::size_t data_bytes() const;

 private:
  /// Records a change that has not become an entry yet.
  void commit(const Setting& now);
  /// Takes data that were awaited into all entries that name them. Returns whether `now` differs in nothing else.
  bool take_awaited(const Setting& now);
  /// The data that are not open in the setting farthest from the present one; null if there are none.
  [[nodiscard]] const SettingInput* farthest_data() const;
  /// Keeps the entries and their data within the limits.
  void limit();

  std::size_t entries_, data_bytes_;
  std::optional<Setting> present_;     ///< The setting after the last entry.
  std::deque<Setting> past_, future_;  ///< The nearest last.
  std::vector<SettingInput> awaited_;  ///< Files that are read again for the present setting.
};

}  // namespace threadscape::app
