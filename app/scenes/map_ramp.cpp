#include "app/scenes/map_ramp.h"

#include <algorithm>

#include "compute/core/data.h"
#include "render/capture.h"

namespace threadscape::app {

MapRamp::MapRamp() {
  HostArray ramp(Shape::image(Element::f32, 1, colours, 1));
  for (int i = 0; i < colours; ++i)
    ramp.image<float>()(i, 0) = static_cast<float>(i) / (colours - 1);
  values_ = gl::Texture(ramp.shape());
  values_.write(ramp.view());
  target_ = gl::Framebuffer(colours, 1);
}

void MapRamp::draw(render::ImagePass& pass, render::ColourMap map, float gamma) {
  const std::pair wanted{map, gamma};
  if (drawn_ == wanted) return;
  drawn_ = wanted;
  render::ImageViewSettings settings;
  settings.centre = {0.5f * colours, 0.5f};
  settings.colour_map = map == render::ColourMap::none ? render::ColourMap::grey : map;
  settings.gamma = gamma;
  target_.bind();
  pass.draw(values_, nullptr, settings, colours, 1);
  lights_.reset();
  read_ = render::begin_capture(target_);
}

void MapRamp::update() {
  if (!read_) return;
  const std::optional<HostIn> arrived = read_->poll();
  if (!arrived) return;
  const auto pixels = arrived->image<Rgba8>();
  lights_.emplace();
  for (int i = 0; i < colours; ++i) {
    const Rgba8 pixel = pixels(i, 0);
    const auto red = static_cast<float>(pixel.r), green = static_cast<float>(pixel.g),
               blue = static_cast<float>(pixel.b);
    (*lights_)[static_cast<std::size_t>(i)] = (0.299f * red + 0.587f * green + 0.114f * blue) / 255.0f;
  }
  read_.reset();
}

float MapRamp::light(float value) const {
  const float inside = std::clamp(value, 0.0f, 1.0f);
  return lights_ ? (*lights_)[static_cast<std::size_t>(inside * (colours - 1) + 0.5f)] : inside;
}

}  // namespace threadscape::app
