#pragma once
// Parts of a view that hold flat pictures: where they are, zoom, and what scenes of volumes draw around them.

#include <array>
#include <cstdint>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <string>
#include <string_view>

#include "app/window/view_canvas.h"
#include "compute/core/data.h"
#include "render/gl/volume_texture.h"
#include "render/passes/slice_pass.h"

namespace threadscape::app {

struct PaneZoom {
  float factor = 1.0f;
  glm::vec2 centre{0.5f};  ///< in the middle of the pane; 0..1 of the picture
  /// What is at `place` stays there.
  void about(glm::vec2 place, float by);
};

/// A picture within a part of the view; mouse and pixels count from the view's top left corner.
struct FlatPane {
  render::ViewRect rect;
  glm::vec2 corner{0.0f}, extent{1.0f};  ///< of the picture, in pixels of `rect`
  /// As large as it goes with sides of this ratio, and zoomed from there.
  static FlatPane fitted(const render::ViewRect& rect, glm::vec2 sides, const PaneZoom& zoom);
  [[nodiscard]] glm::vec2 place(glm::vec2 at) const { return (at - glm::vec2(rect.corner) - corner) / extent; }
  [[nodiscard]] ImVec2 pixel(glm::vec2 place) const {
    const glm::vec2 at = glm::vec2(rect.corner) + corner + place * extent;
    return {at.x, at.y};
  }
};

/// A cut across one of the axes of an object, whose texture has the axes x, z, y: seen from -y, from +x, or from above.
enum class Cut : std::uint8_t { z, y, x };
inline constexpr std::array<std::string_view, 3> cut_names{"z", "y", "x"};
/// `place`: 0..1 along the cut's axis.
[[nodiscard]] render::VolumeSlice slice_at(Cut cut, float place);
/// Of the picture, right and up, from those along x, y and z.
[[nodiscard]] glm::vec2 cut_sides(Cut cut, glm::vec3 sides);
/// How many slices there are, in a texture of this size.
[[nodiscard]] int slices_of(Cut cut, glm::ivec3 texture);
/// Of the slice at 0..1 of so many.
[[nodiscard]] int index_at(float place, int count);
/// The middle of slice `index`.
[[nodiscard]] float middle_of(int index, int count);

/// Of all steps between voxels, by their height, 0..1 along x, z, y: where cuts have something to show. Volumes of
/// floats; of large ones not every voxel is looked at.
[[nodiscard]] glm::vec3 middle_of_edges(const HostIn& volume);
/// Along the cut's axis, of a place along x, z, y.
[[nodiscard]] inline float along(Cut cut, glm::vec3 place) {
  return cut == Cut::z ? place.y : cut == Cut::y ? place.z : place.x;
}

/// A step from black to white, for scales beside pictures.
class ToneScale {
 public:
  ToneScale();
  /// From bottom to top, or from left to right; without ticks.
  void draw(render::SlicePass& pass, const render::ViewRect& rect, const render::VolumeTone& tone,
            const gl::Framebuffer& target) const;

 private:
  gl::VolumeTexture ramp_;
};

/// Values from `values.x` to `values.y`; window and level are in ranges of them, 1 around 0.5 is all.
[[nodiscard]] render::VolumeTone tone_over(glm::vec2 values, float window, float level, render::ColourMap map,
                                           bool inverted);
/// Of text that is as large as the view allows.
[[nodiscard]] float text_unit(const gl::Framebuffer& target);
[[nodiscard]] glm::vec4 rgba(ImU32 packed);
[[nodiscard]] glm::vec4 backdrop();
/// To be seen over pictures of any brightness.
void marked_line(ImDrawList& list, ImVec2 a, ImVec2 b, ImU32 colour, float weight);
/// A value of a scale with so much from end to end: five digits at most, and 0 for what is none beside that.
[[nodiscard]] std::string scale_text(float value, float range);
[[gnu::format(printf, 1, 2)]] [[nodiscard]] std::string format_text(const char* how, ...);

/// Two sliders of the toolbar for window and level over such values, `width` units each; numbers are those of the data.
void window_sliders(float& window, float& level, glm::vec2 values, float width, const char* of_what);

}  // namespace threadscape::app
