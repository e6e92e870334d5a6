// Morphology on the GPU against serial, for cases that the sweep of the parity test does not include: large and even
// elements, origins off the centre, drawn elements, and picture sizes that are no multiple of a tile.

#include <gtest/gtest.h>

#include <cmath>

#include "compute/algorithms/morphology/morphology/morphology.h"
#include "compute/core/synthetic.h"
#include "compute/gpu/device.h"
#include "compute/io/pictures/image_file.h"
#include "compute/registry/registry.h"
#include "compute/run/runner.h"
#include "tests/support/compute/neighbourhood_testing.h"
#include "tests/support/compute/test_files.h"

namespace threadscape::testing {
namespace {

class MorphologyCuda : public TestFolder {
 protected:
  void SetUp() override {
    TestFolder::SetUp();
    if (!gpu::devices().first().available()) GTEST_SKIP() << gpu::devices().first().obstacle();
  }
  /// Compares all CUDA variants with serial. `settings` are as on the command line.
  void expect_equal(const std::vector<std::pair<std::string, std::string>>& settings, const Shape& shape,
                    InputPattern pattern = InputPattern::noise) {
    const AlgorithmInfo& morphology = find_algorithm("morphology");
    RunRequest request{.algorithm = &morphology, .params = morphology.defaults()};
    std::string label = to_string(shape);
    for (const auto& [name, value] : settings) {
      request.params.assign(name, value);
      label += " " + name + "=" + value;
    }
    SCOPED_TRACE(label);
    const HostArray input = make_synthetic(pattern, shape, 3);
    request.backend = Backend::serial;
    const HostArray expected = runner_.run(request, input.view()).output;
    request.backend = Backend::cuda;
    for (int variant = 0; variant < static_cast<int>(Morphology::cuda_variants.size()); ++variant) {
      request.variant = variant;
      EXPECT_EQ(difference(expected, runner_.run(request, input.view()).output), "") << "variant " << variant;
    }
  }

 private:
  Runner runner_;
};

TEST_F(MorphologyCuda, RectanglesOfManySizes) {
  for (const auto& [width, height] :
       {std::pair{2, 2}, {8, 9}, {9, 8}, {17, 33}, {34, 16}, {101, 5}, {4, 130}, {200, 1}})
    for (const char* border : {"neutral", "mirror"})
      for (const char* operation : {"open", "erode"})
        expect_equal({{"operation", operation},
                      {"width", std::to_string(width)},
                      {"height", std::to_string(height)},
                      {"origin_x", "1"},
                      {"border", border}},
                     Shape::image(Element::u8, 4, 203, 135));
}

TEST_F(MorphologyCuda, OtherFormsOfManySizes) {
  for (const char* form : {"cross", "ellipse", "diamond", "line"})
    for (const auto& [width, height] : {std::pair{2, 3}, {31, 31}, {120, 9}, {6, 125}})
      expect_equal({{"operation", "close"},
                    {"shape", form},
                    {"width", std::to_string(width)},
                    {"height", std::to_string(height)},
                    {"angle", "25"},
                    {"origin_y", "0"}},
                   Shape::image(Element::u8, 1, 131, 127));
}

TEST_F(MorphologyCuda, PicturesThatAreSmallerThanTheElement) {
  for (const auto& [columns, rows] : {std::pair{1, 1}, {3, 2}, {70, 4}})
    for (const char* form : {"rect", "disc", "line"})
      for (const char* border : {"neutral", "mirror", "wrap"})
        for (const int channels : {1, 4})
          for (const Element element : {Element::u8, Element::f32})
            expect_equal({{"operation", "close"},
                          {"shape", form},
                          {"width", "15"},
                          {"height", "90"},
                          {"origin_x", "2"},
                          {"angle", "60"},
                          {"border", border}},
                         Shape::image(element, channels, columns, rows));
}

TEST_F(MorphologyCuda, AllTypes) {
  for (const Element element : {Element::u8, Element::u16, Element::f32})
    for (const int channels : {1, 4})
      for (const char* operation : {"dilate", "gradient", "open_reconstruct"})
        for (const char* form : {"rect", "disc"}) {
          expect_equal({{"operation", operation}, {"shape", form}, {"width", "6"}, {"height", "11"}},
                       Shape::image(element, channels, 77, 45));
          expect_equal({{"operation", operation}, {"shape", form}, {"flat", "false"}},
                       Shape::image(element, channels, 33, 20), InputPattern::photo);
        }
}

TEST_F(MorphologyCuda, Iterations) {
  for (const char* form : {"rect", "ellipse"})
    for (const char* iterations : {"2", "5"})
      for (const char* operation : {"dilate", "gradient", "open"})
        for (const char* border : {"neutral", "clamp"})
          expect_equal({{"operation", operation},
                        {"shape", form},
                        {"width", "4"},
                        {"height", "3"},
                        {"iterations", iterations},
                        {"border", border}},
                       Shape::image(Element::u8, 4, 70, 41));
}

TEST_F(MorphologyCuda, DrawnElement) {
  std::vector<int> noise;
  for (int i = 0; i < 40 * 30; ++i)
    noise.push_back(std::sin(i * i) > 0.0 ? 255 - i % 20 : 0);
  const auto file = path("element.pgm");
  io::save_picture(file, grey_image(40, 30, noise).view(), io::FileColour::grey);
  for (const char* flat : {"true", "false"})
    expect_equal({{"element", file.string()}, {"shape", "file"}, {"flat", flat}, {"origin_x", "3"}},
                 Shape::image(Element::u8, 4, 90, 61));
}

/// A spiral crosses every tile of the picture many times on its way inwards.
TEST_F(MorphologyCuda, ReconstructionFollowsASpiral) {
  constexpr int size = 131;
  std::vector<int> values(size * size, 0);
  int x = 1, y = 1, dx = 1, dy = 0;
  const auto inside = [](int i) { return i >= 1 && i < size - 1; };
  const auto value = [&](int column, int row) -> int& { return values[static_cast<std::size_t>(row * size + column)]; };
  for (int turns = 0; turns < 2;) {
    value(x, y) = 200;
    const bool blocked = !inside(x + dx) || !inside(y + dy) ||
                         (inside(x + 2 * dx) && inside(y + 2 * dy) && value(x + 2 * dx, y + 2 * dy) != 0);
    turns = blocked ? turns + 1 : 0;
    if (blocked) {
      const int old = dx;
      dx = -dy;
      dy = old;
    } else {
      x += dx;
      y += dy;
    }
  }
  for (int row = 0; row < 4; ++row)  // An area at the start of the spiral that survives the erosion.
    for (int column = 0; column < 4; ++column)
      value(column, row) = 255;
  const auto image = grey_image(size, size, values);
  const AlgorithmInfo& morphology = find_algorithm("morphology");
  RunRequest request{.algorithm = &morphology, .params = morphology.defaults()};
  request.params.assign("operation", "open_reconstruct");
  Runner runner;
  request.backend = Backend::serial;
  const HostArray expected = runner.run(request, image.view()).output;
  EXPECT_EQ(expected.image<std::uint8_t>()(x, y), 200);
  request.backend = Backend::cuda;
  EXPECT_EQ(difference(expected, runner.run(request, image.view()).output), "");
}

}  // namespace
}  // namespace threadscape::testing
