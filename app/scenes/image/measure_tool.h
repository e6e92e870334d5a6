#pragma once
// The tool that measures in a picture with the mouse: a line with the values below it, or a region with its statistics.

#include <cstdint>
#include <future>
#include <glm/vec2.hpp>
#include <optional>
#include <string>
#include <variant>

#include "app/scenes/image/picture_measure.h"
#include "app/ui/theme.h"
#include "app/ui/view_canvas.h"
#include "render/gl/pending_read.h"
#include "render/passes/image_pass.h"

namespace threadscape::app {

enum class MeasureKind : std::uint8_t { none, line, region };

class MeasureTool {
 public:
  using Found = std::variant<std::monostate, LineProfile, RegionStatistics>;

  [[nodiscard]] MeasureKind kind() const { return kind_; }
  /// Measures something else from now on. What was measured is forgotten.
  void choose(MeasureKind kind);
  /// Handles the mouse at this place of the picture: a press begins, a drag moves the second point.
  void mouse(glm::vec2 place, bool hovered);
  /// Measures again when the points or the picture have changed. Reads the picture without waiting for the GPU, while
  /// the mouse is down only a small one. `title` says which picture it is.
  void follow(const gl::Texture& picture, std::uint64_t version, const std::string& title);
  /// Draws the line or the rectangle over the picture.
  void draw(ViewCanvas& canvas, const render::ImageViewSettings& settings, glm::ivec2 view) const;
  /// Draws the figures, and the profile of a line.
  void draw_panel(const Fonts& fonts) const;
  /// Returns whether something is on its way.
  [[nodiscard]] bool pending() const { return kind_ != MeasureKind::none && (read_ || result_.valid()); }
  /// What was measured last.
  [[nodiscard]] const Found& found() const { return found_; }

 private:
  struct Asked {
    MeasuredPlaces places;
    GLuint texture = 0;
    std::uint64_t version = 0;
    bool operator==(const Asked&) const = default;
  };

  MeasureKind kind_ = MeasureKind::none;
  std::optional<MeasuredPlaces> places_;
  bool dragging_ = false;
  std::optional<Asked> asked_;  ///< What read_ and result_ are for, or found_ is of.
  std::optional<gl::PendingRead> read_;
  std::future<Found> result_;  ///< Declared behind read_, whose contents it uses until it is there.
  Found found_;
  std::string title_, title_asked_;
};

}  // namespace threadscape::app
