#include "compute/run/runner.h"

#include <gtest/gtest.h>

#include <array>

#include "compute/core/cpu_info.h"
#include "compute/core/synthetic.h"
#include "compute/gpu/device.h"
#include "compute/registry/registry.h"
#include "compute/run/verify.h"
#include "tests/support/compute/fake_algorithm.h"

namespace threadscape {
namespace {

const AlgorithmInfo& fake() {
  static const AlgorithmInfo info = describe<FakeInvert>("fake");
  return info;
}

RunRequest invert_request(Backend backend) {
  return {.algorithm = &fake(), .params = fake().defaults(), .backend = backend};
}

HostArray picture(int width = 33, int height = 9) {
  return make_synthetic(InputPattern::noise, Shape::image(Element::u8, 1, width, height));
}

/// The message of the exception of type E that the call throws.
template <class E, class Call>
std::string message_of(const Call& call) {
  try {
    call();
  } catch (const E& error) {
    return error.what();
  }
  return "";
}

class RunnerTest : public ::testing::Test {
 protected:
  void SetUp() override { FakeInvert::scratch = 0; }
};

TEST_F(RunnerTest, RunsBothCpuBackends) {
  Runner runner;
  const HostArray input = picture();
  for (const Backend backend : {Backend::serial, Backend::openmp}) {
    Progress progress;
    const RunResult result = runner.run(invert_request(backend), input.view(), {}, &progress);
    EXPECT_EQ(result.output.shape(), input.shape());
    EXPECT_EQ(result.output.image<std::uint8_t>()(5, 3), 255 - input.image<std::uint8_t>()(5, 3));
    EXPECT_GT(result.times.compute_ms, 0.0);
    EXPECT_EQ(result.times.upload_ms, 0.0);
    EXPECT_EQ(result.times.total_ms(), result.times.compute_ms);
    EXPECT_EQ(progress.done(), 1.0);
  }
}

TEST_F(RunnerTest, WritesIntoMemoryOfAnyPitch) {
  Runner runner;
  const HostArray input = picture(3, 2);
  std::array<std::byte, 20> memory;
  memory.fill(std::byte{9});
  runner.run_into(invert_request(Backend::serial), input.view(), HostOut{memory.data(), input.shape(), 10});
  EXPECT_EQ(std::to_integer<int>(memory[12]), 255 - input.image<std::uint8_t>()(2, 1));
  EXPECT_EQ(std::to_integer<int>(memory[3]), 9) << "beyond the row";
}

TEST_F(RunnerTest, KnowsItsNeed) {
  FakeInvert::scratch = 1000;
  const Shape input = Shape::image(Element::u8, 1, 100, 10);
  const MemoryPlan cpu = plan_memory(invert_request(Backend::serial), input);
  EXPECT_EQ(cpu.host_bytes(), 128u * 10u + 1000u);
  EXPECT_EQ(cpu.device_bytes(), 0u);
  const MemoryPlan gpu = plan_memory(invert_request(Backend::cuda), input);
  EXPECT_EQ(gpu.host_bytes(), 128u * 10u);
  EXPECT_EQ(gpu.device_bytes(), 2u * 256u * 10u + 1000u);
}

TEST_F(RunnerTest, RefusesWhatDoesNotFitBeforeItStarts) {
  FakeInvert::scratch = std::size_t{1} << 60;
  Runner runner;
  const HostArray input = picture();
  const std::string message =
      message_of<EnvironmentError>([&] { (void)runner.run(invert_request(Backend::serial), input.view()); });
  EXPECT_NE(message.find("fake needs 1152921504606847"), std::string::npos) << message;
  EXPECT_NE(message.find("bytes of host memory"), std::string::npos) << message;
  FakeInvert::scratch = 0;  // The runner can be used again after the error.
  EXPECT_NO_THROW((void)runner.run(invert_request(Backend::serial), input.view()));
}

TEST_F(RunnerTest, RefusesWrongRequests) {
  Runner runner;
  const HostArray input = picture();
  const auto run = [&](const RunRequest& request, HostIn in) { (void)runner.run(request, in); };

  RunRequest request = invert_request(Backend::openmp);
  request.variant = 2;
  EXPECT_THROW(run(request, input.view()), UsageError);
  request = invert_request(Backend::openmp);
  request.threads = -1;
  EXPECT_THROW(run(request, input.view()), UsageError);
  request.threads = 1'000'000;
  EXPECT_THROW(run(request, input.view()), UsageError);
  request = invert_request(Backend::serial);
  request.params.assign("top", "13");
  EXPECT_EQ(message_of<UsageError>([&] { run(request, input.view()); }), "13 is refused");

  EXPECT_THROW(run(invert_request(Backend::serial), HostIn{}), UsageError);
  EXPECT_THROW(run(invert_request(Backend::serial), HostArray(Shape::image(Element::u16, 1, 2, 2)).view()), UsageError);
  EXPECT_THROW(run(invert_request(Backend::serial), HostArray({Kind::sequence, Element::u8, 1, 5, 1, 1}).view()),
               UsageError);
  HostArray other(Shape::image(Element::u8, 1, 2, 2));
  EXPECT_THROW((void)runner.run_into(invert_request(Backend::serial), input.view(), other.view()), UsageError);
}

TEST_F(RunnerTest, StopsWhenAsked) {
  Runner runner;
  const HostArray input = picture();
  std::stop_source source;
  source.request_stop();
  for (const Backend backend : {Backend::serial, Backend::openmp})
    EXPECT_THROW((void)runner.run(invert_request(backend), input.view(), source.get_token()), Cancelled);
}

TEST_F(RunnerTest, CudaWithoutADeviceIsAbsent) {
  if (gpu::devices().first().available()) GTEST_SKIP() << "this machine has a CUDA device";
  EXPECT_FALSE(gpu::devices().first().obstacle().empty());
  EXPECT_EQ(gpu::devices().first().free_bytes(), 0u);
  Runner runner;
  const HostArray input = picture();
  const std::string message =
      message_of<BackendAbsent>([&] { (void)runner.run(invert_request(Backend::cuda), input.view()); });
  EXPECT_NE(message.find(gpu::devices().first().obstacle()), std::string::npos) << message;
}

TEST_F(RunnerTest, CudaTimesItsStages) {
  if (!gpu::devices().first().available()) GTEST_SKIP() << gpu::devices().first().obstacle();
  Runner runner;
  const HostArray input = picture(1000, 1000);
  for (const AlgorithmInfo& algorithm : algorithms()) {
    if (algorithm.input != Kind::image) continue;
    RunRequest request{.algorithm = &algorithm, .params = algorithm.defaults(), .backend = Backend::cuda};
    const RunResult gpu = runner.run(request, input.view());
    EXPECT_GT(gpu.times.upload_ms, 0.0);
    EXPECT_GT(gpu.times.compute_ms, 0.0);
    EXPECT_GT(gpu.times.download_ms, 0.0);
    request.backend = Backend::serial;
    const RunResult cpu = runner.run(request, input.view());
    EXPECT_FALSE(compare(cpu.output.view(), gpu.output.view(), algorithm.tolerance)) << algorithm.name;
  }
}

TEST_F(RunnerTest, CudaRefusesWhatDoesNotFit) {
  if (!gpu::devices().first().available()) GTEST_SKIP() << gpu::devices().first().obstacle();
  FakeInvert::scratch = std::size_t{1} << 60;
  Runner runner;
  const HostArray input = picture();
  const std::string message =
      message_of<EnvironmentError>([&] { (void)runner.run(invert_request(Backend::cuda), input.view()); });
  EXPECT_NE(message.find("bytes of device memory"), std::string::npos) << message;
}

TEST(Machine, TellsPlausibleFigures) {
  const CpuInfo& cpu = cpu_info();
  EXPECT_FALSE(cpu.model.empty());
  EXPECT_FALSE(cpu.simd.empty());
  EXPECT_GE(cpu.logical_cores, 1);
  EXPECT_EQ(cpu.logical_cores, hardware_threads());
  EXPECT_GE(cpu.physical_cores, 1);
  EXPECT_GT(cpu.memory_bytes, std::size_t{64} << 20);
  EXPECT_GT(free_host_bytes(), 0u);
  EXPECT_GE(max_threads(), hardware_threads());
}

}  // namespace
}  // namespace threadscape
