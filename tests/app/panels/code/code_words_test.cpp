// The parts of lines that an editor colours.

#include "app/panels/code/code_words.h"

#include <gtest/gtest.h>

#include <string>

namespace threadscape::app {
namespace {

/// The words of a line as letters, one for each character.
std::string letters(std::string_view line, bool& in_comment) {
  static constexpr std::string_view names = ".ktcnsm#";
  std::string text;
  for (const CodeSpan& span : code_spans(line, in_comment)) {
    EXPECT_EQ(span.begin, text.size()) << line;
    text.append(span.end - span.begin, names[static_cast<std::size_t>(span.word)]);
  }
  EXPECT_EQ(text.size(), line.size()) << line;
  return text;
}

std::string letters(std::string_view line) {
  bool in_comment = false;
  return letters(line, in_comment);
}

TEST(CodeWords, HaveTheirKinds) {
  EXPECT_EQ(letters("const int x = 1;"), "kkkkk.ttt.....n.");
  EXPECT_EQ(letters("__global__ void f() {}"), "cccccccccc.tttt.......");
  EXPECT_EQ(letters("x += 0x1Fu + .5f; // sum"), ".....nnnnn...nnn..mmmmmm");
  EXPECT_EQ(letters(R"(s = "a\"b" + 'c';)"), "....ssssss...sss.");
  EXPECT_EQ(letters("#include \"threadscape.h\"  // all"), "##########################mmmmmm");
  EXPECT_EQ(letters("int8_t interior"), "tttttt.........") << "words count as a whole";
}

TEST(CodeWords, CommentsGoOnInTheNextLine) {
  bool in_comment = false;
  EXPECT_EQ(letters("a /* b", in_comment), "..mmmm");
  EXPECT_TRUE(in_comment);
  EXPECT_EQ(letters("int // c", in_comment), "mmmmmmmm");
  EXPECT_EQ(letters("*/ int", in_comment), "mm.ttt");
  EXPECT_FALSE(in_comment);
  EXPECT_EQ(letters("/**/ /* x */ 1", in_comment), "mmmm.mmmmmmm.n");
}

TEST(CodeWords, BrokenLinesEndWithTheLine) {
  EXPECT_EQ(letters("\"open"), "sssss");
  EXPECT_EQ(letters("'\\"), "ss");
  EXPECT_EQ(letters(""), "");
  EXPECT_EQ(letters("\xff\x80"), "..");
}

}  // namespace
}  // namespace threadscape::app
