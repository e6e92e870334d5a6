#include "compute/warp/ptx.h"

#include <gtest/gtest.h>

#include "compute/core/errors.h"
#include "tests/compute/warp/warp_testing.h"

namespace threadscape::warp {
namespace {

std::string message_of(const std::string& text) {
  try {
    static_cast<void>(parse_ptx(text));
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(Ptx, ReadsParametersRegistersAndLines) {
  const Module module = parse_ptx(R"(
.version 9.0
.target sm_90, debug
.address_size 64
.extern .shared .align 16 .b8 pool[];
.const .align 4 .f32 weights[2] = {0f3F800000, -2.5};
.visible .entry twice(
	.param .u8 twice_param_0,
	.param .align 8 .b8 twice_param_1[24],
	.param .u32 twice_param_2
)
.maxntid 32, 4, 1
{
	.reg .pred 	%p<2>;
	.reg .b32 	%r<5>;
	.loc	1 7 3
	ld.param.u32 	%r1, [twice_param_1+8];
	.loc	2 10 5, function_name $L__info_string0, inlined_at 1 7 9
$L__BB0_1:
	@!%p1 bra 	$L__BB0_1;
	ret;
}
	.file	1 "a.cu"
	.file	2 "b.h"
	.section	.debug_str
	{
$L__info_string0:
.b8 102,40,41,0

	}
)");
  EXPECT_EQ(module.version, "9.0");
  EXPECT_EQ(module.target, "sm_90");
  ASSERT_EQ(module.variables.size(), 2U);
  EXPECT_EQ(module.variables[0].bytes, 0U);
  EXPECT_EQ(module.variables[1].bytes, 8U);
  float second = 0;
  std::memcpy(&second, module.variables[1].initial.data() + 4, 4);
  EXPECT_EQ(second, -2.5F);

  const Function* const kernel = module.kernel("twice");
  ASSERT_NE(kernel, nullptr);
  EXPECT_EQ(kernel->max_threads, 128U);
  ASSERT_EQ(kernel->parameters.size(), 3U);
  EXPECT_EQ(kernel->parameters[1].offset, 8U);
  EXPECT_EQ(kernel->parameters[2].offset, 32U);
  EXPECT_EQ(kernel->parameter_bytes, 36U);
  EXPECT_EQ(kernel->registers.size(), 7U);
  ASSERT_EQ(kernel->instructions.size(), 3U);
  const Instruction& branch = kernel->instructions[1];
  EXPECT_TRUE(branch.guard_negated);
  EXPECT_EQ(kernel->labels[kernel->operands[branch.operands].index], 1U);
  const Location& place = module.locations[branch.location];
  EXPECT_EQ(module.files[static_cast<std::size_t>(place.file)], "b.h");
  EXPECT_EQ(place.line, 10);
  EXPECT_EQ(module.function_at(place), "f()");
  EXPECT_EQ(module.locations[static_cast<std::size_t>(place.inlined_at)].line, 7);
}

TEST(Ptx, CallsThatWereInlinedThemselvesLeadToTheOutermostOne) {
  const Module module = parse_ptx(R"(.version 9.0
.target sm_90
.address_size 64
.visible .entry nested()
{
	.loc	1 7 3
	.loc	2 34 5, function_name $L__info_string0, inlined_at 1 7 9
	.loc	2 40 5, function_name $L__info_string0, inlined_at 2 34 5
	ret;
	.loc	2 34 5, function_name $L__info_string0, inlined_at 1 9 9
	.loc	2 40 5, function_name $L__info_string0, inlined_at 2 34 5
	ret;
	.loc	2 50 5, function_name $L__info_string0, inlined_at 2 50 5
	.loc	2 50 5, function_name $L__info_string0, inlined_at 2 50 5
	ret;
}
	.file	1 "a.cu"
	.file	2 "b.h"
	.section	.debug_str
	{
$L__info_string0:
.b8 102,40,41,0
	}
)");
  const auto lines_of = [&](std::size_t instruction) {
    std::vector<int> lines;
    for (std::size_t at = module.functions[0].instructions[instruction].location; at != 0;
         at = static_cast<std::size_t>(module.locations[at].inlined_at))
      lines.push_back(module.locations[at].line);
    return lines;
  };
  EXPECT_EQ(lines_of(0), (std::vector<int>{40, 34, 7}));
  EXPECT_EQ(lines_of(1), (std::vector<int>{40, 34, 9}));
  EXPECT_EQ(lines_of(2), (std::vector<int>{50, 50, 50}));
}

TEST(Ptx, LabelsAndRegistersOfScopesHideOuterOnes) {
  const Module module = parse_ptx(
      kernel_text("{\n.reg .b32 t;\nAGAIN:\nmov.u32 t, 1;\nbra AGAIN;\n}\n{\n.reg .b32 t;\nAGAIN:\nbra AGAIN;\n}\n"));
  const Function& kernel = *module.kernel("k");
  ASSERT_EQ(kernel.labels.size(), 2U);
  EXPECT_EQ(kernel.labels[kernel.operands[kernel.instructions[4].operands].index], 3U);
  EXPECT_EQ(kernel.labels[kernel.operands[kernel.instructions[5].operands].index], 5U);
}

TEST(Ptx, ErrorsNameTheLine) {
  EXPECT_EQ(message_of(".version 9.0\n.target sm_90\n.nonsense 3\n"),
            "PTX line 3: the directive \".nonsense\" is not known");
  EXPECT_EQ(message_of(""), "PTX line 1: the text has no .version");
  EXPECT_NE(message_of(kernel_text("bra NOWHERE;")).find("the label NOWHERE is missing"), std::string::npos);
  EXPECT_NE(message_of(".version 9.0\n/* no end").find("PTX line 2: a comment has no end"), std::string::npos);
  EXPECT_NE(message_of(kernel_text("@%r1 ret;")).find("expected a predicate"), std::string::npos);
  EXPECT_NE(message_of(kernel_text("mov.u32 %r1, 0x1z;")).find("is no number"), std::string::npos);
}

TEST(Ptx, HostileTextsEndAtTheLimits) {
  std::string braces;
  for (int i = 0; i < 100; ++i)
    braces += "{\n";
  EXPECT_NE(message_of(kernel_text(braces)).find("64 deep"), std::string::npos);
  EXPECT_NE(message_of(kernel_text(".reg .b32 %x<2000000000>;")).find("a million registers"), std::string::npos);
  EXPECT_NE(message_of(kernel_text("add.u32 {{{{{{{{%r1}}}}}}}};")).find("nested too deep"), std::string::npos);
  EXPECT_NE(message_of(".version 9.0\n.global .b8 big[99999999999];\n").find("more than 1 GiB"), std::string::npos);
}

TEST(Ptx, UnknownInstructionsAreRead) {
  EXPECT_NO_THROW(static_cast<void>(parse_ptx(kernel_text("frobnicate.f32.extra %f1, [%rd1+4], {%f2, %f3}, 7;"))));
}

}  // namespace
}  // namespace threadscape::warp
