// The style of documents and of exported lessons.

#include "app/document/html.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <map>
#include <string>

namespace threadscape::app {
namespace {

/// The values of the style's variables: those of light pages, or those that dark pages have in their place.
std::map<std::string, unsigned> colours(bool dark) {
  const std::string style = html_file("title", "summary", "words", "");
  const std::size_t other = style.find("@media (prefers-color-scheme: dark)");
  EXPECT_NE(other, std::string::npos);
  const std::string part = dark ? style.substr(other, style.find("}\n}", other) - other) : style.substr(0, other);
  std::map<std::string, unsigned> found;
  for (std::size_t at = part.find("--"); at != std::string::npos; at = part.find("--", at + 2)) {
    const std::size_t end = part.find(": #", at);
    if (end == std::string::npos) break;
    found[part.substr(at + 2, end - at - 2)] =
        static_cast<unsigned>(std::strtoul(part.substr(end + 3, 6).c_str(), nullptr, 16));
  }
  return found;
}

/// The relative luminance of the Web Content Accessibility Guidelines 2.2.
double luminance(unsigned colour) {
  const auto channel = [colour](int shift) {
    const double value = static_cast<double>((colour >> shift) & 255) / 255.0;
    return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * channel(16) + 0.7152 * channel(8) + 0.0722 * channel(0);
}

double contrast(unsigned a, unsigned b) {
  const double first = luminance(a) + 0.05, second = luminance(b) + 0.05;
  return first > second ? first / second : second / first;
}

TEST(Html, TextsHaveContrastInLightAndDark) {
  EXPECT_NEAR(contrast(0xffffff, 0x000000), 21.0, 1e-9);
  EXPECT_NEAR(contrast(0x777777, 0xffffff), 4.48, 0.01);
  for (const bool dark : {false, true}) {
    const std::map<std::string, unsigned> all = colours(dark);
    ASSERT_EQ(all.size(), 5u) << (dark ? "dark" : "light");
    for (const char* text : {"text", "link"})
      for (const char* back : {"back", "soft"})
        EXPECT_GE(contrast(all.at(text), all.at(back)), 4.5) << text << " on " << back << (dark ? ", dark" : ", light");
    EXPECT_EQ(luminance(all.at("back")) < 0.5, dark);
  }
}

}  // namespace
}  // namespace threadscape::app
