// The part of Markdown that lessons use.

#include "app/lesson/markdown.h"

#include <gtest/gtest.h>

namespace threadscape::app {
namespace {

using Span = MarkdownSpan;
using Block = MarkdownBlock;

std::vector<Span> plain(const std::string& text) {
  return {{Span::Kind::plain, text, ""}};
}

TEST(Markdown, BlocksAreSeparated) {
  const auto blocks = parse_markdown(
      "# One\n\nA line\nand *another*.\n- item\n  goes on\n- next\n\n2. second\n\n```cuda\nif (a) *b;\n\n# no\n```\n"
      "| a | b |\n|---|---|\n| `c` | d |\nafter\n");
  ASSERT_EQ(blocks.size(), 8u);
  EXPECT_EQ(blocks[0].kind, Block::Kind::heading);
  EXPECT_EQ(blocks[0].level, 1);
  EXPECT_EQ(blocks[0].spans, plain("One"));
  EXPECT_EQ(blocks[1].spans, (std::vector<Span>{{Span::Kind::plain, "A line and ", ""},
                                                {Span::Kind::emphasis, "another", ""},
                                                {Span::Kind::plain, ".", ""}}));
  EXPECT_EQ(blocks[2].kind, Block::Kind::item);
  EXPECT_EQ(blocks[2].spans, plain("item goes on"));
  EXPECT_EQ(blocks[3].spans, plain("next"));
  EXPECT_EQ(blocks[4].kind, Block::Kind::numbered_item);
  EXPECT_EQ(blocks[5].kind, Block::Kind::source);
  EXPECT_EQ(blocks[5].source, "if (a) *b;\n\n# no\n");
  ASSERT_EQ(blocks[6].rows.size(), 2u) << "without the line below the head";
  EXPECT_EQ(blocks[6].rows[0][1], plain("b"));
  EXPECT_EQ(blocks[6].rows[1][0], (std::vector<Span>{{Span::Kind::code, "c", ""}}));
  EXPECT_EQ(blocks[7].spans, plain("after"));
}

TEST(Markdown, SpansAreMarked) {
  EXPECT_EQ(parse_spans("**a** `*b*` [c](d) ![e f](g.png)"),
            (std::vector<Span>{{Span::Kind::strong, "a", ""},
                               {Span::Kind::plain, " ", ""},
                               {Span::Kind::code, "*b*", ""},
                               {Span::Kind::plain, " ", ""},
                               {Span::Kind::link, "c", "d"},
                               {Span::Kind::plain, " ", ""},
                               {Span::Kind::picture, "e f", "g.png"}}));
  for (const char* text : {"4 * 7 blocks * 2", "a_b_c", "*", "**", "`", "[a", "[a](", "![", "a ` b", "* a*"})
    EXPECT_EQ(parse_spans(text), plain(text)) << text;
  EXPECT_TRUE(parse_spans("").empty());
}

}  // namespace
}  // namespace threadscape::app
