// Text that files put into messages, in the form in which terminals get it.

#include "compute/core/printable.h"

#include <gtest/gtest.h>

namespace threadscape {
namespace {

TEST(Printable, VisibleTextStays) {
  for (const char* text : {"", "photo.png", "a\tb\nc\n", "Größe 3×3 – 日本語 🙂", "\n\n"})
    EXPECT_EQ(printable(text), text);
}

TEST(Printable, WhatControlsTerminalsIsEscaped) {
  EXPECT_EQ(printable("a\x1b[2Jb"), "a\\x1b[2Jb");
  EXPECT_EQ(printable("a\rb\x7f"), "a\\x0db\\x7f");
  EXPECT_EQ(printable(std::string("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "\\u{9b}31m")
      << "C1 has sequences of its own";
  EXPECT_EQ(printable("gpj.\xe2\x80\xae"
                      "exe"),
            "gpj.\\u{202e}exe")
      << "text from right to left";
  EXPECT_EQ(printable("\xe2\x80\xa8"), "\\u{2028}");
}

TEST(Printable, BytesThatAreNoUtf8AreEscaped) {
  EXPECT_EQ(printable("\xff"), "\\xff");
  EXPECT_EQ(printable("\xc3"), "\\xc3") << "the character is cut off";
  EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf") << "a longer form than the character needs";
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "half of a pair of UTF-16";
  EXPECT_EQ(printable("\xf5\x80\x80\x80"), "\\xf5\\x80\\x80\\x80");
}

TEST(Printable, ALineEndsAtOneKilobyte) {
  EXPECT_EQ(printable(std::string(1024, 'a')), std::string(1024, 'a'));
  EXPECT_EQ(printable(std::string(5000, 'a') + "\nb"), std::string(1024, 'a') + "...\nb");
  EXPECT_EQ(printable(std::string(1023, 'a') + "ö"), std::string(1023, 'a') + "...") << "characters stay whole";
}

}  // namespace
}  // namespace threadscape
