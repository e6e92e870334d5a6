// Moving pictures in the window: keys, the message of algorithms that ignore them, the tab with the times, and
// recording.

#include <gtest/gtest.h>

#include <algorithm>

#include "compute/io/video/frame_source.h"
#include "compute/io/video/test_scene.h"
#include "compute/io/video/video_writer.h"
#include "tests/support/app/tested_window.h"
#include "tests/support/test_paths.h"

namespace threadscape::app {
namespace {

class MovingWindowTest : public TestedWindowTest {
 protected:
  /// Opens a scene of 20 frames, or another moving picture, and stands still at its first frame.
  void open(const std::filesystem::path& name = "test:112x64@25:20") {
    tested_->choose("noise", {{"amount", "0"}});
    tested_->frame({name});
    tested_->frames_until([this] { return player().active() && player().kept() > 0; });
    player().pause();
    player().show_every_frame(true);
    tested_->frames_until([this] { return !player().awaits(); });
    // Frame 0 may be on the screen already, from where the jump leads to it once more.
    const std::int64_t shown = player().kept();
    player().seek(0);
    tested_->frames_until([&] { return player().kept() > shown; });
    await(0);
  }
  [[nodiscard]] FramePlayer& player() { return tested_->window_.moving().player(); }
  /// Draws until the result of this frame is on the screen.
  void await(std::int64_t index) {
    tested_->frames_until([&] { return player().index() == index && !player().awaits() && player().aim() == index; });
    EXPECT_EQ(io::read_frame_code(tested_->result().view()), index);
  }
};

TEST_P(MovingWindowTest, KeysPlayAndStep) {
  open();
  EXPECT_FALSE(player().playing());
  tested_->press(ImGuiKey_L);
  await(1);
  tested_->press(ImGuiKey_L);
  await(2);
  tested_->press(ImGuiKey_J);
  await(1);
  tested_->press(ImGuiKey_J, ImGuiMod_Shift);
  await(0);
  EXPECT_TRUE(player().loop());
  tested_->press(ImGuiKey_V, ImGuiMod_Shift);
  EXPECT_FALSE(player().loop());
  tested_->press(ImGuiKey_V);
  tested_->frames_until([this] { return !player().playing(); });
  await(19);
  tested_->press(ImGuiKey_V);
  EXPECT_TRUE(player().playing()) << "from the first frame again";
  tested_->frames_until([this] { return player().index() < 19; });
}

TEST_P(MovingWindowTest, AnAlgorithmThatTakesNoPicturesSaysThatItIgnoresThem) {
  open();
  EXPECT_EQ(tested_->window_.moving().why_ignored(), "");
  tested_->choose("sorting", {});
  EXPECT_NE(tested_->window_.moving().why_ignored().find("ignores the moving picture"), std::string::npos);
  tested_->choose("noise", {});
  EXPECT_EQ(tested_->window_.moving().why_ignored(), "");
  tested_->press(ImGuiKey_L);
  await(1);
}

TEST_P(MovingWindowTest, TheTabWithTheTimesIsThereWhileSomethingMoves) {
  const auto drawn = [] {
    const ImGuiWindow* window = ImGui::FindWindowByName("Video###video");
    return window != nullptr && window->WasActive;
  };
  tested_->settle();
  EXPECT_FALSE(drawn());
  open();
  tested_->window_.show_panel("video");
  tested_->frames_until(drawn);
  tested_->frame({folder_.path() / "photo.png"});
  tested_->frames_until([this] { return !tested_->window_.moving().active(); });
  for (int i = 0; i < 3; ++i)
    tested_->frame();
  EXPECT_FALSE(drawn());
}

TEST_P(MovingWindowTest, EachFrameThatIsShownIsRecorded) {
  const auto path = folder_.path() / "recorded.mkv";
  if (!io::video_writer_absent(path).empty()) GTEST_SKIP() << io::video_writer_absent(path);
  open();
  tested_->window_.record(path, false);
  for (std::int64_t i = 1; i <= 8; ++i) {
    player().step(1);
    await(i);
  }
  tested_->window_.stop_recording();
  tested_->frames_until([this] { return tested_->window_.recorder() == nullptr; });
  const auto source = io::open_frames(path);
  io::Frame frame;
  for (std::int64_t i = 1; i <= 8; ++i) {
    ASSERT_TRUE(source->next(frame)) << "frame " << i << " is missing";
    EXPECT_EQ(io::read_frame_code(std::as_const(frame.pixels).view()), i);
  }
  EXPECT_FALSE(source->next(frame));
  EXPECT_THROW(tested_->window_.record(folder_.path() / "missing" / "x.mkv", true), Error);
  EXPECT_EQ(tested_->window_.recorder(), nullptr);
  // The view has its own size.
  const auto view = folder_.path() / "view.mkv";
  tested_->window_.record(view, true);
  player().step(1);
  await(9);
  tested_->window_.stop_recording();
  tested_->frames_until([this] { return tested_->window_.recorder() == nullptr; });
  EXPECT_GT(io::open_frames(view)->info().width, 112);
}

TEST_P(MovingWindowTest, ARecordingFromTheFirstFrameHasTheSoundOfTheVideo) {
  const auto path = folder_.path() / "sound.mkv", later = folder_.path() / "later.mkv";
  if (!io::video_writer_absent(path).empty()) GTEST_SKIP() << io::video_writer_absent(path);
  open(std::filesystem::path(test_dir()) / "data" / "videos" / "h264.mp4");
  ASSERT_TRUE(player().info()->audio);
  tested_->window_.record(path, false);
  await(0);
  for (std::int64_t i = 1; i <= 5; ++i) {
    player().step(1);
    await(i);
  }
  tested_->window_.stop_recording();
  tested_->frames_until([this] { return tested_->window_.recorder() == nullptr; });
  const auto source = io::open_frames(path);
  EXPECT_TRUE(source->info().audio);
  io::Frame frame;
  for (std::int64_t i = 0; i <= 5; ++i) {
    ASSERT_TRUE(source->next(frame)) << "frame " << i << " is missing";
    EXPECT_EQ(io::read_frame_code(std::as_const(frame.pixels).view()), i);
  }
  EXPECT_FALSE(source->next(frame));
  // A recording that begins later would have the sound of other frames.
  tested_->window_.record(later, false);
  player().step(1);
  await(6);
  tested_->window_.stop_recording();
  tested_->frames_until([this] { return tested_->window_.recorder() == nullptr; });
  EXPECT_FALSE(io::open_frames(later)->info().audio);
  EXPECT_TRUE(std::ranges::any_of(tested_->workspace.log.entries(), [](const auto& entry) {
    return entry.text.find("the recording has no sound: the recording does not begin") != std::string::npos;
  }));
}

INSTANTIATE_TEST_SUITE_P(Everywhere, MovingWindowTest, ::testing::Values(Where::window, Where::headless),
                         name_of_place);

}  // namespace
}  // namespace threadscape::app
