// The device that executes the program's own kernels on the CPU.

#include <gtest/gtest.h>

#include "compute/core/errors.h"
#include "compute/core/synthetic.h"
#include "compute/gpu/buffer.h"
#include "compute/gpu/device.h"
#include "compute/registry/registry.h"
#include "compute/run/verify.h"

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

TEST_F(EmulatedDeviceTest, KernelsOfEveryKindGiveTheBitsOfSerial) {
  // Stencils, shared memory, votes and shuffles, atomics, constant memory and textures. Each kernel runs on some of the
  // shapes of the sweep alone, so that the test takes seconds. CUB asks the runtime for what this device does not have.
  struct Case {
    const char* algorithm;
    std::uint64_t every;
  };
  for (const auto& [name, every] :
       {Case{"mean", 200}, {"sobel", 200}, {"median", 200}, {"noise", 30}, {"memory_access", 24}, {"reduction", 40}}) {
    VerifyOptions options;
    options.backends = {Backend::cuda};
    options.seeds = 1;
    options.every = every;
    options.without = {"cub"};
    options.device = &device;
    for (const VerifyRow& row : verify(find_algorithm(name), options)) {
      EXPECT_EQ(row.failure, "") << name;
      EXPECT_EQ(row.skipped, "") << name;
    }
  }
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

}  // namespace
}  // namespace threadscape
