// Sketches as algorithms of the registry: parameters, inputs, parts, and the end of a run.

#include <gtest/gtest.h>

#include <string>
#include <thread>

#include "compute/core/errors.h"
#include "compute/core/synthetic.h"
#include "compute/run/runner.h"
#include "compute/run/verify.h"
#include "compute/sketch/sketch_algorithm.h"
#include "compute/warp/nvrtc.h"

namespace threadscape::sketch {
namespace {

constexpr const char* blur = R"(// sketch: test_blur
// reads: picture gray u8    makes: picture gray u8
// param: radius = 1 (1..4)  "pixels"
// param: gain = 1 (0.0..2.0)
// param: on = true
// param: border = mirror (clamp | mirror)
// param: mask = 0, 1, 0, 1, 2, 1, 0, 1, 0 (0..9)
// halo: radius

#include "threadscape.h"

__global__ void blur(Image<const unsigned char> in, Image<unsigned char> out, int radius, float gain, bool on, int border,
                     List<9> mask) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (!out.inside(x, y)) return;
  float sum = 0;
  for (int dy = -radius; dy <= radius; ++dy)
    for (int dx = -radius; dx <= radius; ++dx)
      sum += mask[(dx + dy + 9) % 9] * (border == 1 ? in.mirror(x + dx, y + dy) : in.clamp(x + dx, y + dy));
  out(x, y) = on ? static_cast<int>(gain * sum) % 256 : 0;
}
)";

bool no_compiler() {
  return !warp::Nvrtc().opened() && warp::toolkit_program("nvcc").empty();
}

RunRequest request_of(const AlgorithmInfo& row, int threads = 2) {
  RunRequest request;
  request.algorithm = &row;
  request.params = row.defaults();
  request.threads = threads;
  return request;
}

TEST(SketchAlgorithm, HasTheParametersOfTheHead) {
  const AlgorithmInfo& row = add_sketch(make_sketch(blur, "test_blur.cu"));
  EXPECT_EQ(row.name, "sketch_test_blur");
  EXPECT_EQ(add_sketch(make_sketch(blur, "test_blur.cu")).name, "sketch_test_blur_2");
  EXPECT_EQ(&find_algorithm("sketch_test_blur"), &row);
  EXPECT_NE(sketch_of(row), nullptr);
  EXPECT_EQ(sketch_of(find_algorithm("sobel")), nullptr);
  ParamBox params = row.defaults();
  EXPECT_EQ(to_json(params),
            "{\n  \"radius\": 1,\n  \"gain\": 1,\n  \"on\": true,\n  \"border\": \"mirror\",\n  \"mask\": [\n    0,\n  "
            "  1,\n "
            "   0,\n    1,\n    2,\n    1,\n    0,\n    1,\n    0\n  ]\n}");
  EXPECT_THROW(params.assign("radius", "5"), UsageError);
  params.assign("border", "clamp");
  params.assign("gain", "0.5");
  ParamBox copy = params;
  EXPECT_TRUE(copy == params);
  copy.assign("radius", "2");
  EXPECT_FALSE(copy == params);
  params.assign("mask", "1,2,3,4");
  EXPECT_EQ(params.problem(), "parameter 'mask' has 4 values, not 9");
}

TEST(SketchAlgorithm, HasVersionsInOneRow) {
  const AlgorithmInfo& row = add_sketch(make_sketch(blur, "versions.cu"));
  ParamBox old = row.defaults();
  old.assign("radius", "3");
  old.assign("gain", "0.5");
  old.assign("border", "clamp");
  std::string text = blur;
  text.replace(text.find("1 (1..4)"), 8, "1 (1..2)");
  text.replace(text.find("clamp | mirror"), 14, "zero | mirror");
  const auto version = std::make_shared<LiveSketch>(make_sketch(text, "versions.cu"));
  ASSERT_TRUE(replace_sketch(row, version));
  EXPECT_EQ(sketch_of(row), version);
  EXPECT_FALSE(row.defaults() == old);
  const ParamBox now = adopted(version, old);
  const std::string json = to_json(now);
  EXPECT_NE(json.find("\"radius\": 1"), std::string::npos) << "3 is out of the new range: " << json;
  EXPECT_NE(json.find("\"gain\": 0.5"), std::string::npos) << json;
  EXPECT_NE(json.find("\"border\": \"mirror\""), std::string::npos) << "the choices are others: " << json;
  EXPECT_FALSE(adopted(std::make_shared<LiveSketch>(version->sketch()), now) == now) << "versions are other results";
  // What was begun goes on with its version.
  EXPECT_EQ(old.as<SketchParams>().live->sketch().source, blur);
  // A row states its kinds and whether it may run in parts.
  text.erase(text.find("// halo: radius\n"), 16);
  EXPECT_FALSE(replace_sketch(row, std::make_shared<LiveSketch>(make_sketch(text, "versions.cu"))));
  EXPECT_FALSE(replace_sketch(find_algorithm("sobel"), version));
  EXPECT_EQ(sketch_of(row), version);
}

