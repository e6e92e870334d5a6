// Tests that the fragment program of a convolution gives the bits of the algorithm.

#include "render/passes/fragment_convolution.h"

#include "compute/algorithms/filters/convolution/convolution.h"
#include "compute/registry/registry.h"
#include "compute/run/runner.h"
#include "tests/support/render/gl_test.h"

namespace threadscape {
namespace fragment_convolution_testing {
namespace {

using testing::random_picture;
using testing::same_pixels;
using testing::texture_of;
using FragmentConvolutionTest = testing::GlTest;

HostArray serial_result(const Convolution::Params& params, const HostArray& picture) {
  Runner runner;
  return runner
      .run({.algorithm = &find_algorithm("convolution"), .params = ParamBox::of(params), .backend = Backend::serial},
           picture.view())
      .output;
}

Convolution::Params params_of(Convolution::Preset preset, int size, Border border = Border::mirror) {
  Convolution::Params params;
  params.size = size;
  params.preset = preset;
  params.assigned("preset");
  params.border = border;
  return params;
}

::testing::AssertionResult has_bits_of_serial(render::FragmentConvolution& pass, const Convolution::Params& params,
                                              const HostArray& picture) {
  const gl::Texture texture = texture_of(picture.view());
  pass.run(texture, Convolution::plan(params));
  return same_pixels(pass.result().read().view(), serial_result(params, picture).view());
}

TEST_F(FragmentConvolutionTest, PresetsHaveTheBitsOfTheAlgorithm) {
  const gl::ShaderLibrary library;
  render::FragmentConvolution pass(library);
  for (const gl::Format format : {gl::Format::r8, gl::Format::rgba8}) {
    const HostArray picture = random_picture(format, 61, 37, 5);
    for (const int size : {3, 9})
      for (std::size_t preset = 1; preset < Convolution::preset_names.size(); ++preset)
        EXPECT_TRUE(has_bits_of_serial(pass, params_of(static_cast<Convolution::Preset>(preset), size), picture))
            << Convolution::preset_names[preset] << " " << size << " of " << to_string(picture.shape());
  }
}

/// A mask without any symmetry, with a bias, and the absolute value.
TEST_F(FragmentConvolutionTest, BordersHaveTheBitsOfTheAlgorithm) {
  const gl::ShaderLibrary library;
  render::FragmentConvolution pass(library);
  Convolution::Params params;
  params.size = 5;
  params.mask.clear();
  for (int i = 0; i < 25; ++i)
    params.mask.push_back(static_cast<float>((i * 7) % 11 - 5) / 4.0f);
  params.divisor = 2.0f;
  params.bias = 31.0f;
  params.absolute = true;
  for (const gl::Format format : {gl::Format::r8, gl::Format::r32f, gl::Format::rgba32f})
    for (const auto& [width, height] : {std::pair{33, 20}, {2, 3}, {1, 1}})
      for (const Border border : {Border::zero, Border::clamp, Border::mirror, Border::reflect, Border::wrap}) {
        params.border = border;
        EXPECT_TRUE(has_bits_of_serial(pass, params, random_picture(format, width, height, 7)))
            << linear_border_names[static_cast<std::size_t>(border)] << ", " << width << " x " << height;
      }
}

/// Passes read the texture that the pass before has drawn.
TEST_F(FragmentConvolutionTest, PassesAreConvolutionsOneAfterAnother) {
  const gl::ShaderLibrary library;
  render::FragmentConvolution pass(library);
  const Convolution::Params params = params_of(Convolution::Preset::emboss, 3, Border::reflect);
  const HostArray picture = random_picture(gl::Format::r8, 40, 23, 9);
  const gl::Texture texture = texture_of(picture.view());
  HostArray expected = serial_result(params, picture);
  for (int passes = 1; passes <= 4; ++passes) {
    pass.run(texture, Convolution::plan(params), passes);
    EXPECT_TRUE(same_pixels(pass.result().read().view(), expected.view())) << passes;
    expected = serial_result(params, expected);
  }
}

TEST_F(FragmentConvolutionTest, IsTimedByTheGpu) {
  const gl::ShaderLibrary library;
  render::FragmentConvolution pass(library);
  EXPECT_EQ(pass.run_ms(), 0.0);
  pass.run(texture_of(random_picture(gl::Format::r8, 512, 512, 1).view()),
           Convolution::plan(params_of(Convolution::Preset::sharpen, 9)));
  glFinish();
  EXPECT_GT(pass.run_ms(), 0.0);
}

TEST_F(FragmentConvolutionTest, SaysWhatItConvolves) {
  const auto problem = [](const Convolution::Params& params, const Shape& shape) {
    return render::FragmentConvolution::problem(Convolution::plan(params), shape);
  };
  const Shape grey = Shape::image(Element::u8, 1, 8, 8);
  EXPECT_EQ(problem({}, grey), "");
  EXPECT_EQ(problem({}, Shape::image(Element::f32, 4, 8, 8)), "");
  EXPECT_EQ(problem({}, Shape::image(Element::u16, 1, 8, 8)), "pictures of 8 bits and of floats");
  EXPECT_EQ(problem(params_of(Convolution::Preset::box, 11), grey), "masks up to 9 pixels");
  EXPECT_NE(problem(params_of(Convolution::Preset::box, 3, Border::valid), grey), "");
}

}  // namespace
}  // namespace fragment_convolution_testing
}  // namespace threadscape
