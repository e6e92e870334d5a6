// What compilers and this program say about lines of a source.

#include "app/session/code_marks.h"

#include <gtest/gtest.h>

namespace threadscape::app {
namespace {

TEST(CodeMarks, AreReadFromAllCompilers) {
  const std::vector<CodeMark> marks = code_marks(
      "my.cu(8): error: identifier \"nothing\" is undefined\n"
      "    out(x, y) = nothing;\n"
      "                ^\n"
      "/tmp/a b/my.cu(9): warning #177-D: variable \"x\" was declared but never referenced\n"
      "my.cu:12:5: error: expected ';' before '}' token\n"
      "my.cu:13:5: note: in this context\n"
      "my.cu(8): note #3196-D: to match this \"{\"\n"
      "1 error detected in the compilation of \"my.cu\".\n",
      "my.cu");
  const std::vector<CodeMark> expected{{8, true, "identifier \"nothing\" is undefined"},
                                       {9, false, "variable \"x\" was declared but never referenced"},
                                       {12, true, "expected ';' before '}' token"}};
  EXPECT_EQ(marks, expected);
}

TEST(CodeMarks, AreReadFromMessagesOfThisProgram) {
  EXPECT_EQ(code_marks("cannot compile 'my.cu': my.cu:2: the head lacks 'makes'", "my.cu"),
            (std::vector<CodeMark>{{2, true, "the head lacks 'makes'"}}));
  EXPECT_EQ(code_marks("blur: my.cu:17, kernel blur, block 0, thread 0: a read of 1 byte", "my.cu"),
            (std::vector<CodeMark>{{17, true, "kernel blur, block 0, thread 0: a read of 1 byte"}}));
}

TEST(CodeMarks, OtherTextsHaveNone) {
  EXPECT_TRUE(code_marks("", "my.cu").empty());
  EXPECT_TRUE(
      code_marks("not my.cu: anything\nmy.cu\nmy.cu(\nmy.cu(8)\nmy.cu:0: zero\nmy.cu(-1): a\n", "my.cu").empty());
  EXPECT_TRUE(code_marks("tommy.cu(8): error: in another file", "my.cu").empty());
}

TEST(CodeMarks, AnErrorIsShownBeforeTheWarningsAboveIt) {
  const std::vector<CodeMark> marks{{9, false, "never referenced"}, {12, true, "expected ';'"}, {13, true, "later"}};
  EXPECT_EQ(first_to_mend(marks), &marks[1]);
  const std::vector<CodeMark> warnings{{9, false, "never referenced"}, {10, false, "no effect"}};
  EXPECT_EQ(first_to_mend(warnings), warnings.data());
  EXPECT_EQ(first_to_mend({}), nullptr);
}

}  // namespace
}  // namespace threadscape::app
