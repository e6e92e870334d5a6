#pragma once

#include <array>
#include <optional>

#include "render/gl/framebuffer.h"
#include "render/gl/pending_read.h"
#include "render/passes/image_pass.h"

namespace threadscape::app {

/// The colours of a colour map from its first to its last, as the shader draws them: a texture for colour bars, and the
/// brightness of each colour.
class MapRamp {
 public:
  static constexpr int colours = 256;

  MapRamp();
  /// Draws the ramp if the map or the gamma is another one than before; changes the framebuffer that is bound.
  void draw(render::ImagePass& pass, render::ColourMap map, float gamma);
  /// A row of `colours` pixels.
  [[nodiscard]] const gl::Texture& texture() const { return target_.colour(); }
  /// The brightness, 0 to 1, of the colour of a value, which is clamped to 0..1. It is the value itself until the
  /// colours have arrived from the GPU.
  [[nodiscard]] float light(float value) const;
  /// Takes the colours if they have arrived; never waits.
  void update();
  [[nodiscard]] bool pending() const { return read_.has_value(); }

 private:
  gl::Texture values_;
  gl::Framebuffer target_;
  std::optional<gl::PendingRead> read_;
  std::optional<std::array<float, colours>> lights_;
  std::optional<std::pair<render::ColourMap, float>> drawn_;
};

}  // namespace threadscape::app
