// The counters of a GPU, with a library that pretends to be CUPTI.

#include "compute/gpu/counters.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "compute/core/errors.h"

namespace threadscape::gpu {
namespace {

class GpuCounters : public testing::Test {
 protected:
  void SetUp() override {
    library_ = std::filesystem::read_symlink("/proc/self/exe").parent_path() / "libfake_cupti.so";
    if (!std::filesystem::exists(library_)) GTEST_SKIP() << "this build was made without the headers of CUPTI";
    setenv("THREADSCAPE_CUPTI", library_.c_str(), 1);
    opened_ = dlopen(library_.c_str(), RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(opened_, nullptr) << dlerror();
  }
  void TearDown() override {
    for (const char* name : {"THREADSCAPE_CUPTI", "FAKE_CUPTI_FAILS", "FAKE_CUPTI_CODE"})
      unsetenv(name);
    if (opened_ == nullptr) return;
    EXPECT_EQ(reinterpret_cast<int (*)()>(dlsym(opened_, "fake_live"))(), 0) << "something was not given back";
  }
  void launch(const char* how, const char* symbol, std::array<unsigned, 6> extents) const {
    reinterpret_cast<void (*)(const char*, const char*, const unsigned*)>(dlsym(opened_, "fake_launch"))(
        how, symbol, extents.data());
  }
  /// The sentence of the error that counting ends with; "" if it does not fail.
  static std::string failure() {
    try {
      Counters counters(context(), {"one"}, 4);
      (void)counters.count([] {});
    } catch (const EnvironmentError& error) {
      return error.what();
    }
    return {};
  }
  static std::string failure(const char* function, const char* code) {
    setenv("FAKE_CUPTI_FAILS", function, 1);
    setenv("FAKE_CUPTI_CODE", code, 1);
    return failure();
  }
  static GpuContext context() {
    static int something;
    return {.context = &something, .device = 0};
  }

  std::filesystem::path library_;
  void* opened_ = nullptr;
};

TEST_F(GpuCounters, ValuesOfEachLaunchStandWithItsKernelAndInTheOrderOfTheMetrics) {
  Counters counters(context(), {"one", "absent", "two"}, 4);
  EXPECT_EQ(counters.passes(), 2U);
  int calls = 0;
  const RunCounts found = counters.count([&] {
    ++calls;
    launch("cuLaunchKernel", "first", {1, 2, 3, 4, 5, 6});
    launch("cuLaunchKernelEx", "second", {7, 8, 9, 10, 11, 12});
    launch("cuLaunchCooperativeKernel", "third", {13, 1, 1, 14, 1, 1});
  });
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(found.left_out, 0U);
  ASSERT_EQ(found.launches.size(), 3U);
  EXPECT_EQ(found.launches[0].symbol, "first");
  EXPECT_EQ(found.launches[1].symbol, "second");
  EXPECT_EQ(found.launches[1].grid, (std::array{7U, 8U, 9U}));
  EXPECT_EQ(found.launches[1].block, (std::array{10U, 11U, 12U}));
  EXPECT_EQ(found.launches[2].grid, (std::array{13U, 1U, 1U}));
  ASSERT_EQ(found.launches[2].values.size(), 3U);
  EXPECT_EQ(found.launches[2].values[0], 200.0);
  EXPECT_TRUE(std::isnan(found.launches[2].values[1]));
  EXPECT_EQ(found.launches[2].values[2], 201.0);
}

TEST_F(GpuCounters, LaunchesWithoutRoomAreNumbered) {
  Counters counters(context(), {"one"}, 2);
  const auto five = [&] {
    for (int i = 0; i < 5; ++i)
      launch("cuLaunchKernel", "same", {1, 1, 1, 32, 1, 1});
  };
  for (int time = 0; time < 2; ++time) {
    const RunCounts found = counters.count(five);
    EXPECT_EQ(found.launches.size(), 2U);
    EXPECT_EQ(found.left_out, 3U);
  }
}

TEST_F(GpuCounters, WorkThatFailsLeavesTheCountersUsable) {
  Counters counters(context(), {"one"}, 2);
  EXPECT_THROW((void)counters.count([] { throw UsageError("of the work"); }), UsageError);
  EXPECT_EQ(counters.count([&] { launch("cuLaunchKernel", "one", {1, 1, 1, 1, 1, 1}); }).launches.size(), 1U);
}

TEST_F(GpuCounters, MissingRightsNameTheSetting) {
  for (const char* function : {"cuptiProfilerGetCounterAvailability", "cuptiRangeProfilerEnable"})
    EXPECT_EQ(
        failure(function, "35"),
        "the counters of the GPU are for administrators alone: run as root, or load the kernel module nvidia with "
        "NVreg_RestrictProfilingToAdminUsers=0");
}

TEST_F(GpuCounters, OtherFailuresNameTheFunctionWithItsResult) {
  for (const char* function : {"cuptiProfilerInitialize", "cuptiDeviceGetChipName", "cuptiRangeProfilerSetConfig",
                               "cuptiRangeProfilerStop", "cuptiSubscribe"})
    EXPECT_EQ(failure(function, "7"),
              std::string("the counters of the GPU: ") + function + " says CUPTI_ERROR_OF_THE_TEST");
}

TEST_F(GpuCounters, AGpuWithoutAnyOfTheMetricsIsNamed) {
  try {
    const Counters counters(context(), {"absent"}, 1);
    FAIL();
  } catch (const EnvironmentError& error) {
    EXPECT_STREQ(error.what(), "the counters of the GPU: none is known of FAKE");
  }
}

TEST_F(GpuCounters, AMissingLibraryNamesThePackage) {
  setenv("THREADSCAPE_CUPTI", "/absent", 1);
  EXPECT_EQ(failure(),
            "the counters of the GPU need CUPTI 12.6 or later: install the CUDA Toolkit, or nvidia-cuda-cupti by pip");
}

}  // namespace
}  // namespace threadscape::gpu
