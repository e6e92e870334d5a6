#include "compute/warp/kernel_parameters.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "compute/core/errors.h"

namespace threadscape::warp {
namespace {

constexpr const char* text = R"(
.version 8.0
.target sm_90
.address_size 64
.visible .entry scale(
  .param .u64 scale_param_0,
  .param .u32 scale_param_1,
  .param .f32 scale_param_2,
  .param .u64 scale_param_3,
  .param .align 4 .b8 scale_param_4[8]
)
{
  .reg .b32 %r<3>;
  .reg .b64 %rd<6>;
  .reg .f32 %f<3>;
  ld.param.u64 %rd1, [scale_param_0];
  ld.param.u32 %r1, [scale_param_1];
  ld.param.f32 %f1, [scale_param_2];
  ld.param.u64 %rd4, [scale_param_3];
  cvta.to.global.u64 %rd2, %rd1;
  mul.wide.u32 %rd5, %r1, 4;
  add.s64 %rd3, %rd2, %rd5;
  add.s64 %rd4, %rd4, 1;
  st.global.f32 [%rd3], %f1;
  ret;
}
.visible .entry _Z4fillIfEvPT_j(
  .param .u64 _Z4fillIfEvPT_j_param_0,
  .param .u32 _Z4fillIfEvPT_j_param_1
)
{
  ret;
}
.visible .entry _Z4fillIiEvPT_j(
  .param .u64 _Z4fillIiEvPT_j_param_0,
  .param .u32 _Z4fillIiEvPT_j_param_1
)
{
  ret;
}
)";

std::string refused_name(const Module& module, std::string_view name) {
  try {
    (void)find_kernel(module, name);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(WarpKernels, AreFoundByTheirNames) {
  const Module module = parse_ptx(text);
  EXPECT_EQ(find_kernel(module, "scale").name, "scale");
  EXPECT_EQ(find_kernel(module, "sca").name, "scale");
  EXPECT_EQ(find_kernel(module, "_Z4fillIfEvPT_j").name, "_Z4fillIfEvPT_j");
  EXPECT_EQ(find_kernel(module, "fill<int>").name, "_Z4fillIiEvPT_j");
  EXPECT_EQ(refused_name(module, ""),
            "there are several kernels; --kernel takes one of: scale | fill<float> | fill<int>");
  EXPECT_EQ(refused_name(module, "fill"),
            "more than one kernel is named 'fill': there are scale | fill<float> | fill<int>");
  EXPECT_EQ(refused_name(module, "x"), "no kernel is named 'x': there are scale | fill<float> | fill<int>");
  EXPECT_NE(refused_name(parse_ptx(".version 8.0\n.target sm_90\n.address_size 64\n"), "").find("no kernel"),
            std::string::npos);
}

TEST(WarpKernels, PointersFollowFromTheSourceOrFromTheirUse) {
  const Module module = parse_ptx(text);
  const std::vector<KernelParameter> used = parameters_of(module, find_kernel(module, "scale"), "");
  ASSERT_EQ(used.size(), 5u);
  EXPECT_TRUE(used[0].pointer);
  EXPECT_FALSE(used[3].pointer);
  EXPECT_EQ(used[1].name, "parameter 2");
  EXPECT_EQ(used[4].type, "8 bytes");
  const std::vector<KernelParameter> written =
      parameters_of(module, find_kernel(module, "scale"),
                    "void scale(int); __global__ void scale(float* __restrict__ out, int n, float by, "
                    "const int *mask, Pair<int, int> p) { }");
  EXPECT_EQ(written[0].name, "out");
  EXPECT_EQ(written[0].type, "float* __restrict__");
  EXPECT_TRUE(written[3].pointer);
  EXPECT_EQ(written[3].name, "mask");
  EXPECT_EQ(written[4].type, "Pair<int, int>");
  const std::vector<KernelParameter> mangled = parameters_of(module, find_kernel(module, "fill<float>"), "");
  EXPECT_EQ(mangled[1].type, "unsigned int");
  EXPECT_TRUE(mangled[0].pointer);
}

TEST(WarpKernels, ArgumentsAreLaidOut) {
  const Module module = parse_ptx(text);
  const Function& kernel = find_kernel(module, "scale");
  const std::vector<KernelParameter> parameters = parameters_of(module, kernel, "");
  const KernelArguments arguments(kernel, parameters, 4096, {"-2", "0.5", "0x10", "0x0102030405060708"});
  ASSERT_EQ(arguments.memory().size(), 1u);
  EXPECT_EQ(arguments.memory().front().bytes, 4096u);
  const auto value = [&](std::size_t parameter, auto number) {
    std::memcpy(&number, arguments.bytes().data() + kernel.parameters[parameter].offset, sizeof number);
    return number;
  };
  EXPECT_EQ(value(0, std::uint64_t{}), arguments.memory().front().address);
  EXPECT_EQ(value(1, std::int32_t{}), -2);
  EXPECT_EQ(value(2, 0.0f), 0.5f);
  EXPECT_EQ(value(3, std::uint64_t{}), 16u);
  EXPECT_EQ(value(4, std::uint64_t{}), 0x0807060504030201u);
  const auto message = [&](const std::vector<std::string>& values) {
    try {
      const KernelArguments refused(kernel, parameters, 4096, values);
    } catch (const UsageError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message({}), "'parameter 2', parameter 2 of scale, needs a value: --arg VALUE of type 32 bits");
  EXPECT_NE(message({"4294967296", "1", "1", "0x0000000000000000"}).find("no value of 32 bits"), std::string::npos);
  EXPECT_NE(message({"1", "one", "1", "0x0000000000000000"}).find("'one'"), std::string::npos);
  EXPECT_NE(message({"1", "1", "1", "7"}).find("structure of 8 bytes"), std::string::npos);
  EXPECT_NE(message({"1", "1", "1", "0x0000000000000000", "9"}).find("superfluous"), std::string::npos);
}

TEST(WarpKernels, BuffersHaveFixedBytes) {
  std::vector<std::byte> bytes(3);
  fill_bytes(bytes, 1);
  EXPECT_EQ(bytes, (std::vector{std::byte{0x3c}, std::byte{0x5e}, std::byte{0x81}}));
}

}  // namespace
}  // namespace threadscape::warp
