#pragma once
// The values of pixels as text for the clipboard.

#include <array>
#include <optional>
#include <string>

#include "app/scenes/image/pixel_values.h"

namespace threadscape::app {

/// The pixels whose values are copied: the visible ones if they are at most ValueCopy::max_side per side, else
/// those around `at`, or around the middle of the view if there is none.
[[nodiscard]] PixelRect pixels_to_copy(const render::ImageViewSettings& settings, glm::ivec2 view, glm::ivec2 picture,
                                       const std::optional<glm::ivec2>& at);

/// The values as a table whose cells are separated by tabs, for each channel one below the other. The first line has
/// the columns of the picture, the first cell of each line its row, and the very first one `name` and the channel.
/// Floats have the nine digits that their bits need. The alpha is left out where it is opaque everywhere.
[[nodiscard]] std::string table_of(const interop::ProbeResult& values, const std::string& name);

/// Reads values from one or two textures for the clipboard, without waiting for the GPU.
class ValueCopy {
 public:
  static constexpr int max_side = 64;  ///< Largest number of visible pixels per side that are copied.
  static constexpr int around = 5;     ///< Number of pixels on each side of a single one that are copied with it.

  ValueCopy() : probes_{interop::PixelProbe(max_side), interop::PixelProbe(max_side)} {}
  /// Queues the reads; the second texture may be null. If `differences`, the differences of both are copied.
  void request(const std::array<const gl::Texture*, 2>& pictures, const PixelRect& rect, bool differences);
  [[nodiscard]] bool pending() const { return wanted_; }
  /// The text, once, when all values have arrived. `names` are those of the pictures.
  [[nodiscard]] std::optional<std::string> poll(const std::array<std::string, 2>& names);
  [[nodiscard]] const PixelRect& rect() const { return rect_; }

 private:
  std::array<interop::PixelProbe, 2> probes_;
  std::array<std::optional<interop::ProbeResult>, 2> found_;
  PixelRect rect_;
  bool wanted_ = false, differences_ = false;
};

}  // namespace threadscape::app
