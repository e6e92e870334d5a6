// Every call of the CUDA runtime that a run makes fails once, at launches and at synchronisation too, with an error
// after which the device goes on and with one after which it is lost. Runs by scripts/emulate, whose runtime puts the
// errors in.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>

#include "compute/core/errors.h"
#include "compute/core/synthetic.h"
#include "compute/gpu/device.h"
#include "compute/registry/registry.h"
#include "compute/run/runner.h"
#include "compute/run/verify.h"

namespace threadscape {
namespace {

/// Lets a call of the emulated runtime fail while it lives; tests/emulation/runtime.cpp explains the variables.
class PutIn {
 public:
  /// `code` is a value of cudaError_t.
  PutIn(int nth, int code, bool sticky) {
    setenv("EMU_FAIL_CALL", std::to_string(nth).c_str(), 1);
    setenv("EMU_FAIL_CODE", std::to_string(code).c_str(), 1);
    if (sticky) setenv("EMU_FAIL_STICKY", "1", 1);
  }
  ~PutIn() {
    for (const char* name : {"EMU_FAIL_CALL", "EMU_FAIL_CODE", "EMU_FAIL_STICKY"})
      unsetenv(name);
  }
  PutIn(const PutIn&) = delete;
  PutIn& operator=(const PutIn&) = delete;
  [[nodiscard]] static bool happened() { return std::getenv("EMU_FAIL_CALL") == nullptr; }
};

class DeviceFaults : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (gpu::devices().first().info().name != "emulator") GTEST_SKIP() << "errors are put in by scripts/emulate only";
    const bool built =
        std::ranges::any_of(algorithms(), [](const AlgorithmInfo& info) { return info.name == GetParam(); });
    if (!built) GTEST_SKIP() << "this program does not contain " << GetParam();
    const AlgorithmInfo& algorithm = find_algorithm(GetParam());
    input_ = make_synthetic(InputPattern::photo, Shape::image(Element::u8, 1, 35, 20), 1);
    request_ = {.algorithm = &algorithm, .params = algorithm.defaults(), .backend = Backend::serial};
    expected_ = Runner().run(request_, input_.view()).output;
    request_.backend = Backend::cuda;
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

  RunRequest request_;
  HostArray input_, expected_;
};

/// cudaErrorLaunchOutOfResources is an error of a launch that leaves the context as it is.
TEST_P(DeviceFaults, AfterAnErrorThatPassesTheSameRunnerGoesOn) {
  constexpr int out_of_resources = 701;
  int failures = 0;
  for (int nth = 1;; ++nth) {
    SCOPED_TRACE("call " + std::to_string(nth));
    Runner runner;
    std::string message;
    bool happened = false;
    {
      const PutIn fault(nth, out_of_resources, false);
      message = run(runner);
      happened = PutIn::happened();
    }
    EXPECT_TRUE(message.empty() || happened) << message;
    EXPECT_EQ(gpu::devices().first().problem(), "");
    EXPECT_EQ(run(runner), "");
    if (HasFailure() || !happened) break;
    failures += message.empty() ? 0 : 1;
  }
  EXPECT_GE(failures, 8);  // Memory for input and result, two copies, launches, events and a wait.
  RecordProperty("failures", failures);
}

/// cudaErrorIllegalAddress is returned by every later call, too.
TEST_P(DeviceFaults, AfterAnErrorThatStaysTheDeviceIsRetired) {
  constexpr int illegal_address = 700;
  int failures = 0;
  for (int nth = 1;; ++nth) {
    SCOPED_TRACE("call " + std::to_string(nth));
    bool happened = false;
    {
      const PutIn fault(nth, illegal_address, true);
      Runner runner;
      const std::string message = run(runner);
      happened = PutIn::happened();
      EXPECT_TRUE(message.empty() || happened) << message;
      if (!message.empty()) {
        ++failures;
        EXPECT_NE(gpu::devices().first().problem(), "");
        EXPECT_NE(run(runner), "") << "a lost device was used again";
      }
    }
    EXPECT_EQ(gpu::devices().first().revive(), "");
    if (HasFailure() || !happened) break;
  }
  EXPECT_GE(failures, 8);
  RecordProperty("failures", failures);
}

INSTANTIATE_TEST_SUITE_P(Algorithms, DeviceFaults, ::testing::Values("sobel", "median", "laplacian_of_gaussian"));

}  // namespace
}  // namespace threadscape
