#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "app/panels/panel.h"
#include "app/session/source_lines.h"
#include "compute/core/resources.h"

namespace threadscape::app {

/// The source of what a diagram draws, beside it, with the lines of the shown step marked. It follows the diagram until
/// another backend is chosen, and again when the diagram draws something else.
class SourcePanel final : public Panel {
 public:
  static constexpr std::string_view name = "source";
  /// Returns whether the window has room for the panel.
  [[nodiscard]] static bool has_room();

  void draw(Desk& desk) override;
  [[nodiscard]] bool is_there(Desk& desk) override;
  [[nodiscard]] bool animating() const override { return scrolls_; }

 private:
  void list(const std::vector<std::string>& lines, const CodePlace& place, ImFont* mono);

  SourceLines sources_{asset_folder().parent_path()};
  std::pair<const AlgorithmInfo*, DrawnCode> followed_;  ///< What the diagram has drawn in the last frame.
  std::optional<Backend> chosen_;                        ///< Another backend than the diagram's.
  std::pair<std::string, std::size_t> shown_;            ///< The file, and the line that was scrolled to.
  bool scrolls_ = false;                                 ///< The next frame shows that line.
};

}  // namespace threadscape::app
