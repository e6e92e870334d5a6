// Overviews of large pictures, which the window shows while these are read.

#include <gtest/gtest.h>

#include "compute/io/pictures/image_file.h"
#include "tests/support/app/app_testing.h"
#include "tests/support/app/tested_window.h"

namespace threadscape::app {
namespace {

class OverviewTest : public TestedWindowTest {
 protected:
  static constexpr int width = 4352, height = 4096;

  /// Draws a frame without looking for what has finished. Returns the grey of the window at a place of the view, as
  /// shares of its width and height.
  [[nodiscard]] int shown(float x, float y) {
    tested_->window_.frame(tested_->platform_->poll(false), tested_->frame_);
    const auto& [low, high] = tested_->window_.picture();
    const HostArray pixels = tested_->frame_.colour().read();
    const int row = static_cast<int>(low.y + y * (high.y - low.y));
    return pixels.image<Rgba8>()(static_cast<int>(low.x + x * (high.x - low.x)), tested_->frame_.height() - 1 - row).g;
  }
};

TEST_P(OverviewTest, IsShownUntilThePictureIsThereAndIsNoResult) {
  if (!tested_) return;
  HostArray pixels(Shape::image(Element::u8, 1, width, height));
  const auto out = pixels.image<std::uint8_t>();
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      out(x, y) = static_cast<std::uint8_t>(x < width / 2 ? 40 : 200);
  io::save_picture(folder_.path() / "large.jpg", pixels.view(), io::FileColour::grey);
  tested_->settle();
  ASSERT_TRUE(tested_->window_.can_save());

  FileTasks& files = tested_->live_.files();
  files.open(tested_->workspace.file_to_open(folder_.path() / "large.jpg", {}));
  EXPECT_NE(files.activity().find("opening large.jpg"), std::string::npos);
  files.finish(tested_->workspace);
  ASSERT_NE(files.overview(), nullptr) << "it stays until the picture is displayed";
  EXPECT_FALSE(tested_->window_.can_save()) << "what is shown is no result";
  EXPECT_NEAR(shown(0.4f, 0.5f), 40, 3);
  EXPECT_NEAR(shown(0.6f, 0.5f), 200, 3);

  // The result of the photo before is not seen again.
  tested_->frames_until([&] { return files.overview() == nullptr; });
  const Work* const work = tested_->live_.shown();
  EXPECT_TRUE(work == nullptr || work->source_id == tested_->workspace.source()->id);
  tested_->settle();
  EXPECT_EQ(tested_->live_.output()->shape().width, width);
  EXPECT_TRUE(tested_->window_.can_save());
}

INSTANTIATE_TEST_SUITE_P(Platforms, OverviewTest, ::testing::Values(Where::headless), name_of_place);

}  // namespace
}  // namespace threadscape::app
