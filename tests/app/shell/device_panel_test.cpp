// Tests of the panel of the device: the limits as texts, with and without a device.

#include "app/shell/device_panel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "compute/gpu/device.h"

namespace threadscape::app {
namespace {

TEST(DevicePanel, LimitsHaveUnitsThatPeopleRead) {
  // The values of an NVIDIA H200.
  const std::array limits{
      gpu::DeviceLimit{"max_grid_x", "blocks of a grid along x", 2147483647, ""},
      gpu::DeviceLimit{"max_threads_per_block", "threads per block", 1024, ""},
      gpu::DeviceLimit{"shared_bytes_per_block_optin", "shared memory per block, if asked for", 232448, "bytes"},
      gpu::DeviceLimit{"texture_alignment_bytes", "alignment of textures", 512, "bytes"},
      gpu::DeviceLimit{"clock_khz", "clock", 1980000, "kHz"},
      gpu::DeviceLimit{"bus_width_bits", "width of the memory's bus", 6144, "bits"},
      gpu::DeviceLimit{"ecc", "memory corrects errors (1 = yes)", 1, ""},
      gpu::DeviceLimit{"kernel_timeout", "kernels are stopped after seconds (1 = yes)", 0, ""},
      gpu::DeviceLimit{"memory_bytes_per_second", "bandwidth of the memory", 4916736000000, "bytes/s"}};
  const FactRows expected{{"blocks of a grid along x", "2,147,483,647"},
                          {"threads per block", "1,024"},
                          {"shared memory per block, if asked for", "227 KiB"},
                          {"alignment of textures", "512 bytes"},
                          {"clock", "1980 MHz"},
                          {"width of the memory's bus", "6,144 bits"},
                          {"memory corrects errors", "yes"},
                          {"kernels are stopped after seconds", "no"},
                          {"bandwidth of the memory", "4917 GB/s"}};
  EXPECT_EQ(limit_rows(limits), expected);
}

TEST(DevicePanel, WithoutADeviceASentenceSaysWhatWouldShowThem) {
  EXPECT_TRUE(limit_rows({}).empty());
  const std::string text = no_limits_text();
  EXPECT_NE(text.find(gpu::devices().compiled ? "driver" : "nvcc"), std::string::npos) << text;
  EXPECT_EQ(std::ranges::count(text, '\n'), 0);
}

TEST(DevicePanel, EveryLimitOfADeviceHasARow) {
  if (!gpu::devices().first().available()) GTEST_SKIP() << gpu::devices().first().obstacle();
  const std::vector<gpu::DeviceLimit> limits = gpu::devices().first().limits();
  EXPECT_GE(limits.size(), 30u);
  EXPECT_EQ(limit_rows(limits).size(), limits.size());
}

}  // namespace
}  // namespace threadscape::app
