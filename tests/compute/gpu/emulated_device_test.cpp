// The device that executes the program's own kernels on the CPU.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "compute/core/errors.h"
#include "compute/core/synthetic.h"
#include "compute/gpu/buffer.h"
#include "compute/gpu/device.h"
#include "compute/gpu/launcher.h"
#include "compute/registry/registry.h"
#include "compute/run/device_executor.h"
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

TEST_F(EmulatedDeviceTest, RowsOfATerrainAreGrownAlone) {
  const AlgorithmInfo& algorithm = find_algorithm("diamond_square");
  RunRequest request{.algorithm = &algorithm, .params = algorithm.defaults(), .backend = Backend::serial};
  for (const char* mode : {"classic", "fractal"}) {
    request.params.assign("mode", mode);
    request.params.assign("n", "9");
    request.backend = Backend::serial;
    request.layers = {};
    Runner runner;
    const HostArray whole = runner.run(request, {}).output;
    request.backend = Backend::cuda;
    request.device = &device;
    DeviceExecutor executor(device);
    const DeviceOut result = executor.linear_output(whole.shape());
    for (const LayerRange rows : {LayerRange{0, 1}, LayerRange{128, 257}, LayerRange{500, 513}}) {
      device.fill(result.data, 0x5a, result.pitch * 513, executor.stream());
      request.layers = rows;
      executor.run(request, {.linear = result, .surface = 0, .shape = result.shape});
      HostArray found(whole.shape());
      executor.download(found.view());
      const auto equal = [&](int y) {
        const std::size_t bytes = 513 * whole.shape().pixel_bytes();
        return std::memcmp(found.data() + found.view().pitch * y, whole.data() + whole.view().pitch * y, bytes) == 0;
      };
      for (int y = rows.first; y < rows.end; ++y)
        ASSERT_TRUE(equal(y)) << mode << ", row " << y;
      EXPECT_FALSE(equal(rows.first == 0 ? 512 : 0)) << "rows of other tiles are left out";
    }
  }
}

TEST_F(EmulatedDeviceTest, VolumesThatDoNotFitAreProjectedAndReconstructedInParts) {
  for (const char* name : {"projection", "reconstruction"}) {
    RunRequest request{.algorithm = &find_algorithm(name), .backend = Backend::cuda, .device = &device};
    request.params = request.algorithm->defaults();
    for (const auto& [key, value] : {std::pair{"geometry", "cone"}, {"voxels", "16"}, {"detector_pixels", "16"}})
      request.params.assign(key, value);
    request.params.assign("step", "30");
    if (std::string(name) == "projection") request.params.assign("slab", "3");  // Thinner ones would round otherwise.
    const HostArray input = request.algorithm->own_input->make(request.params, 0);
    Runner runner;
    const HostArray whole = runner.run(request, input.view()).output;
    const MemoryPlan need = plan_memory(request, input.shape());
    request.memory = need.device_bytes() - (std::string(name) == "projection" ? 64 : need.device_output / 2);
    const HostArray parts = runner.run(request, input.view()).output;
    EXPECT_EQ(compare(whole.view(), parts.view(), Tolerance::exact()), std::nullopt) << name;
  }
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
