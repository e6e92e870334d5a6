#pragma once
// The values of the visible pixels as numbers inside of them, once pixels are large enough on the screen.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/scenes/map_ramp.h"
#include "app/scenes/white_value.h"
#include "app/ui/view_canvas.h"
#include "render/interop/readback.h"
#include "render/passes/image_pass.h"

namespace threadscape::app {

/// A rectangle of pixels of a picture.
struct PixelRect {
  int x = 0, y = 0, width = 0, height = 0;
  bool operator==(const PixelRect&) const = default;
};

/// Size in view pixels that a picture's pixel needs for numbers, about 40 units of the interface.
[[nodiscard]] float zoom_for_numbers();
/// The pixels of a picture of `picture` pixels that are at least partly visible; at most `most` per side, those in the
/// middle. The width is 0 if there are none.
[[nodiscard]] PixelRect visible_pixels(const render::ImageViewSettings& settings, glm::ivec2 view, glm::ivec2 picture,
                                       int most);
/// A value as a text of at most `digits` significant digits; integers have all of theirs.
[[nodiscard]] std::string number_in_pixel(double value, bool is_float, int digits);

/// Follows the values of the visible pixels of a texture. The copy from the GPU is queued and taken some frames later,
/// so that the drawing thread never waits. What has arrived stays until the contents of the texture change.
class PixelValues {
 public:
  PixelValues() : probe_(max_side) {}

  /// Asks for the pixels unless they are known, and takes what has arrived. `version` changes with the contents.
  void follow(const gl::Texture& texture, std::uint64_t version, const PixelRect& wanted);
  /// Called instead of follow() while no numbers are shown: forgets them, and an answer that is still on its way.
  void rest() {
    found_.reset();
    (void)probe_.poll();
  }
  /// The values that arrived last, of the present contents; null if there are none yet.
  [[nodiscard]] const interop::ProbeResult* found() const { return found_ ? &*found_ : nullptr; }
  [[nodiscard]] bool pending() const { return probe_.pending(); }

  static constexpr int max_side = 128;  ///< Largest number of pixels per side that is read.

 private:
  using Contents = std::pair<GLuint, std::uint64_t>;  ///< A texture and the version of its contents.
  interop::PixelProbe probe_;
  Contents asked_{}, known_{};
  PixelRect asked_rect_, known_rect_;
  std::optional<interop::ProbeResult> found_;
};

/// The absolute differences of the channels of two pictures of the same format, for the pixels that are known of both;
/// none if there are no such pixels.
[[nodiscard]] std::optional<interop::ProbeResult> difference_of(const interop::ProbeResult& a,
                                                                const interop::ProbeResult& b);

/// A part of the view, from column `left` to column `right`, in which a picture is shown whose first pixel begins at
/// `shift` columns right of the place that render::image_to_view() states.
struct NumbersPane {
  float left = 0.0f, right = 0.0f, shift = 0.0f;
  bool differences = false;  ///< If true, the values are differences, so that an alpha of 0 says nothing.
};

/// The brightness, 0 to 1, in which each pixel is shown. `ramp` holds the colour map, and in ViewMode::difference that
/// of differences.
[[nodiscard]] std::vector<float> lights_of(const interop::ProbeResult& values, const render::ImageViewSettings& toned,
                                           const MapRamp& ramp);
/// Writes the values into the pixels: black where `light`, of each pixel, is above 0.5, else white. The alpha of
/// pictures that are opaque everywhere is left out.
void draw_numbers(ViewCanvas& canvas, const interop::ProbeResult& values, const render::ImageViewSettings& settings,
                  const NumbersPane& pane, const std::vector<float>& light);

}  // namespace threadscape::app
