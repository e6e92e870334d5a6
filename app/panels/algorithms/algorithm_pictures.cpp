#include "app/panels/algorithms/algorithm_pictures.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>

#include "app/shell/thumbnail.h"
#include "compute/core/convert.h"
#include "compute/core/low_priority.h"
#include "compute/registry/registry.h"
#include "compute/run/runner.h"

namespace threadscape::app {

namespace {

/// Terrain as it looks when light comes from the upper left.
HostArray shaded(HostIn heights) {
  const auto width = static_cast<int>(heights.shape.width), height = static_cast<int>(heights.shape.height);
  HostArray floats;
  if (heights.shape.element != Element::f32) {
    floats = convert_picture(heights, Element::f32);
    heights = floats.view();
  }
  const auto at = heights.image<float>();
  HostArray picture(Shape::image(Element::u8, 1, width, height));
  const auto out = picture.image<std::uint8_t>();
  float low = at(0, 0), high = low;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      low = std::min(low, at(x, y));
      high = std::max(high, at(x, y));
    }
  // The slope counts relative to the range of the heights, whose unit the algorithm decides.
  const float scale = high > low ? 1.0f / (high - low) : 0.0f;
  const int step = std::max(1, width / algorithm_picture_side);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const float level = (at(x, y) - low) * scale;
      const float slope = (at(x, y) - at(std::max(x - step, 0), std::max(y - step, 0))) * scale;
      out(x, y) = static_cast<std::uint8_t>(std::clamp(60.0f + 130.0f * level + 900.0f * slope, 0.0f, 255.0f));
    }
  return picture;
}

}  // namespace

HostArray standard_scene() {
  constexpr int side = algorithm_picture_side;  // What filters do to single pixels is seen.
  HostArray scene(Shape::image(Element::u8, 4, side, side));
  const auto out = scene.image<Rgba8>();
  const auto byte = [](float value) { return static_cast<std::uint8_t>(std::clamp(value, 0.0f, 255.0f)); };
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x) {
      const auto u = static_cast<float>(x) / side, v = static_cast<float>(y) / side;
      Rgba8 pixel{byte(70 + 120 * v), byte(120 + 80 * v), byte(210 - 40 * v), 255};  // A sky.
      if (v > 0.45f + 0.35f * std::abs(u - 0.34f) * 2)                               // A hill with stripes.
        pixel = (x + y) / 4 % 2 == 0 ? Rgba8{40, 92, 62, 255} : Rgba8{92, 148, 70, 255};
      if (const float r = std::hypot(u - 0.68f, v - 0.34f); r < 0.22f)  // A disc, brighter in its middle.
        pixel = {byte(255 - 200 * r), byte(215 - 500 * r), byte(90 - 200 * r), 255};
      if ((x * 7919 + y * 104729) % 61 == 0) pixel = x % 2 == 0 ? Rgba8{255, 255, 255, 255} : Rgba8{0, 0, 0, 255};
      out(x, y) = pixel;
    }
  return scene;
}

bool has_small_picture(const AlgorithmInfo& algorithm) {
  const bool shows = algorithm.output == Kind::image || algorithm.output == Kind::heightfield;
  return shows && algorithm.group != "Sketches" &&
         (algorithm.input == Kind::image || algorithm.input == Kind::none || algorithm.own_input);
}

namespace {

/// Parameters with which an algorithm is done soon: data that it makes itself are small.
ParamBox quick_params(const AlgorithmInfo& algorithm) {
  ParamBox params = algorithm.verify_params != nullptr ? algorithm.verify_params() : algorithm.defaults();
  if (algorithm.input == Kind::image) return params;
  for (const FieldRef& field : params.fields())
    for (const auto& [name, value] : {std::pair{"n", "7"}, {"width", "80"}, {"height", "80"}})
      if (field.name == name) assign_text(field, value);
  return params;
}

}  // namespace

std::optional<HostArray> small_result(const AlgorithmInfo& algorithm) {
  if (!has_small_picture(algorithm)) return {};
  try {
    RunRequest request{.algorithm = &algorithm, .params = quick_params(algorithm), .backend = Backend::serial};
    HostArray input;
    if (algorithm.input == Kind::image) input = standard_scene();
    if (algorithm.own_input) input = algorithm.own_input->make(request.params, 0);
    HostArray result = Runner().run(request, input.view()).output;
    if (algorithm.output == Kind::heightfield) result = shaded(result.view());
    if (result.shape().element != Element::u8) result = convert_picture(result.view(), Element::u8);
    const auto width = static_cast<int>(result.shape().width), height = static_cast<int>(result.shape().height);
    const int side = std::min(width, height);
    return shrink(result.view(), {(width - side) / 2, (height - side) / 2}, {side, side},
                  {algorithm_picture_side, algorithm_picture_side});
  } catch (const std::exception&) {  // This includes std::bad_alloc. The list has an icon instead.
    return {};
  }
}

const gl::Texture* AlgorithmPictures::of(const AlgorithmInfo& algorithm) const {
  const auto found = pictures_.find(&algorithm);
  return found == pictures_.end() ? nullptr : &found->second;
}

bool AlgorithmPictures::make_next() {
  if (made_.valid()) {
    if (made_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return true;
    if (const std::optional<HostArray> small = made_.get()) {
      gl::Texture& picture = pictures_[making_] = gl::Texture(small->shape());
      picture.write(small->view());
      picture.set_filter(gl::Filter::linear);
    }
  }
  while (next_ < algorithms().size() && !has_small_picture(algorithms()[next_]))
    ++next_;
  if (next_ == algorithms().size()) return false;
  making_ = &algorithms()[next_++];
  made_ = std::async(std::launch::async, [algorithm = making_] {
    take_low_priority();
    return small_result(*algorithm);
  });
  return true;
}

void AlgorithmPictures::make_all() {
  while (make_next())
    made_.wait();
}

}  // namespace threadscape::app
