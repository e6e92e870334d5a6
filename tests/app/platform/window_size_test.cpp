// The size of a new window on a screen with less room.

#include <gtest/gtest.h>

#include "app/platform/platform.h"
#include "tests/support/app/app_testing.h"

namespace threadscape::app {
namespace {

TEST(WindowSize, AWindowThatIsLargerThanTheScreenIsMadeSmaller) {
  if (const std::string trouble = threadscape::testing::require_display(); !trouble.empty()) GTEST_SKIP() << trouble;
  // No screen of a test has 20,000 points.
  const WindowState large{.width = 20000, .height = 20000};
  const WindowState fitted = make_window({.state = large, .visible = false, .fits_screen = true})->window_state();
  EXPECT_LT(fitted.width, large.width);
  EXPECT_LT(fitted.height, large.height);
  EXPECT_GE(fitted.width, 320);
  const WindowState small{.width = 400, .height = 300};
  const WindowState kept = make_window({.state = small, .visible = false, .fits_screen = true})->window_state();
  EXPECT_EQ(kept.width, 400);
  EXPECT_EQ(kept.height, 300);
}

}  // namespace
}  // namespace threadscape::app
