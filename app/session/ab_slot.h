#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/session/setting.h"

namespace threadscape::app {

/// One value in which two settings differ, as text for a table.
struct SettingDifference {
  std::string title;  ///< "Size", "Backend", "Input", ...
  std::string a, b;   ///< The values; "" for a value that only the other setting has.
};

/// What differs between two settings: only what was changed, in the order of the panel.
[[nodiscard]] std::vector<SettingDifference> differences(const Setting& a, const Setting& b);

/// A second setting, B, that is kept beside the present one, A, so that both can be compared. It keeps the data that B
/// works on in memory.
class AbSlot {
 public:
  /// The views that compare pictures show B in place of the input and the serial result.
  bool compares_pictures = true;

  [[nodiscard]] bool filled() const { return kept_.has_value(); }
  /// The setting B. Only while filled().
  [[nodiscard]] const Setting& b() const { return *kept_; }
  /// Makes `now` the setting B. `times` are those of its runs in milliseconds, without the first one, which warms up.
  void keep(Setting now, std::vector<double> times);
  void clear();
  /// Makes `now` the setting B, and returns the one that was B, which the caller applies. Only while filled().
  [[nodiscard]] Setting swap(Setting now, std::vector<double> times);
  /// The times of the runs of B in milliseconds; empty if B has run at most once.
  [[nodiscard]] const std::vector<double>& b_times() const { return times_; }
  /// The work whose result is the picture of B, on a CPU backend. None while pictures are not compared, and if B works
  /// on an input that its algorithm makes itself.
  [[nodiscard]] std::optional<Work> work() const;
  /// The data that work() runs on; null if its algorithm takes none.
  [[nodiscard]] std::shared_ptr<const Source> source() const;

 private:
  std::optional<Setting> kept_;
  std::vector<double> times_;
};

}  // namespace threadscape::app
