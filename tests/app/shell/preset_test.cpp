// Tests of presets in the window: the thumbnail that is stored beside one, and what the list shows of it.

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <fstream>

#include "app/shell/preset_thumbnails.h"
#include "tests/support/app/tested_window.h"

namespace threadscape::app {
namespace {

TEST(Thumbnail, ALargePictureIsAveraged) {
  HostArray picture(Shape::image(Element::u8, 1, 320, 480));
  const auto pixels = picture.image<std::uint8_t>();
  for (int y = 0; y < 480; ++y)
    for (int x = 0; x < 320; ++x)
      pixels(x, y) = static_cast<std::uint8_t>(x % 2 == 0 ? 100 : 200);
  const HostArray small = make_thumbnail(std::as_const(picture).view());
  EXPECT_EQ(small.shape().width, 80);
  EXPECT_EQ(small.shape().height, 120);
  EXPECT_EQ(small.shape().channels, 4);
  EXPECT_EQ(small.image<Rgba8>()(40, 60), (Rgba8{150, 150, 150, 255}));
}

TEST(Thumbnail, ASmallPictureKeepsItsSizeAndAThinOneAPixel) {
  const io::Loaded photo = threadscape::testing::test_photo();
  const HostArray small = make_thumbnail(photo.pixels.view());
  EXPECT_EQ(small.shape().width, photo.pixels.shape().width);
  EXPECT_EQ(small.image<Rgba8>()(7, 9).g, photo.pixels.image<Rgba8>()(7, 9).g);
  const HostArray thin(Shape::image(Element::u8, 1, 4000, 1));
  EXPECT_EQ(make_thumbnail(thin.view()).shape().height, 1);
}

TEST(Thumbnail, ItsFileIsBesideThePreset) {
  EXPECT_EQ(thumbnail_path("/a/soft.json"), "/a/soft.thumbnail.png");
}

class PresetTest : public TestedWindowTest {
 protected:
  void SetUp() override {
    TestedWindowTest::SetUp();
    if (!tested_) return;
    tested_->settle();
    tested_->window_.files().set_folder(folder_.path());
  }
  void press_in_parameters(const char* button) {
    ImGuiWindow* panel = ImGui::FindWindowByName("Parameters###parameters");
    ASSERT_NE(panel, nullptr);
    ImGui::FocusWindow(panel);
    tested_->frame();
    ImGui::ActivateItemByID(panel->GetID(button));
    for (int i = 0; i < 5; ++i)
      tested_->frame();
    ASSERT_TRUE(tested_->window_.files().is_open());
    ImGui::ClearActiveID();  // The field with the name would write its own text back.
  }
  void save(const std::string& name) {
    press_in_parameters("##save a preset");
    tested_->window_.files().choose(name);
    tested_->frame();
    ImGui::ClearActiveID();
    tested_->press_in_files("Save the preset", "Save");
    tested_->settle();
  }
};

TEST_P(PresetTest, SavingOneStoresASmallPictureOfTheResult) {
  save("sharp.json");
  ASSERT_TRUE(std::filesystem::exists(folder_.path() / "sharp.json"));
  const io::Loaded picture = io::load_picture(folder_.path() / "sharp.thumbnail.png");
  const HostArray result = tested_->result();
  ASSERT_EQ(picture.pixels.shape().width, result.shape().width);  // 96 x 64 is smaller than a thumbnail.
  EXPECT_EQ(picture.pixels.image<Rgba8>()(20, 30).r, result.image<Rgba8>()(20, 30).r);
}

TEST_P(PresetTest, WhatIsNoPictureIsShownAsInTheView) {
  tested_->choose("diamond_square", {{"n", "4"}});
  save("hills.json");
  const io::Loaded picture = io::load_picture(folder_.path() / "hills.thumbnail.png");
  EXPECT_LE(picture.pixels.shape().width, thumbnail_width);
  EXPECT_LE(picture.pixels.shape().height, thumbnail_height);
}

TEST_P(PresetTest, TheListShowsThumbnailsAndIgnoresWhatIsNone) {
  save("sharp.json");
  std::filesystem::copy(folder_.path() / "sharp.json", folder_.path() / "damaged.json");
  std::ofstream(folder_.path() / "damaged.thumbnail.png") << "no picture";
  std::filesystem::copy(folder_.path() / "sharp.json", folder_.path() / "large.json");
  const HostArray large(Shape::image(Element::u8, 1, 500, 500));
  io::save_picture(folder_.path() / "large.thumbnail.png", large.view(), io::FileColour::grey);
  press_in_parameters("##load a preset");
  tested_->frame();
  EXPECT_EQ(tested_->window_.files().names(), (std::vector<std::string>{"damaged.json", "large.json", "sharp.json"}));
  PresetThumbnails thumbnails;
  EXPECT_EQ(thumbnails.of(folder_.path() / "damaged.json"), nullptr);
  EXPECT_EQ(thumbnails.of(folder_.path() / "large.json"), nullptr);
  EXPECT_EQ(thumbnails.of(folder_.path() / "none.json"), nullptr);
  const gl::Texture* shown = thumbnails.of(folder_.path() / "sharp.json");
  ASSERT_NE(shown, nullptr);
  EXPECT_EQ(shown->width(), 96);
  EXPECT_EQ(thumbnails.of(folder_.path() / "sharp.json"), shown);
  // A newer picture is read again.
  io::save_picture(folder_.path() / "sharp.thumbnail.png", HostArray(Shape::image(Element::u8, 1, 8, 8)).view(),
                   io::FileColour::grey);
  std::filesystem::last_write_time(folder_.path() / "sharp.thumbnail.png",
                                   std::filesystem::file_time_type::clock::now() + std::chrono::seconds(5));
  ASSERT_NE(thumbnails.of(folder_.path() / "sharp.json"), nullptr);
  EXPECT_EQ(thumbnails.of(folder_.path() / "sharp.json")->width(), 8);
  tested_->window_.files().choose("sharp.json");
  tested_->frame();
  ImGui::ClearActiveID();
  tested_->press_in_files("Load a preset", "Open");
  EXPECT_FALSE(tested_->window_.files().is_open());
}

INSTANTIATE_TEST_SUITE_P(Presets, PresetTest, ::testing::Values(Where::window, Where::headless), name_of_place);

}  // namespace
}  // namespace threadscape::app
