// Overviews of large pictures, which the window shows while these are read.

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <fstream>

#include "app/ui/theme.h"
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

TEST_P(OverviewTest, TheFirstFileIsNamedWhileItIsReadInsteadOfAskingForOne) {
  if (!tested_) return;
  tested_.reset();
  tested_ = std::make_unique<TestedWindow>(make_headless(1280, 800));  // One in which no photo is open.
  const auto warnings = [&] {  // Pixels of the line at the left of what is refused.
    const ImVec4 colour = warning_colour();
    const auto& [low, high] = tested_->window_.picture();
    const HostArray pixels = tested_->frame_.colour().read();
    int count = 0;
    for (int y = static_cast<int>(low.y); y < static_cast<int>(high.y); ++y)
      for (int x = static_cast<int>(low.x); x < static_cast<int>(high.x); ++x) {
        const Rgba8 at = pixels.image<Rgba8>()(x, tested_->frame_.height() - 1 - y);
        count += std::abs(at.r - 255 * colour.x) < 2 && std::abs(at.g - 255 * colour.y) < 2;
      }
    return count;
  };
  for (int i = 0; i < 5; ++i)
    tested_->frame();
  ASSERT_EQ(tested_->workspace.source(), nullptr);
  EXPECT_GT(warnings(), 0) << "without a picture the view asks for one";

  const std::filesystem::path pipe = folder_.path() / "slow.pgm";  // It is read as long as nobody has written it.
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  FileTasks& files = tested_->live_.files();
  files.open(tested_->workspace.file_to_open(pipe, {}));
  for (int i = 0; i < 5; ++i)
    tested_->frame();
  ASSERT_TRUE(files.opening());
  EXPECT_EQ(warnings(), 0);
  std::ofstream(pipe, std::ios::binary) << "P5 2 1 255\n" << char(40) << char(200);
  tested_->settle();
  EXPECT_NE(tested_->workspace.source(), nullptr);
}

INSTANTIATE_TEST_SUITE_P(Platforms, OverviewTest, ::testing::Values(Where::headless), name_of_place);

}  // namespace
}  // namespace threadscape::app
