#pragma once
// Panes: rectangles of a view that show a flat picture, with zoom and pan, and the scales, lines and texts that the
// scenes of volumes draw around them.

#include <array>
#include <cstdint>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/ui/view_canvas.h"
#include "compute/core/data.h"
#include "render/gl/volume_texture.h"
#include "render/passes/slice_pass.h"

namespace threadscape::app {

struct PaneZoom {
  float factor = 1.0f;     ///< 1 = the picture fits into the pane.
  glm::vec2 centre{0.5f};  ///< The point of the picture in the middle of the pane; the picture is [0, 1] x [0, 1].
  /// Multiplies the factor by `by`, within limits, and keeps the point `place` of the picture where it is in the pane.
  void about(glm::vec2 place, float by);
};

/// A picture in a rectangle of the view. Positions in the view are in pixels from its top left corner.
struct FlatPane {
  render::ViewRect rect;
  glm::vec2 corner{0.0f}, extent{1.0f};  ///< Corner and size of the picture in pixels, from the corner of `rect`.
  /// The largest picture with sides of this ratio that fits into `rect`, then zoomed.
  static FlatPane fitted(const render::ViewRect& rect, glm::vec2 sides, const PaneZoom& zoom);
  /// The point of the picture, [0, 1] x [0, 1] inside, at a position in the view.
  [[nodiscard]] glm::vec2 place(glm::vec2 at) const { return (at - glm::vec2(rect.corner) - corner) / extent; }
  /// The position in the view of a point of the picture.
  [[nodiscard]] ImVec2 pixel(glm::vec2 place) const {
    const glm::vec2 at = glm::vec2(rect.corner) + corner + place * extent;
    return {at.x, at.y};
  }
};

/// A cut through an object across one of its axes: across z it is seen from above, across y from -y, across x from +x.
/// The object's texture has the axes x, z, y in this order.
enum class Cut : std::uint8_t { z, y, x };
inline constexpr std::array<std::string_view, 3> cut_names{"z", "y", "x"};
/// The slice of the texture at position `place` in [0, 1] along the cut's axis.
[[nodiscard]] render::VolumeSlice slice_at(Cut cut, float place);
/// Width and height of the cut's picture, from the lengths of the object along x, y and z.
[[nodiscard]] glm::vec2 cut_sides(Cut cut, glm::vec3 sides);
/// Number of slices along the cut's axis in a texture of this size.
[[nodiscard]] int slices_of(Cut cut, glm::ivec3 texture);
/// Index of the slice at position `place` in [0, 1] among `count` slices.
[[nodiscard]] int index_at(float place, int count);
/// Position in [0, 1] of the middle of slice `index` among `count` slices.
[[nodiscard]] float middle_of(int index, int count);

/// The mean position, in [0, 1] along the texture's axes x, z, y, of all differences between neighbouring voxels,
/// weighed by their magnitude: cuts through it show something even if most of the volume is empty. Only for volumes of
/// floats; others give the middle. Large volumes are sampled.
[[nodiscard]] glm::vec3 centre_of_edges(const HostIn& volume);
/// The coordinate along the cut's axis of a position along x, z, y.
[[nodiscard]] inline float along(Cut cut, glm::vec3 place) {
  return cut == Cut::z ? place.y : cut == Cut::y ? place.z : place.x;
}

/// A ramp from black to white for the colour scales beside pictures.
class ToneScale {
 public:
  ToneScale();
  /// Fills `rect` with the ramp, from bottom to top if it is higher than wide, else from left to right. Draws no ticks.
  void draw(render::SlicePass& pass, const render::ViewRect& rect, const render::VolumeTone& tone,
            const gl::Framebuffer& target) const;

 private:
  gl::VolumeTexture ramp_;
};

/// The tone for values from `values.x` to `values.y`. `window` and `level` are in units of that range: window 1 at
/// level 0.5 shows all of it.
[[nodiscard]] render::VolumeTone tone_over(glm::vec2 values, float window, float level, render::ColourMap map,
                                           bool inverted);
/// Height in pixels of a line of text, chosen by the size of the view.
[[nodiscard]] float text_unit(const gl::Framebuffer& target);
[[nodiscard]] glm::vec4 rgba(ImU32 packed);
[[nodiscard]] glm::vec4 backdrop();
/// A line with a dark edge, so that it can be seen over pictures of any brightness.
void marked_line(ImDrawList& list, ImVec2 a, ImVec2 b, ImU32 colour, float weight);
/// A value on a scale whose ends are `range` apart, with at most five digits. Values below a millionth of the range are
/// written as 0, since they are rounding errors.
[[nodiscard]] std::string scale_text(float value, float range);
[[gnu::format(printf, 1, 2)]] [[nodiscard]] std::string format_text(const char* how, ...);

/// A slider of a toolbar, with its name and number on it.
struct ToolbarSlider {
  const char* name;  ///< Identifies it.
  std::string text;  ///< Written on it.
  float* value;
  float low, high;
  bool logarithmic;
  std::string tip;
};
/// The sliders for window and level as in tone_over(). The numbers on them are in units of the data. `of_what` names
/// the data in the tooltips.
[[nodiscard]] std::vector<ToolbarSlider> window_sliders(float& window, float& level, glm::vec2 values,
                                                        const std::string& of_what);
/// Draws the sliders in the row of the last item if they fit there together with `behind` units of further items, and
/// else a button that opens them.
void toolbar_sliders(std::span<const ToolbarSlider> sliders, float behind);

}  // namespace threadscape::app
