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
  // Stencils, shared memory, constant memory, votes and shuffles, atomics, textures, dynamic shared memory.
  for (const char* name : {"mean", "convolution", "morphology", "median", "reduction", "sorting", "memory_access"}) {
    VerifyOptions options;
    options.backends = {Backend::cuda};
    options.seeds = 1;
    options.every = 60;
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
