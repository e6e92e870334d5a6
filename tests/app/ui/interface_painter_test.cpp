// Frames of which only the changed parts are drawn: they have the pixels of frames that are drawn as a whole.

#include "app/ui/interface_painter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "app/ui/theme.h"
#include "compute/run/verify.h"
#include "render/capture.h"
#include "tests/support/app/tested_window.h"

namespace threadscape::app {
namespace {

class InterfacePainterTest : public TestedWindowTest {
 protected:
  void SetUp() override {
    TestedWindowTest::SetUp();
    if (!tested_) return;
    tested_->settle();
    tested_->after_frame = [this] { compare(); };
  }
  /// Draws ImGui's draw data as a whole, and compares the framebuffer of the window with it.
  void compare() {
    const gl::Framebuffer& shown = tested_->frame_;
    const gl::Framebuffer whole(shown.width(), shown.height());
    const ImVec4 canvas = canvas_colour();
    InterfacePainter(InterfacePainter::Draws::everything).paint(whole, {canvas.x, canvas.y, canvas.z, 1.0f});
    const HostArray expected = render::capture(whole), found = render::capture(shown);
    ++frames_;
    const auto mismatch = threadscape::compare(expected.view(), found.view(), Tolerance::exact());
    ASSERT_FALSE(mismatch) << "frame " << frames_ << ", pixels that were not drawn again: " << to_string(*mismatch);
  }
  void move_mouse(int x, int y) {
    ImGui::GetIO().AddMousePosEvent(static_cast<float>(x), static_cast<float>(y));
    tested_->frame();
    tested_->frame();
  }

  int frames_ = 0;  ///< Number of frames that were compared.
};

TEST_P(InterfacePainterTest, HoveringAndMenus) {
  for (int y = 5; y < 800; y += 45)
    for (const int x : {60, 180, 640, 1100})
      move_mouse(x, y);
  move_mouse(30, 12);
  ImGui::GetIO().AddMouseButtonEvent(0, true);
  tested_->frame();
  ImGui::GetIO().AddMouseButtonEvent(0, false);
  for (int y = 12; y < 300; y += 20)
    move_mouse(60, y);
  tested_->press(ImGuiKey_Escape);
  tested_->press(ImGuiKey_F1);
  tested_->frame();
  tested_->press(ImGuiKey_Escape);
  tested_->frame();
  EXPECT_GT(frames_, 150);
}

TEST_P(InterfacePainterTest, AlgorithmsInputsAndSizes) {
  for (const char* algorithm : {"median", "sorting", "diamond_square", "seam_carving", "convolution"}) {
    tested_->choose(algorithm, {});
    tested_->settle();
  }
  tested_->press(ImGuiKey_O, ImGuiMod_Ctrl);
  for (int i = 0; i < 4; ++i)
    tested_->frame();
  tested_->press(ImGuiKey_Escape);
  tested_->frame({"/no/such/picture.png"});
  for (int i = 0; i < 4; ++i)
    tested_->frame();
  tested_->choose("noise", {{"amount", "0"}});
  tested_->frame({"test:112x64@25:20"});
  FramePlayer& player = tested_->window_.moving().player();
  tested_->frames_until([&] { return player.active() && player.index() > 12; });
  if (GetParam() == Where::headless) {
    for (const int width : {900, 1280}) {
      tested_->platform_->resize(width, 700);
      for (int i = 0; i < 8; ++i)
        tested_->frame();
    }
  }
  EXPECT_GT(frames_, 60);
}

INSTANTIATE_TEST_SUITE_P(Places, InterfacePainterTest, ::testing::Values(Where::window, Where::headless),
                         name_of_place);

/// Two draw lists, whose rectangles a test changes.
class ChangedTilesTest : public ::testing::Test {
 protected:
  static constexpr int width = 320, height = 200;

