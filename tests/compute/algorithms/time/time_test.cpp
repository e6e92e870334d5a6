// The algorithms in time: results of SciPy, NumPy and OpenCV (scripts/reference/time.py), equality of all backends over
// formats, widths and numbers of frames, and what holds by definition.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "compute/core/clip.h"
#include "compute/core/moving_scene.h"
#include "compute/core/synthetic.h"
#include "compute/gpu/device.h"
#include "compute/registry/registry.h"
#include "compute/run/runner.h"
#include "tests/support/compute/test_files.h"

namespace threadscape {
namespace {

using nlohmann::json;

constexpr std::array names{"temporal_median", "temporal_mean", "frame_difference", "running_background",
                           "motion_history"};

/// A request with parameters as text: "frames=9 mode=signed".
RunRequest request_for(const std::string& name, const std::string& params, Backend backend = Backend::serial) {
  RunRequest request{.algorithm = &find_algorithm(name), .params = find_algorithm(name).defaults(), .backend = backend};
  std::istringstream words(params);
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    request.params.assign(word.substr(0, equals), word.substr(equals + 1));
  }
  return request;
}

std::vector<Backend> present_backends() {
  std::vector<Backend> all{Backend::serial, Backend::openmp};
  if (gpu::devices().first().problem().empty()) all.push_back(Backend::cuda);
  return all;
}

double number_at(const std::byte* row, const Shape& shape, std::int64_t index) {
  if (shape.element == Element::u8) return static_cast<double>(reinterpret_cast<const std::uint8_t*>(row)[index]);
  if (shape.element == Element::u16) return static_cast<double>(reinterpret_cast<const std::uint16_t*>(row)[index]);
  return static_cast<double>(reinterpret_cast<const float*>(row)[index]);
}

/// The largest distance of two pictures of one shape in any value.
double distance(HostIn a, HostIn b) {
  double largest = a.shape == b.shape ? 0.0 : INFINITY;
  for (std::int64_t y = 0; y < a.shape.height && a.shape == b.shape; ++y)
    for (std::int64_t i = 0; i < a.shape.width * a.shape.channels; ++i)
      largest = std::max(largest, std::abs(number_at(a.data + static_cast<std::size_t>(y) * a.pitch, a.shape, i) -
                                           number_at(b.data + static_cast<std::size_t>(y) * b.pitch, b.shape, i)));
  return largest;
}

TEST(TimeAlgorithms, AgreeWithSciPyNumPyAndOpenCV) {
  const json cases = json::parse(read_bytes(test_dir() + "/data/time.json"))["cases"];
  ASSERT_GT(cases.size(), 100u);
  for (const json& wanted : cases) {
    const std::string element = wanted["element"].get<std::string>();
    const Shape shape{Kind::clip,
                      element == "u8"    ? Element::u8
                      : element == "u16" ? Element::u16
                                         : Element::f32,
                      wanted["channels"].get<int>(),
                      wanted["width"].get<int>(),
                      wanted["height"].get<int>(),
                      wanted["frames"].get<int>()};
    const std::string input = from_hex(wanted["input"].get<std::string>());
    const std::string output = from_hex(wanted["output"].get<std::string>());
    HostArray clip(shape);
    ASSERT_EQ(input.size(), shape.bytes());
    std::memcpy(clip.data(), input.data(), input.size());
    const Shape picture = frame_shape(shape);
    const HostIn expected(reinterpret_cast<const std::byte*>(output.data()), picture,
                          static_cast<std::size_t>(picture.width) * picture.pixel_bytes());
    const auto name = wanted["algorithm"].get<std::string>(), params = wanted["params"].get<std::string>();
    for (const Backend backend : present_backends())
      EXPECT_LE(distance(Runner().run(request_for(name, params, backend), clip.view()).output.view(), expected),
                wanted["tolerance"].get<double>())
          << name << " " << params << " on " << name_of(backend) << ", " << to_string(shape);
  }
}

// All results are integers, or floats in a stated order, so every backend and variant gives the same bits.
TEST(TimeAlgorithms, AreEqualOnAllBackendsForAnyNumberOfFrames) {
  for (const char* name : names)
    for (const Element element : {Element::u8, Element::u16, Element::f32})
      for (const int channels : {1, 4})
        for (const auto& [width, height] : {std::pair{1, 3}, {5, 2}, {64, 4}, {131, 3}})
          for (const int frames : {1, 2, 3, 4, 6, 10, 12, 15, 16, 33, 63, 64, 70}) {
            const HostArray clip = make_synthetic(frames % 2 == 0 ? InputPattern::photo : InputPattern::noise,
                                                  {Kind::clip, element, channels, width, height, frames}, 7);
            for (const char* params : {"", "frames=63", "mode=threshold", "show=background"}) {
              RunRequest request;
              try {
                request = request_for(name, params);
              } catch (const UsageError&) {
                continue;  // The algorithm has no such parameter.
              }
              Runner runner;
              const HostArray expected = runner.run(request, clip.view()).output;
              for (const Backend backend : present_backends())
                for (int variant = 0; variant < static_cast<int>(request.algorithm->variants_of(backend).size());
                     ++variant) {
                  request.backend = backend;
                  request.variant = variant;
                  ASSERT_EQ(distance(runner.run(request, clip.view()).output.view(), expected.view()), 0.0)
                      << name << " " << params << " on " << name_of(backend) << ", " << to_string(clip.shape());
                }
            }
          }
}

TEST(TimeAlgorithms, OfAStillClipAreThePictureItselfOrBlack) {
  const HostArray picture = make_synthetic(InputPattern::photo, Shape::image(Element::u8, 4, 33, 9));
  HostArray clip(clip_shape(picture.shape(), 12));
  for (int i = 0; i < 12; ++i)
    copy(picture.view(), frame_of(clip.view(), i));
  HostArray black = picture.clone();
  for (int y = 0; y < 9; ++y)
    for (int x = 0; x < 33; ++x)
      black.image<Rgba8>()(x, y) = {0, 0, 0, picture.image<Rgba8>()(x, y).a};
  const auto result = [&](const char* name, const char* params) {
    return Runner().run(request_for(name, params, Backend::openmp), clip.view()).output;
  };
  EXPECT_EQ(distance(result("temporal_median", "").view(), picture.view()), 0.0);
  EXPECT_EQ(distance(result("temporal_mean", "").view(), picture.view()), 0.0);
  EXPECT_EQ(distance(result("running_background", "show=background").view(), picture.view()), 0.0);
  EXPECT_EQ(distance(result("running_background", "show=foreground").view(), black.view()), 0.0);
  EXPECT_EQ(distance(result("frame_difference", "").view(), black.view()), 0.0);
  EXPECT_EQ(distance(result("motion_history", "").view(), black.view()), 0.0);
}

TEST(TimeAlgorithms, UseTheNewestFramesAlone) {
  const HostArray clip = make_synthetic(InputPattern::noise, {Kind::clip, Element::u16, 1, 20, 6, 12}, 1);
  const HostIn newest = newest_frames(clip.view(), 5);
  EXPECT_EQ(newest.shape.depth, 5);
  for (const auto& [name, params] : {std::pair{"temporal_median", "frames=5"},
                                     {"temporal_mean", "frames=5"},
                                     {"frame_difference", "distance=4"},
                                     {"motion_history", "duration=4"},
                                     {"running_background", "frames=5 show=background"}}) {
    const RunRequest request = request_for(name, params);
    EXPECT_EQ(request.algorithm->own_input->shape(request.params).depth, 5) << name;
    EXPECT_EQ(distance(Runner().run(request, clip.view()).output.view(), Runner().run(request, newest).output.view()),
              0.0)
        << name;
  }
}

// A disc of the scene covers a pixel for fewer than 5 of 9 frames, except where it turns around at an edge, so the
// median shows the background with less noise: medians of frames that are far apart differ by more than twice the noise
// of 8 levels in few pixels, while the frames themselves differ wherever a disc or the bar is in one of them.
TEST(TimeAlgorithms, TheMedianRemovesTheObjectsOfTheMovingScene) {
  const HostArray clip = make_moving_clip({Kind::clip, Element::u8, 1, 480, 360, 40}, 0);
  const auto median = [&](int first) {
    const HostIn part = newest_frames(HostIn(clip.data(), {Kind::clip, Element::u8, 1, 480, 360, first + 9}, 480), 9);
    return Runner().run(request_for("temporal_median", "", Backend::openmp), part).output;
  };
  const HostArray a = median(0), b = median(20);
  const auto far = [](ImageView<const std::uint8_t> one, ImageView<const std::uint8_t> other) {
    int count = 0;
    for (int y = 0; y < one.height; ++y)
      for (int x = 0; x < one.width; ++x)
        count += std::abs(one(x, y) - other(x, y)) > 16 ? 1 : 0;
    return count;
  };
  const auto frame = [&](int i) { return frame_of(clip.view(), i).image<const std::uint8_t>(); };
  EXPECT_LT(far(std::as_const(a).image<std::uint8_t>(), std::as_const(b).image<std::uint8_t>()), 480 * 360 / 50);
  EXPECT_GT(far(frame(8), frame(28)), 480 * 360 / 20);
}

TEST(TimeAlgorithms, RefuseWhatIsNoClipOfPictures) {
  const ParamBox params = find_algorithm("temporal_median").defaults();
  const auto shape_of = find_algorithm("temporal_median").output_shape;
  EXPECT_THROW((void)shape_of(params, Shape::image(Element::u8, 1, 4, 4)), UsageError);
  EXPECT_THROW((void)shape_of(params, {Kind::clip, Element::f64, 1, 4, 4, 4}), UsageError);
  EXPECT_EQ(shape_of(params, {Kind::clip, Element::u8, 4, 4, 3, 9}), Shape::image(Element::u8, 4, 4, 3));
}

}  // namespace
}  // namespace threadscape
