// What a source of a learner may not change or read.

#include "app/lesson/submitted_source.h"

#include <gtest/gtest.h>

namespace threadscape::app {
namespace {

TEST(SubmittedSource, OutsideOfGapsNothingChanges) {
  const std::string start = "a\n// gap: x\nb\n// end of gap\nc\n  // gap: y\n  // end of gap\nd\n";
  EXPECT_EQ(changed_outside_gaps(start, start), "");
  EXPECT_EQ(changed_outside_gaps(
                start, "a  \r\n// gap: x\nnew\nlines\n// end of gap\nc\n  // gap: y\nz\n  // end of gap\nd\n\n"),
            "");
  const auto changed = [&](const std::string& text) { return changed_outside_gaps(start, text); };
  EXPECT_NE(changed("A\n// gap: x\nb\n// end of gap\nc\n  // gap: y\n  // end of gap\nd\n").find("line 1 differs"),
            std::string::npos);
  EXPECT_NE(changed("a\n// gap: x\nb\n// end of gap\nc\n  // gap: y\n  // end of gap\nd\ne\n").find("line 9 was added"),
            std::string::npos);
  EXPECT_NE(changed("a\n// gap: x\nb\n").find("is missing"), std::string::npos);
  EXPECT_NE(changed("a\n// gap: x\nb\n// end of gap\nc\nd\n").find("line 6 differs"), std::string::npos);
  EXPECT_NE(changed("").find("is missing"), std::string::npos);
  EXPECT_EQ(changed_outside_gaps("a\nb\n", "something else"), "") << "a start without gaps is free";
}

TEST(SubmittedSource, GapsChangeNothingBehindThem) {
  const auto filled = [](const std::string& lines) {
    return changed_outside_gaps("a\n// gap: x\n// end of gap\nb\n", "a\n// gap: x\n" + lines + "\n// end of gap\nb\n");
  };
  for (const char* lines : {"#pragma unroll 4", "  # pragma omp simd", "x = y # z;", "// #define b c"})
    EXPECT_EQ(filled(lines), "") << lines;
  for (const char* lines : {"#define b c", "c;\n  # undef b", "%:define b c", "/* */ #define b c", "#if 0",
                            "#\\\ndefine b c", "/*\n*/#define b c", "#"})
    EXPECT_NE(filled(lines).find("gaps may have #pragma alone"), std::string::npos) << lines;
}

TEST(SubmittedSource, IncludesOfOtherFilesAreFound) {
  for (const char* text : {"#include \"threadscape.h\"\n", "  #  include <cstdint>\n", "#include <sys/types.h>",
                           "#define A 1\n#if A\n#endif", "#\n", "// #include \"a\"", "int a; /* a */ int b;",
                           "#pragma unroll 4\n", "a # b"})
    EXPECT_EQ(foreign_include(text), "") << text;
  for (const char* text :
       {"#include \"solution.cu\"", "#include </etc/passwd>", "#include <../a>", "%:include \"a\"",
        "#/**/include \"a\"", "/* */ # /* */ include \"a\"", "#inc\\\nlude \"a\"", "#inc\\ \r\nlude \"a\"",
        "#import \"a\"", "#include_next <a>", "#embed \"a\"", "#define A \"a\"\n#include A", "/*\n*/#include \"a\"",
        "const char* a = R\"x(\" /* )x\";\n#include \"a\"\n// */", "#/*\n*/include \"a\"", "*/#include \"a\""})
    EXPECT_NE(foreign_include(text), "") << text;
}

TEST(SubmittedSource, TheHeadStatesTheTask) {
  const auto head = [](const std::string& rest) {
    return sketch::parse_head("// sketch: a\n" + rest + "\n\n__global__ void k() {}\n", "a.cu");
  };
  const std::string given =
      "// reads: picture gray u8    makes: picture gray u8\n// param: r = 1 (1..8)\n// need: width > 1  \"wide\"\n";
  const sketch::Head start = head(given);
  EXPECT_EQ(changed_task(start, head(given + "// block: 8x8\n// check: sobel\n// temp: t = picture gray u8\n")), "");
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = given;
    return changed_task(start, head(text.replace(text.find(from), from.size(), to)));
  };
  EXPECT_NE(with("picture gray u8  ", "picture gray f32  "), "");
  EXPECT_NE(with("makes: picture gray u8", "makes: picture gray f32"), "");
  EXPECT_NE(with("(1..8)", "(1..9)"), "");
  EXPECT_NE(with("r = 1", "r = 2"), "");
  EXPECT_NE(with("width > 1", "width == 33"), "");
  EXPECT_NE(changed_task(start, sketch::parse_head("// sketch: b\n" + given + "\n__global__ void k() {}\n", "b.cu")),
            "");
}

}  // namespace
}  // namespace threadscape::app