TEST(SketchAlgorithm, RunsInPartsAndOnAnyNumberOfThreads) {
  if (no_compiler()) GTEST_SKIP() << warp::nvrtc_cure;
  const AlgorithmInfo& row = add_sketch(make_sketch(blur, "test_blur.cu"));
  const HostArray input = make_synthetic(InputPattern::noise, Shape::image(Element::u8, 1, 75, 41));
  Runner runner;
  RunRequest request = request_of(row);
  request.params.assign("radius", "3");
  const RunResult whole = runner.run(request, input.view());
  request.threads = 1;
  EXPECT_FALSE(compare(whole.output.view(), runner.run(request, input.view()).output.view(), {}));
  const Region region =
      row.halo->input_needed(request.params, input.shape(), {.x = 10, .y = 10, .width = 5, .height = 5});
  EXPECT_EQ(region.width, 11);
  // Each half has the bits of the whole picture.
  for (const std::int64_t top : {0, 20}) {
    const Region half{.x = 0, .y = top, .z = 0, .width = 75, .height = top == 0 ? 20 : 21, .depth = 1};
    const Region needed = row.halo->input_needed(request.params, input.shape(), half);
    HostArray part(shape_of(input.shape(), needed));
    copy_region(input.view(), needed, part.view(), {});
    const RunResult of_part = runner.run(request, part.view());
    HostArray expected(shape_of(input.shape(), half)), found(shape_of(input.shape(), half));
    copy_region(whole.output.view(), half, expected.view(), {});
    copy_region(
        of_part.output.view(),
        {.x = half.x - needed.x, .y = half.y - needed.y, .z = 0, .width = 75, .height = half.height, .depth = 1},
        found.view(), {});
    EXPECT_FALSE(compare(expected.view(), found.view(), {}));
  }
}

TEST(SketchAlgorithm, TheHaloOfAVolumeReachesIntoItsLayers) {
  const AlgorithmInfo& row = add_sketch(make_sketch(R"(// sketch: test_layers
// reads: volume f32    makes: volume f32
// halo: 2
__global__ void layers(Volume<const float> in, Volume<float> out) {}
)",
                                                    "test_layers.cu"));
  const Shape volume{Kind::volume, Element::f32, 1, 20, 30, 40};
  const auto needed = [&](const Region& of) { return row.halo->input_needed(row.defaults(), volume, of); };
  const Region middle = needed({.x = 0, .y = 0, .z = 10, .width = 20, .height = 30, .depth = 5});
  EXPECT_EQ(middle, (Region{.x = 0, .y = 0, .z = 8, .width = 20, .height = 30, .depth = 9}));
  EXPECT_EQ(needed(whole_of(volume)), whole_of(volume));
  EXPECT_EQ(needed({.x = 0, .y = 0, .z = 39, .width = 20, .height = 30, .depth = 1}).z, 37);
}

TEST(SketchAlgorithm, TakesPicturesOfOtherColoursAndNumbers) {
  if (no_compiler()) GTEST_SKIP() << warp::nvrtc_cure;
  const AlgorithmInfo& row = add_sketch(make_sketch(R"(// sketch: half
// reads: picture rgb f32    makes: picture rgb f32

#include "threadscape.h"
__global__ void half(Image<const Rgba<float>> in, Image<Rgba<float>> out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (out.inside(x, y)) out(x, y) = {in(x, y).r / 2, in(x, y).g / 2, in(x, y).b / 2, in(x, y).a};
}
)",
                                                    "half.cu"));
  const HostArray grey = make_synthetic(InputPattern::noise, Shape::image(Element::u8, 1, 9, 5));
  Runner runner;
  const RunResult result = runner.run(request_of(row), grey.view());
  EXPECT_EQ(result.output.shape(), Shape::image(Element::f32, 4, 9, 5));
  const auto at = [&](int x, int y) { return result.output.image<Rgba32f>()(x, y); };
  EXPECT_EQ(at(3, 2).r, static_cast<float>(grey.image<std::uint8_t>()(3, 2)) / 255.0f / 2);
  EXPECT_EQ(at(3, 2).b, at(3, 2).r);
  EXPECT_EQ(at(3, 2).a, 1.0f);
  const HostArray volume = make_synthetic(InputPattern::noise, {Kind::volume, Element::f32, 1, 3, 3, 3});
  EXPECT_THROW((void)runner.run(request_of(row), volume.view()), UsageError);
}

TEST(SketchAlgorithm, EndsWhereAStopIsRequested) {
  if (no_compiler()) GTEST_SKIP() << warp::nvrtc_cure;
  const AlgorithmInfo& row = add_sketch(make_sketch(R"(// sketch: endless
// reads: nothing    makes: picture gray u8 (32 x 32)

#include "threadscape.h"
__global__ void endless(Image<unsigned char> out) {
  for (volatile int i = 0;; i = i + 1) {
  }
}
)",
                                                    "endless.cu"));
  const auto live = sketch_of(row);
  HostArray output(row.output_shape(row.defaults(), {}));
  std::stop_source source;
  MachineRun how;
  how.stop = source.get_token();
  // The stop comes while the kernel runs.
  how.launch = [&](const warp::LaunchRequest& request) {
    const std::jthread stopping([&] { source.request_stop(); });
    return warp::launch(request);
  };
  EXPECT_THROW(live->run({}, {}, output.view(), how), Cancelled);
}

}  // namespace
}  // namespace threadscape::sketch
