// Runs of sketches that are observed, and the threads that have stored their results.

#include "app/live/observed_run.h"

#include <gtest/gtest.h>

#include "app/session/sketch_file.h"
#include "compute/core/resources.h"
#include "compute/core/synthetic.h"
#include "compute/sketch/sketch_algorithm.h"
#include "compute/warp/nvrtc.h"

namespace threadscape::app {
namespace {

class ObservedSketch : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!warp::Nvrtc().opened() && warp::toolkit_program("nvcc").empty()) GTEST_SKIP() << warp::nvrtc_cure;
  }
  /// The threads of a sketch's result on a picture of this size.
  std::shared_ptr<const ObservedThreads> threads_of(const AlgorithmInfo& row, std::int64_t width, std::int64_t height) {
    const auto source = std::make_shared<Source>();
    source->picture.pixels = make_synthetic(InputPattern::photo, Shape::image(Element::u8, 1, width, height), 1);
    source->id = ++sources_;
    const Work work{.algorithm = &row, .params = row.defaults(), .source_id = source->id};
    const auto run = observer_.follow(observed_work(work, 0), source, true);
    EXPECT_EQ(run->problem, "");
    return observer_.threads_of(work, true);
  }
  static const AlgorithmInfo& example(const char* name) { return open_sketch(asset_folder() / "sketches" / name); }
  static const AlgorithmInfo& sketch(const char* text) {
    return sketch::add_sketch(sketch::make_sketch(text, "/observed.cu"));
  }

  RunObserver observer_;
  std::uint64_t sources_ = 0;
};

TEST_F(ObservedSketch, NamesTheThreadOfEachPixel) {
  // The rows of 80 bytes lie 128 bytes from each other.
  const auto threads = threads_of(example("blur.cu"), 80, 50);
  ASSERT_NE(threads, nullptr);
  for (int y = 0; y < 50; ++y)
    for (int x = 0; x < 80; ++x) {
      const auto found = threads->of(x, y);
      ASSERT_TRUE(found) << x << ", " << y;
      EXPECT_EQ(found->writer.block, static_cast<std::uint64_t>(y / 8 * 3 + x / 32)) << x << ", " << y;
      EXPECT_EQ(found->writer.thread, static_cast<std::uint32_t>(y % 8 * 32 + x % 32)) << x << ", " << y;
    }
  EXPECT_FALSE(threads->of(80, 0));
  EXPECT_FALSE(threads->of(0, 50));
  EXPECT_FALSE(threads->of(-1, 0));
  EXPECT_EQ(threads->text(*threads->of(70, 19)), "block 8 (2, 2), warp 3, lane 6 of blur");
}

TEST_F(ObservedSketch, LargePicturesHaveThreadsInTheirMiddle) {
  const auto threads = threads_of(example("blur.cu"), 600, 530);
  ASSERT_NE(threads, nullptr);
  EXPECT_FALSE(threads->of(43, 100));
  EXPECT_FALSE(threads->of(100, 8));
  const auto first = threads->of(44, 9);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->writer.block, 0u);
  EXPECT_EQ(first->writer.thread, 0u);
  // The middle of a transposed picture is not the transposed middle.
  const auto transposed = threads_of(example("transpose_tile.cu"), 600, 530);
  ASSERT_NE(transposed, nullptr);
  EXPECT_FALSE(transposed->of(300, 300));
  const auto small = threads_of(example("transpose_tile.cu"), 60, 50);
  ASSERT_NE(small, nullptr);
  EXPECT_TRUE(small->of(49, 59));
}

TEST_F(ObservedSketch, TheLastLaunchThatStoresAPixelCounts) {
  const auto threads = threads_of(sketch(R"(// sketch: test_layers
// reads: picture gray u8    makes: picture gray u8
// pass: fill_all(in, out)
// for: row = 0; row < 3; row + 1
// pass: fill_row(out, row)    threads: width
// end
// pass: fill_one(out)    threads: 1

#include "threadscape.h"

__global__ void fill_all(Image<const unsigned char> in, Image<unsigned char> out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (out.inside(x, y)) out(x, y) = in(x, y);
}
__global__ void fill_row(Image<unsigned char> out, int row) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < out.width && threadIdx.y == 0 && blockIdx.y == 0) out(x, row) = 1;
}
__global__ void fill_one(Image<unsigned char> out) {
  if (threadIdx.x == 0 && threadIdx.y == 0 && blockIdx.x == 0 && blockIdx.y == 0) out(0, 1) = 2;
}
)"),
                                  40, 10);
  ASSERT_NE(threads, nullptr);
  ASSERT_EQ(threads->run->found.kernels.size(), 3u);
  const auto kernel_of = [&](int x, int y) {
    const auto found = threads->of(x, y);
    return found ? threads->run->found.kernels[found->kernel].name : "none";
  };
  EXPECT_EQ(kernel_of(5, 5), "fill_all");
  for (const int y : {0, 1, 2})
    EXPECT_EQ(kernel_of(5, y), "fill_row") << y;
  EXPECT_EQ(kernel_of(0, 1), "fill_one");
}

TEST_F(ObservedSketch, OtherWorksHaveNoThreads) {
  const AlgorithmInfo& row = example("blur.cu");
  ASSERT_NE(threads_of(row, 32, 8), nullptr);
  Work other{.algorithm = &row, .params = row.defaults(), .source_id = sources_};
  EXPECT_NE(observer_.threads_of(other, true), nullptr);
  other.params.assign("radius", "2");
  EXPECT_EQ(observer_.threads_of(other, true), nullptr);
}

TEST(ObservedRun, ItsTimeIsPredicted) {
  ObservedRun run;
  EXPECT_EQ(predicted_time(run), "");
  ObservedKernel kernel;
  kernel.study.launch.total.warp_instructions = 10;
  run.found.kernels = {kernel};
  EXPECT_EQ(predicted_time(run), "predicted on a H100: 0.0033 ms, bound by launch");
  run.input = "64x64 8-bit grey image";
  EXPECT_EQ(predicted_time(run), "predicted on a H100: 0.0033 ms for 64x64 8-bit grey image, bound by launch");
  run.problem = "a kernel has a fault";
  EXPECT_EQ(predicted_time(run), "");
}

}  // namespace
}  // namespace threadscape::app
