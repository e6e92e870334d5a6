// Instructions by the lines of a sketch.

#include "app/session/line_code.h"

#include <gtest/gtest.h>

#include "compute/warp/ptx.h"

namespace threadscape::app {
namespace {

TEST(LineCode, MachineInstructionsBelongToTheLinesThatNvdisasmNames) {
  const InstructionsOfLines found = sass_of_lines(R"(
	.section	.text.blur,"ax",@progbits
blur:
	//## File "/a/my.cu", line 3
        /*0000*/                   LDC R1, c[0x0][0x28] ;
	//## File "/b/threadscape.h", line 25 inlined at "/b/threadscape.h", line 34
	//## File "/b/threadscape.h", line 34 inlined at "/a/my.cu", line 8
	//## File "/a/my.cu", line 8
        /*0010*/               @P0 EXIT ;
.L_x_1:
        /*0020*/                   BRA `(.L_x_1) ;
	//## File "/a/other.cu", line 3
        /*0030*/                   NOP ;
	//## File "/a/my.cu", line 3
	.section	.nv.info
        /*0040*/                   NOP ;
)",
                                                  "/a/my.cu");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found.at(3), (std::vector<std::string>{"LDC R1, c[0x0][0x28]"}));
  EXPECT_EQ(found.at(8), (std::vector<std::string>{"@P0 EXIT", "BRA `(.L_x_1)"}));
  EXPECT_TRUE(sass_of_lines("//## File \"/a/my.cu\", line x\n/*0*/ NOP\n/*", "/a/my.cu").empty());
}

TEST(LineCode, PtxBelongsToTheLinesThatCallWhatIsInlined) {
  const std::string text = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry k()
{
  .reg .b32 %r<4>;
  .loc 1 3 1
  mov.u32 %r1, %tid.x;
  .loc 2 25 5, function_name $L__info_string0, inlined_at 1 8 3
  add.s32 %r2, %r1, 1;
  .loc 1 9 1
  ret;
}
.file 1 "/a/my.cu"
.file 2 "/b/threadscape.h"
.section .debug_str
{
$L__info_string0:
  .b8 97
  .b8 0
}
)";
  const InstructionsOfLines found = ptx_of_lines(warp::parse_ptx(text), text, "/a/my.cu");
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found.at(3), (std::vector<std::string>{"mov.u32 %r1, %tid.x"}));
  EXPECT_EQ(found.at(8), (std::vector<std::string>{"add.s32 %r2, %r1, 1"}));
  EXPECT_EQ(found.at(9), (std::vector<std::string>{"ret"}));
}

}  // namespace
}  // namespace threadscape::app