  struct Box {
    ImVec2 low, high;
    ImU32 colour;
  };
  /// The rectangles that differ from the last call.
  std::vector<WindowRect> update(const std::vector<Box>& boxes, const WindowRect& drawn_anew = {}) {
    ImDrawListSharedData shared;
    ImDrawList list(&shared);
    list._ResetForNewFrame();
    list.PushTexture(glyphs_.GetTexRef());
    list.PushClipRect({0, 0}, {width, height});
    for (const Box& box : boxes) {
      list.PrimReserve(6, 4);
      list.PrimRect(box.low, box.high, box.colour);
    }
    ImDrawData data;
    data.AddDrawList(&list);
    return tiles_.update(data, width, height, drawn_anew);
  }

  static constexpr Box first{{10, 10}, {20, 20}, 0xff0000ff}, second{{15, 15}, {30, 30}, 0xff00ff00};
  ImTextureData glyphs_;
  ChangedTiles tiles_;
};

TEST_F(ChangedTilesTest, TheFirstFrameDiffersEverywhere) {
  EXPECT_EQ(update({first}), (std::vector<WindowRect>{{0, 0, width, height}}));
  EXPECT_TRUE(update({first}).empty());
}

TEST_F(ChangedTilesTest, ColourPlaceOrderAndRemovalAreSeen) {
  const std::vector<WindowRect> corner{{0, 0, 32, 32}};
  (void)update({first, second});
  EXPECT_TRUE(update({first, second}).empty());
  EXPECT_EQ(update({second, first}), corner) << "the order decides which is on top";
  Box other = first;
  other.colour = 0xff0000fe;
  EXPECT_EQ(update({second, other}), corner);
  other.high.x += 0.25f;
  EXPECT_EQ(update({second, other}), corner);
  EXPECT_EQ(update({second}), corner);
  EXPECT_EQ(update({}), corner);
  EXPECT_TRUE(update({}).empty());
}

TEST_F(ChangedTilesTest, ARectangleThatMovesChangesBothPlaces) {
  const auto at = [](float x, float y) { return Box{{x, y}, {x + 10, y + 10}, 0xffffffff}; };
  (void)update({at(2, 2)});
  std::vector<WindowRect> rects = update({at(300, 180)});
  const auto covers = [&](int x, int y) {
    return std::ranges::any_of(rects, [&](const WindowRect& rect) {
      return x >= rect.left && x < rect.right && y >= rect.top && y < rect.bottom;
    });
  };
  EXPECT_TRUE(covers(2, 2));
  EXPECT_TRUE(covers(309, 189));
  for (const WindowRect& rect : rects)
    EXPECT_EQ(intersection(rect, {0, 0, width, height}), rect) << "no rectangle leaves the window";
}

TEST_F(ChangedTilesTest, TilesThatAreDrawnAnewAreLeftOutUntilTheirPlaceChanges) {
  const WindowRect place{0, 0, 64, 64};
  (void)update({first}, place);
  EXPECT_TRUE(update({second}, place).empty());
  EXPECT_TRUE(update({second}, place).empty());
  const std::vector<WindowRect> rects = update({second}, {});
  ASSERT_EQ(rects.size(), 1u);
  EXPECT_EQ(rects[0], place) << "what the picture has hidden must be drawn";
}

TEST_F(ChangedTilesTest, PlacesOutsideOfTheWindowAndNumbersThatAreNoneDoNoHarm) {
  const Box outside{{-500, -500}, {-400, -400}, 0xffffffff}, huge{{-1e30f, -1e30f}, {1e30f, 1e30f}, 0xffffffff};
  const Box none{{NAN, 5}, {NAN, NAN}, 0xffffffff};
  (void)update({});
  EXPECT_TRUE(update({outside}).empty());
  EXPECT_EQ(update({huge}), (std::vector<WindowRect>{{0, 0, width, height}}));
  (void)update({none});
}

}  // namespace
}  // namespace threadscape::app
