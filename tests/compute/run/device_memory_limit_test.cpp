// Runs on a device whose memory ends at every possible allocation: each gives a message or the right result, and gives
// all memory back. On a GPU if there is one, else on the emulated device.

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>

#include "compute/core/errors.h"
#include "compute/core/synthetic.h"
#include "compute/gpu/device.h"
#include "compute/registry/registry.h"
#include "compute/run/runner.h"
#include "compute/run/verify.h"

namespace threadscape {
namespace {

/// Sets the environment variable TS_CUDA_MEMORY while it lives.
class MemoryLimit {
 public:
  explicit MemoryLimit(std::size_t bytes) { setenv("TS_CUDA_MEMORY", std::to_string(bytes).c_str(), 1); }
  ~MemoryLimit() { unsetenv("TS_CUDA_MEMORY"); }
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;
};

/// The result with this limit, or nothing if memory ran out, which has to be said.
std::optional<HostArray> run_within(std::size_t bytes, const RunRequest& request, const HostArray& input) {
  const MemoryLimit limit(bytes);
  Runner runner;
  try {
    return runner.run(request, input.view()).output;
  } catch (const EnvironmentError& error) {
    EXPECT_NE(std::string(error.what()).find("TS_CUDA_MEMORY"), std::string::npos) << error.what();
    return std::nullopt;
  }
}

class DeviceMemoryLimitTest : public ::testing::TestWithParam<const char*> {};

TEST_P(DeviceMemoryLimitTest, EveryAllocationCanFail) {
  gpu::Device& device = gpu::devices().first().available() ? gpu::devices().first() : gpu::devices().emulated();
  if (!device.available()) GTEST_SKIP() << device.obstacle();
  const AlgorithmInfo& algorithm = find_algorithm(GetParam());
  const HostArray input = make_synthetic(InputPattern::photo, Shape::image(Element::u8, 1, 70, 50), 1);
  RunRequest request{.algorithm = &algorithm, .params = algorithm.defaults(), .backend = Backend::serial};
  const HostArray expected = Runner().run(request, input.view()).output;
  request.backend = Backend::cuda;
  request.device = &device;
  // The least memory that suffices, found twice: blocks that a failed run had kept would raise it.
  std::size_t least[2] = {};
  for (std::size_t& enough : least) {
    std::size_t too_little = 0;
    enough = std::size_t{1} << 24;
    EXPECT_FALSE(run_within(too_little, request, input));
    while (enough - too_little > 256) {
      const std::size_t middle = (too_little + enough) / 2;
      const auto result = run_within(middle, request, input);
      if (result) {
        const auto mismatch = compare(expected.view(), result->view(), algorithm.tolerance);
        EXPECT_FALSE(mismatch) << to_string(*mismatch);
      }
      (result ? enough : too_little) = middle;
    }
  }
  EXPECT_EQ(least[0], least[1]);
  EXPECT_GT(least[0], std::size_t{70 * 50 * 2});  // Input and result are there at the same time.
  EXPECT_EQ(device.problem(), "");                // Lack of memory does not end the use of the device.
}

INSTANTIATE_TEST_SUITE_P(Algorithms, DeviceMemoryLimitTest,
                         ::testing::Values("sobel", "median", "laplacian_of_gaussian"));

}  // namespace
}  // namespace threadscape
