// Morphology where the window reaches out of the picture: elements that are larger than it, and holes of NaNs beside
// its rim.

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "compute/algorithms/morphology/morphology/morphology.h"
#include "compute/registry/registry.h"
#include "compute/run/runner.h"
#include "tests/support/compute/neighbourhood_testing.h"

namespace threadscape::testing {
namespace {

using RimSettings = std::vector<std::pair<std::string, std::string>>;

/// The result of serial, after all variants of OpenMP have been compared with it.
HostArray run_at_rim(const HostArray& input, const RimSettings& settings) {
  const AlgorithmInfo& morphology = find_algorithm("morphology");
  RunRequest request{.algorithm = &morphology, .params = morphology.defaults(), .backend = Backend::serial};
  std::string label = to_string(input.shape());
  for (const auto& [name, value] : settings) {
    request.params.assign(name, value);
    label += " " + name + "=" + value;
  }
  SCOPED_TRACE(label);
  Runner runner;
  HostArray expected = runner.run(request, input.view()).output;
  request.backend = Backend::openmp;
  request.threads = 1;
  for (int variant = 0; variant < static_cast<int>(Morphology::openmp_variants.size()); ++variant) {
    request.variant = variant;
    EXPECT_EQ(difference(expected, runner.run(request, input.view()).output), "") << "variant " << variant;
  }
  return expected;
}

/// A picture whose sample i of row y is value(i, y).
template <class T>
HostArray picture_of(const Shape& shape, const auto& value) {
  HostArray picture(shape);
  for (std::int64_t y = 0; y < shape.height; ++y)
    for (std::int64_t i = 0; i < shape.width * shape.channels; ++i)
      reinterpret_cast<T*>(picture.data() + static_cast<std::size_t>(y) * picture.pitch())[i] =
          static_cast<T>(value(static_cast<int>(i), static_cast<int>(y)));
  return picture;
}

TEST(MorphologyRim, ElementsMayBeLargerThanThePicture) {
  const auto values = [](int i, int y) { return (37 * y + 53 * i + 11) % 251; };
  for (const auto& [columns, rows] : {std::pair{1, 1}, {3, 2}, {5, 4}})
    for (const int channels : {1, 4})
      for (const char* form : {"rect", "disc"})
        for (const std::string_view border : Morphology::outside_names)
          for (const char* operation : {"close", "gradient"})
            for (const auto& [width, height] : {std::pair{9, 2}, {41, 13}}) {
              const RimSettings settings{{"operation", operation},
                                         {"shape", form},
                                         {"width", std::to_string(width)},
                                         {"height", std::to_string(height)},
                                         {"origin_x", std::to_string(width - 1)},
                                         {"angle", "30"},
                                         {"border", std::string(border)}};
              (void)run_at_rim(picture_of<std::uint8_t>(Shape::image(Element::u8, channels, columns, rows), values),
                               settings);
              (void)run_at_rim(picture_of<float>(Shape::image(Element::f32, channels, columns, rows), values),
                               settings);
            }
  const HostArray row = picture_of<std::uint8_t>(Shape::image(Element::u8, 1, 3, 1), values);
  const HostArray least = run_at_rim(row, {{"operation", "erode"}, {"size", "255"}});
  for (int x = 0; x < 3; ++x)
    EXPECT_EQ(least.image<std::uint8_t>()(x, 0), 11);
}

/// The window of a pixel at the rim may hold nothing but NaNs, and an opening would fill a small hole with numbers.
TEST(MorphologyRim, HolesComeBackAsTheyWere) {
  for (const int side : {1, 5})
    for (const int channels : {1, 4})
      for (const std::string_view border : Morphology::outside_names) {
        const HostArray image = picture_of<float>(Shape::image(Element::f32, channels, 9, 7), [&](int i, int y) {
          const int x = i / channels;
          return x >= 1 && x < 1 + side && y >= 1 && y < 1 + side ? std::numeric_limits<float>::quiet_NaN() : 0.5f;
        });
        const auto result = [&](const char* operation) {
          return run_at_rim(image, {{"operation", operation}, {"size", "3"}, {"border", std::string(border)}});
        };
        EXPECT_EQ(difference(result("open"), image), "") << border;
        EXPECT_EQ(difference(result("close"), image), "") << border;
        const HostArray hats = result("blackhat");
        EXPECT_EQ(*reinterpret_cast<const float*>(hats.data()), 0.0f);
      }
}

}  // namespace
}  // namespace threadscape::testing
