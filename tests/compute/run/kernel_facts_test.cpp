// Names of kernels are read from symbols as compilers write them.

#include "compute/run/kernel_facts.h"

#include <gtest/gtest.h>

namespace threadscape::cuda {
namespace {

TEST(KernelName, IsWhatTheSourcesCallTheKernel) {
  EXPECT_EQ(kernel_name("void threadscape::filter_strips<float, 4>(float const*, int)"), "filter_strips");
  EXPECT_EQ(kernel_name("void threadscape::(anonymous namespace)::erode<(int)3>(threadscape::View<unsigned char>)"),
            "erode");
  EXPECT_EQ(kernel_name("add(int)"), "add");
  // The symbol of `void threadscape::sum<int>(int*, int)`, as GCC and nvcc mangle it.
  EXPECT_EQ(kernel_name("_ZN11threadscape3sumIiEEvPT_i"), "sum");
  EXPECT_EQ(kernel_name("_no_name_of_cpp"), "_no_name_of_cpp");
}

TEST(BusyMultiprocessors, AreBoundedByTheBlocksOfTheLargestLaunchAndByTheDevice) {
  EXPECT_EQ(busy_multiprocessors({}, 132), 0);
  const Kernels kernels{{.name = "a", .grid = {3, 2, 1}}, {.name = "b", .grid = {3, 4, 1}}};
  EXPECT_EQ(busy_multiprocessors(kernels, 132), 12);
  EXPECT_EQ(busy_multiprocessors(kernels, 8), 8);
}

}  // namespace
}  // namespace threadscape::cuda
