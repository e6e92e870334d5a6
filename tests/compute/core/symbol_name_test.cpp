#include "compute/core/symbol_name.h"

#include <gtest/gtest.h>

namespace threadscape {
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

TEST(Demangled, HasAllThatTheSymbolSays) {
  EXPECT_EQ(demangled("_ZN11threadscape3sumIiEEvPT_i"), "void threadscape::sum<int>(int*, int)");
  EXPECT_EQ(demangled("sum"), "sum");
}

}  // namespace
}  // namespace threadscape
