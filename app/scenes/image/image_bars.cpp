// The colour bars of the scene of pictures.

#include <cmath>

#include "app/scenes/image/image_scene.h"
#include "app/scenes/white_value.h"
#include "app/ui/colour_bar.h"

namespace threadscape::app {

namespace {

/// The values that are shown as 0 and as 1 with this tone, in the unit of the data.
ValueRange values_of(const render::ImageTone& tone, double white) {
  const double gain = std::exp2(static_cast<double>(tone.exposure)), offset = static_cast<double>(tone.offset);
  return {-offset / gain * white, (1.0 - offset) / gain * white};
}

}  // namespace

void ImageScene::draw_bars(const LiveView& live, const std::array<const gl::Texture*, 2>& pictures,
                           const render::ImageViewSettings& toned, const gl::Framebuffer& target) {
  const bool differs = toned.mode == render::ViewMode::difference;
  const gl::Resource* resource = pictures[0] == input_of(live) ? live.input() : live.output();
  const bool heights = resource->shape().kind == Kind::heightfield;
  const bool colours = gl::info_of(pictures[0]->format()).channels > 1;
  const bool mapped = toned.colour_map != render::ColourMap::none;
  const bool ranged = look().auto_exposure || (heights && resource->shape().element == Element::f32);
  if (!bar_wanted(look().colour_bars, in_window_) || !(differs || mapped || ranged)) return;

  ramp_.draw(pass_, differs ? toned.difference_map : toned.colour_map, differs ? 1.0f : toned.gamma);
  const BarFill fill = fill_from_texture(ramp_.texture().id());
  ViewCanvas canvas(target);
  const double white = white_of(pictures[0]->format());
  if (differs) {
    draw_colour_bar(canvas, {"difference", 0.0, white / static_cast<double>(toned.difference_gain), {}}, fill);
  } else {
    const std::string title = heights ? "height" : colours && mapped ? "luma" : "value";
    const auto draw = [&](const render::ImageTone& tone, double full, BarSide side) {
      const ValueRange range = values_of(tone, full);
      draw_colour_bar(canvas, {title, range.low, range.high, {}}, fill, side);
    };
    const render::ImageTone tone{toned.exposure, toned.offset};
    if (toned.second_tone) draw(*toned.second_tone, white_of(pictures[1]->format()), BarSide::right);
    draw(tone, white, toned.second_tone ? BarSide::left : BarSide::right);
  }
  canvas.finish();
}

}  // namespace threadscape::app
