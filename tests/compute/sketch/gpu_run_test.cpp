// Sketches on a GPU, whose driver is a library that has one kernel.

#include "compute/sketch/gpu_run.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "compute/core/errors.h"
#include "compute/warp/limited_process.h"

namespace threadscape::sketch {
namespace {

constexpr const char* scaled = R"(// sketch: scaled
// reads: picture gray u8    makes: picture gray u8
// param: factor = 2 (0..9)
// constant: bias = 3, 4, 5, 6 (0..9)
// block: 16x4

#include "threadscape.h"
__constant__ float bias[4];
extern "C" __global__ void scaled(Image<const unsigned char> in, Image<unsigned char> out, int factor) {}
)";

/// The environment of the processes that a test starts.
class SketchGpu : public testing::Test {
 protected:
  void SetUp() override {
    const std::filesystem::path driver = std::filesystem::read_symlink("/proc/self/exe").parent_path() / "fake_driver";
    if (!std::filesystem::exists(driver / "libcuda.so.1")) GTEST_SKIP() << "this build has no driver to pretend with";
    setenv("LD_LIBRARY_PATH", driver.c_str(), 1);
    kernels_.ptx = ".visible .entry scaled(";
    function_.name = "scaled";
    kernels_.of_statement = {&function_};
  }
  void TearDown() override {
    for (const char* name : {"LD_LIBRARY_PATH", "FAKE_DRIVER_FAILS", "FAKE_DRIVER_HANGS"})
      unsetenv(name);
  }
  /// Runs the sketch on a picture of ones, and returns the milliseconds.
  std::vector<double> run(const GpuRun& how = {}) {
    const Shape shape = Shape::image(Element::u8, 1, 21, 9);
    const std::vector<Value> values = default_values(sketch_.head);
    const Plan plan = make_plan(sketch_, values, shape, shape);
    const Arena arena(plan.bytes);
    const HostOut in = plan.buffer("in").view(arena), out = plan.buffer("out").view(arena);
    for (int y = 0; y < 9; ++y)
      std::fill_n(in.data + static_cast<std::size_t>(y) * in.pitch, 21, std::byte{1});
    std::vector<double> times = run_on_gpu(sketch_, kernels_, values, plan, arena, how);
    for (int y = 0; y < 9; ++y)
      for (int x = 0; x < 21; ++x)
        EXPECT_EQ(std::to_integer<int>(out.data[static_cast<std::size_t>(y) * out.pitch + static_cast<std::size_t>(x)]),
                  5);
    return times;
  }
  [[nodiscard]] std::string failure(const GpuRun& how = {}) {
    try {
      (void)run(how);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::check_failed);
      return error.what();
    }
    return "";
  }

  Sketch sketch_ = make_sketch(scaled, "scaled.cu");
  Kernels kernels_;
  warp::Function function_;
};

TEST_F(SketchGpu, GetsArgumentsAndConstantsAndGivesTheResultBack) {
  EXPECT_EQ(run(), std::vector<double>{0.25});
  EXPECT_EQ(run({.repetitions = 3}), (std::vector<double>{0.25, 0.25, 0.25}));
}

TEST_F(SketchGpu, FailuresHaveTheNameOfTheKernelAndOfTheError) {
  setenv("FAKE_DRIVER_FAILS", "cuLaunchKernel", 1);
  EXPECT_EQ(failure(), "scaled on the GPU: scaled: CUDA_ERROR_ILLEGAL_ADDRESS");
  setenv("FAKE_DRIVER_FAILS", "cuMemAlloc_v2", 1);
  EXPECT_EQ(failure(), "scaled on the GPU: no memory on the GPU: CUDA_ERROR_ILLEGAL_ADDRESS");
  setenv("FAKE_DRIVER_FAILS", "cuInit", 1);
  EXPECT_EQ(failure(), "scaled on the GPU: no GPU: CUDA_ERROR_ILLEGAL_ADDRESS");
  unsetenv("FAKE_DRIVER_FAILS");
  kernels_.ptx = "something else";
  EXPECT_EQ(failure(), "scaled on the GPU: the driver refuses the code: CUDA_ERROR_OTHER");
  kernels_.ptx = ".entry scaled";
  EXPECT_EQ(failure(), "") << "a failure costs one process";
}

TEST_F(SketchGpu, AKernelThatDoesNotEndIsEnded) {
  setenv("FAKE_DRIVER_HANGS", "1", 1);
  EXPECT_EQ(failure({.time = std::chrono::milliseconds(1000)}), "scaled on the GPU: its process took longer than 1 s");
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THROW((void)run({.stop = stop.get_token()}), Cancelled);
}

TEST_F(SketchGpu, WithoutADriverSaysSo) {
  unsetenv("LD_LIBRARY_PATH");
  if (has_gpu_driver()) GTEST_SKIP() << "this machine has a driver";
  EXPECT_EQ(failure(), "scaled on the GPU: the driver of NVIDIA is not installed");
  EXPECT_EQ(gpu().name, "");
  EXPECT_EQ(gpu().obstacle, "the driver of NVIDIA is not installed");
}

TEST_F(SketchGpu, AProcessThatWaitsRunsTheNextOne) {
  // It is a process of its own, whose waiting process has the environment of no other test, and ends with it.
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto runs = [this] {
    prepare_gpu();
    for (int i = 0; i < 4; ++i)
      if (run({.repetitions = 2}).size() != 2 || HasFailure()) std::_Exit(1);
    std::exit(0);
  };
  EXPECT_EXIT(runs(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace threadscape::sketch
