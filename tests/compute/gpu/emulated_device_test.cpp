// The device that executes the program's own kernels on the CPU.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "compute/core/errors.h"
#include "compute/core/synthetic.h"
#include "compute/gpu/buffer.h"
#include "compute/gpu/device.h"
#include "compute/gpu/launcher.h"
#include "compute/registry/registry.h"
#include "compute/run/verify.h"
#include "compute/warp/kernel_parameters.h"
#include "compute/warp/study.h"

namespace threadscape {
namespace {

class EmulatedDeviceTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!device.available()) GTEST_SKIP() << device.obstacle();
  }
  gpu::Device& device = gpu::devices().emulated();
};

TEST_F(EmulatedDeviceTest, IsChosenByItsOrdinalAndInNoList) {
  EXPECT_EQ(&gpu::devices().at(gpu::emulated_ordinal), &device);
  EXPECT_EQ(device.info().name, "emulated");
  for (const auto& listed : gpu::devices().all())
    EXPECT_NE(listed.get(), &device);
}

TEST_F(EmulatedDeviceTest, MemoryIsCopiedAndFilled) {
  gpu::DeviceArray memory(device);
  const HostArray picture = make_synthetic(InputPattern::photo, Shape::image(Element::u8, 4, 33, 7), 1);
  memory.reshape(picture.shape());
  gpu::Stream stream(device);
  gpu::upload(picture.view(), memory.view(), stream.get());
  HostArray back(picture.shape());
  gpu::download(std::as_const(memory).view(), back.view(), stream.get());
  EXPECT_EQ(compare(picture.view(), std::as_const(back).view(), Tolerance::exact()), std::nullopt);
}

TEST_F(EmulatedDeviceTest, LaunchesAreGivenToAnObserver) {
  std::vector<std::string> kernels;
  warp::Counts counts;
  gpu::launch_by([&](const warp::LaunchRequest& request) {
    kernels.push_back(warp::shown_name(request.kernel));
    warp::StudyRequest wanted{.launch = request, .gpu = &warp::gpu_model(90)};
    warp::Study study = warp::study(wanted);
    counts += study.launch.total;
    return study.launch;
  });
  const HostArray picture = make_synthetic(InputPattern::photo, Shape::image(Element::u8, 1, 64, 32), 1);
  const AlgorithmInfo& algorithm = find_algorithm("threshold_mean");
  RunRequest request{.algorithm = &algorithm, .params = algorithm.defaults(), .backend = Backend::cuda};
  request.device = &device;
  Runner runner;
  (void)runner.run(request, picture.view());
  gpu::launch_by(nullptr);
  const std::size_t observed = kernels.size();
  EXPECT_GT(observed, 0U);
  EXPECT_EQ(counts.global_store_sectors, 64U * 32 / 32);
  (void)runner.run(request, picture.view());
  EXPECT_EQ(kernels.size(), observed);
}

/// Every setting of an algorithm runs with one of so many sizes in turn: so few that each algorithm takes at most four
/// seconds on one core, and the larger ones seldom.
std::uint64_t sizes_for_each(std::string_view algorithm) {
  struct Row {
    std::string_view algorithm;
    std::uint64_t every;
  };
  constexpr Row rows[] = {{"beer_lambert", 7}, {"convolution", 151},   {"diamond_square", 300}, {"gaussian", 97},
                          {"median", 151},     {"morphology", 151},    {"phantom", 300},        {"rasterize", 89},
                          {"projection", 97},  {"reconstruction", 97}, {"seam_carving", 97}};
  const auto* const found = std::ranges::find(rows, algorithm, &Row::algorithm);
  return found == std::end(rows) ? 41 : found->every;
}

class EmulatedDeviceParity : public ::testing::TestWithParam<std::string_view> {};

TEST_P(EmulatedDeviceParity, EqualsSerial) {
  gpu::Device& device = gpu::devices().emulated();
  if (!device.available()) GTEST_SKIP() << device.obstacle();
  VerifyOptions options;
  options.backends = {Backend::cuda};
  options.seeds = 1;
  options.every = sizes_for_each(GetParam());
  options.device = &device;
  for (const VerifyRow& row : verify(find_algorithm(GetParam()), options)) {
    EXPECT_EQ(row.failure, "");
    EXPECT_EQ(row.skipped, "");
  }
}

std::vector<std::string_view> names_of_algorithms() {
  std::vector<std::string_view> names;
  for (const AlgorithmInfo& algorithm : algorithms())
    names.push_back(algorithm.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Registry, EmulatedDeviceParity, ::testing::ValuesIn(names_of_algorithms()),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace threadscape
