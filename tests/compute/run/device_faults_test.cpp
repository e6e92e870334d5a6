// Every call of a device that a run makes fails once, launches and waits too, with an error after which the device goes
// on and with one after which it is lost. The device is the emulated one, so that no GPU is needed.

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>

#include "compute/core/errors.h"
#include "compute/core/synthetic.h"
#include "compute/gpu/device.h"
#include "compute/registry/registry.h"
#include "compute/run/runner.h"
#include "compute/run/verify.h"
#include "cuda_backend.h"
#if TS_HAS_CUDA
#include "compute/gpu/emulated/emulated_device.h"
#endif

namespace threadscape {
namespace {

#if TS_HAS_CUDA

/// An emulated device of which one call fails.
class FaultyDevice final : public gpu::EmulatedDevice {
 public:
  FaultyDevice() {
    launch_by(
        [this](const warp::LaunchRequest& request) {
          may_fail();
          return warp::launch(request);
        },
        false);
  }
  /// The nth call from now on fails, and with `sticky` all calls after it, until the context ends.
  void fail(int nth, bool sticky) {
    left_ = nth;
    sticky_ = sticky;
    lost_ = happened_ = false;
  }
  void fail_no_more() { left_ = 0; }
  [[nodiscard]] bool happened() const { return happened_; }

  void wait(CudaStream stream) override { may_fail(), EmulatedDevice::wait(stream); }
  void record(gpu::Event event, CudaStream stream) override { may_fail(), EmulatedDevice::record(event, stream); }
  void hold(gpu::Event event, CudaStream stream) override { may_fail(), EmulatedDevice::hold(event, stream); }
  void wait(gpu::Event event) override { may_fail(), EmulatedDevice::wait(event); }
  double ms_between(gpu::Event start, gpu::Event stop) override {
    return may_fail(), EmulatedDevice::ms_between(start, stop);
  }
  void copy(const gpu::CopyRows& rows, gpu::CopyKind kind, CudaStream stream) override {
    may_fail(), EmulatedDevice::copy(rows, kind, stream);
  }
  void fill(void* block, int byte, std::size_t bytes, CudaStream stream) override {
    may_fail(), EmulatedDevice::fill(block, byte, bytes, stream);
  }

 private:
  void may_fail() {
    if (!lost_ && (left_ == 0 || --left_ > 0)) return;
    happened_ = true;
    lost_ = sticky_;
    throw DeviceError("a call failed for a test", sticky_);
  }
  void do_end_context() override { lost_ = false; }
  void* do_allocate(std::size_t bytes) override { return may_fail(), EmulatedDevice::do_allocate(bytes); }
  void* do_allocate_pinned(std::size_t bytes) override { return may_fail(), EmulatedDevice::do_allocate_pinned(bytes); }
  CUstream_st* do_make_stream() override { return may_fail(), EmulatedDevice::do_make_stream(); }
  gpu::Event do_make_event(bool timed) override { return may_fail(), EmulatedDevice::do_make_event(timed); }

  int left_ = 0;
  bool sticky_ = false, lost_ = false, happened_ = false;
};

class DeviceFaults : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (!device_.available()) GTEST_SKIP() << device_.obstacle();
    const AlgorithmInfo& algorithm = find_algorithm(GetParam());
    input_ = make_synthetic(InputPattern::photo, Shape::image(Element::u8, 1, 35, 20), 1);
    request_ = {.algorithm = &algorithm, .params = algorithm.defaults(), .backend = Backend::serial};
    expected_ = Runner().run(request_, input_.view()).output;
    request_.backend = Backend::cuda;
    request_.device = &device_;
  }

  /// Runs, and returns "" or the message of the failure. A result has to be right.
  std::string run(Runner& runner) {
    try {
      const RunResult result = runner.run(request_, input_.view());
      const auto mismatch = compare(expected_.view(), result.output.view(), request_.algorithm->tolerance);
      EXPECT_FALSE(mismatch) << to_string(*mismatch);
      return "";
    } catch (const Error& error) {
      EXPECT_STRNE(error.what(), "");
      return error.what();
    }
  }

  FaultyDevice device_;
  RunRequest request_;
  HostArray input_, expected_;
};

TEST_P(DeviceFaults, AfterAnErrorThatPassesTheSameRunnerGoesOn) {
  int failures = 0;
  for (int nth = 1;; ++nth) {
    SCOPED_TRACE("call " + std::to_string(nth));
    Runner runner;
    device_.fail(nth, false);
    const std::string message = run(runner);
    device_.fail_no_more();
    EXPECT_TRUE(message.empty() || device_.happened()) << message;
    EXPECT_EQ(device_.problem(), "");
    EXPECT_EQ(run(runner), "");
    if (HasFailure() || !device_.happened()) break;
    failures += message.empty() ? 0 : 1;
  }
  EXPECT_GE(failures, 8);  // Memory for input and result, two copies, launches, events and a wait.
  RecordProperty("failures", failures);
}

TEST_P(DeviceFaults, AfterAnErrorThatStaysTheDeviceIsRetired) {
  int failures = 0;
  for (int nth = 1;; ++nth) {
    SCOPED_TRACE("call " + std::to_string(nth));
    {
      device_.fail(nth, true);
      Runner runner;
      const std::string message = run(runner);
      EXPECT_TRUE(message.empty() || device_.happened()) << message;
      if (!message.empty()) {
        ++failures;
        EXPECT_NE(device_.problem(), "");
        EXPECT_NE(run(runner), "") << "a lost device was used again";
      }
    }
    device_.fail_no_more();
    EXPECT_EQ(device_.revive(), "");
    if (HasFailure() || !device_.happened()) break;
  }
  EXPECT_GE(failures, 8);
  RecordProperty("failures", failures);
}

INSTANTIATE_TEST_SUITE_P(Algorithms, DeviceFaults, ::testing::Values("sobel", "median", "laplacian_of_gaussian"));

#else

TEST(DeviceFaults, NeedKernels) {
  GTEST_SKIP() << "this build has no CUDA kernels whose calls could fail";
}

#endif

}  // namespace
}  // namespace threadscape
