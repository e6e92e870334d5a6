#include "compute/run/kernel_facts.h"

#include <gtest/gtest.h>

namespace threadscape::cuda {
namespace {

TEST(BusyMultiprocessors, AreBoundedByTheBlocksOfTheLargestLaunchAndByTheDevice) {
  EXPECT_EQ(busy_multiprocessors({}, 132), 0);
  const Kernels kernels{{.name = "a", .grid = {3, 2, 1}}, {.name = "b", .grid = {3, 4, 1}}};
  EXPECT_EQ(busy_multiprocessors(kernels, 132), 12);
  EXPECT_EQ(busy_multiprocessors(kernels, 8), 8);
}

}  // namespace
}  // namespace threadscape::cuda
