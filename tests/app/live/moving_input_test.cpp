// Moving pictures as the input of the workspace and the live view: every frame is computed once and in order, on
// whichever backend is chosen meanwhile, and neither the history nor the times of the runs notice that the input
// changes.

#include "app/live/moving_input.h"

#include <gtest/gtest.h>

#include <set>

#include "app/platform/platform.h"
#include "app/session/moving_file.h"
#include "compute/core/clip_window.h"
#include "compute/gpu/device.h"
#include "compute/io/video/test_scene.h"
#include "compute/registry/registry.h"
#include "compute/run/runner.h"
#include "compute/run/verify.h"
#include "tests/support/app/app_testing.h"
#include "tests/support/compute/host_arrays.h"

namespace threadscape::app {
namespace {

/// Returns whether two results have the same shape and bits.
bool same(const HostArray& a, const HostArray& b) {
  return a.shape() == b.shape() && !compare(a.view(), b.view(), Tolerance::exact());
}

class MovingInputTest : public ::testing::Test {
 protected:
  void SetUp() override {
    gpu::Device& device = gpu::devices().first();
    platform_ = threadscape::testing::headless_or_skip(64, 64, device.available() ? device.info().ordinal : -1);
    if (!platform_) return;
    live_ = std::make_unique<LiveView>(interop::probe_route(platform_->context(), gpu::devices().first()), [] {});
    workspace_.choose_algorithm(find_algorithm("median"));
    moving_.player().show_every_frame(true);
  }
  void open(const std::filesystem::path& name) {
    const FileToOpen file = workspace_.file_to_open(name);
    workspace_.take_opened(file, file.read());
  }
  /// One turn of the frame loop, with a picture that is drawn in no time.
  void turn() {
    live_->finish(workspace_);
    moving_.drawn(workspace_, *live_, now_);
    now_ += std::chrono::milliseconds(20);
    moving_.update(workspace_, *live_, now_);
  }
  /// Turns until another frame is the input, and then until its result is displayed. Returns its number.
  std::int64_t next_frame() {
    const std::uint64_t before = workspace_.picture()->id;
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (workspace_.picture()->id == before) {
      turn();
      if (std::chrono::steady_clock::now() > limit) {
        ADD_FAILURE() << "no frame came";
        return -1;
      }
    }
    live_->finish(workspace_);
    moving_.drawn(workspace_, *live_, now_);
    return moving_.player().index();
  }
  /// The result of an algorithm with its defaults by the serial backend.
  [[nodiscard]] static HostArray on_serial(std::string_view name, const HostArray& input) {
    const AlgorithmInfo& algorithm = find_algorithm(name);
    return Runner()
        .run({.algorithm = &algorithm, .params = algorithm.defaults(), .backend = Backend::serial}, input.view())
        .output;
  }
  [[nodiscard]] HostArray expected() const { return on_serial("median", workspace_.picture()->picture.pixels); }

  Workspace workspace_;
  std::unique_ptr<Platform> platform_;
  std::unique_ptr<LiveView> live_;
  FramePlayer::Clock::time_point now_ = FramePlayer::Clock::now();
  MovingInput moving_{workspace_.log, [] {}};
};

TEST_F(MovingInputTest, EveryFrameIsComputedOnceAndInOrderWhileBackendsAreSwitched) {
  open("test:112x64@50:20");
  ASSERT_TRUE(workspace_.picture());
  for (std::int64_t i = 0; i < 20; ++i) {
    ASSERT_EQ(next_frame(), i);
    EXPECT_EQ(io::read_frame_code(workspace_.picture()->picture.pixels.view()), i);
    ASSERT_NE(live_->output(), nullptr);
    EXPECT_TRUE(same(live_->output()->read(), expected()));
    EXPECT_EQ(moving_.player().kept(), i + 1);
    workspace_.choose_backend(i % 3 == 0 ? Backend::serial : Backend::openmp);
  }
  EXPECT_EQ(moving_.player().dropped(), 0);
}

TEST_F(MovingInputTest, FramesUseTheMemoryOfTheInputAgainAndKeepTheTimes) {
  open("test:112x64@50:50");
  std::set<const void*> memory;
  (void)next_frame();
  const gl::Resource* const input = live_->input();
  ASSERT_NE(input, nullptr);
  const unsigned texture = input->texture()->id();
  for (int i = 1; i < 50; ++i) {
    (void)next_frame();
    memory.insert(workspace_.picture()->picture.pixels.data());
    ASSERT_EQ(live_->input()->texture()->id(), texture);
  }
  EXPECT_LE(memory.size(), 2 * FrameDecoder::ring_frames);
  EXPECT_GE(workspace_.timings.statistics(workspace_.work().backend).size(), 49u)
      << "frames are work of one kind, whose times are compared";
}

TEST_F(MovingInputTest, TheHistoryKnowsTheVideoAndNotItsFrames) {
  open("test:112x64@50:50");
  workspace_.history.observe(workspace_.setting(), false);
  const Setting first = workspace_.setting();
  for (int i = 0; i < 5; ++i) {
    (void)next_frame();
    ASSERT_EQ(workspace_.setting().inputs.size(), 1u);
    EXPECT_EQ(workspace_.setting().inputs.front().id, first.inputs.front().id);
    EXPECT_EQ(workspace_.setting().inputs.front().data, first.inputs.front().data);
  }
  workspace_.choose_algorithm(find_algorithm("sobel"));
  workspace_.history.observe(workspace_.setting(), false);
  ASSERT_EQ(next_frame(), 5);
  EXPECT_TRUE(workspace_.undo().empty());
  EXPECT_EQ(workspace_.algorithm().name, "median");
  EXPECT_EQ(io::read_frame_code(workspace_.picture()->picture.pixels.view()), 5) << "the frame stays";
  EXPECT_EQ(next_frame(), 6);
}

TEST_F(MovingInputTest, AlgorithmsWithoutPicturesIgnoreItAndSayWhy) {
  open("test:112x64@50:50");
  EXPECT_EQ(next_frame(), 0);
  for (const char* name : {"slope", "projection", "sorting", "diamond_square"}) {
    SCOPED_TRACE(name);
    workspace_.choose_algorithm(find_algorithm(name));
    const std::uint64_t id = workspace_.picture()->id;
    for (int i = 0; i < 5; ++i) {
      moving_.update(workspace_, *live_, now_);
      now_ += std::chrono::seconds(1);
    }
    EXPECT_EQ(workspace_.picture()->id, id);
    EXPECT_NE(moving_.why_ignored().find("ignores the moving picture"), std::string::npos) << moving_.why_ignored();
  }
  // It goes on where it was.
  workspace_.choose_algorithm(find_algorithm("sobel"));
  EXPECT_EQ(next_frame(), 1);
  EXPECT_EQ(moving_.why_ignored(), "");
}

TEST_F(MovingInputTest, AListOfStepsWorksOnEveryFrame) {
  open("test:112x64@50:8");
  workspace_.add_step(find_algorithm("sobel"));
  for (std::int64_t i = 0; i < 8; ++i) {
    ASSERT_EQ(next_frame(), i);
    const HostArray between = on_serial("median", workspace_.picture()->picture.pixels);
    EXPECT_TRUE(same(live_->output()->read(), on_serial("sobel", between)));
  }
}

TEST_F(MovingInputTest, AlgorithmsInTimeWorkOnTheNewestFrames) {
  workspace_.choose_algorithm(find_algorithm("temporal_median"));
  workspace_.set_parameter("frames", "5");
  open("test:112x64@50:12");
  const AlgorithmInfo& algorithm = workspace_.algorithm();
  ClipWindow newest(5);
  const auto expect_result_of = [&](HostIn clip) {
    const Backend backend = workspace_.work().backend;
    const RunRequest request{.algorithm = &algorithm, .params = workspace_.work().params, .backend = Backend::serial};
    ASSERT_NE(live_->output(), nullptr);
    EXPECT_TRUE(same(live_->output()->read(), Runner().run(request, clip).output)) << name_of(backend);
  };
  const auto shown_frame = [&] { return workspace_.picture()->picture.pixels.view(); };
  for (std::int64_t i = 0; i < 7; ++i) {
    ASSERT_EQ(next_frame(), i);
    EXPECT_EQ(moving_.why_ignored(), "");
    expect_result_of(newest.push(shown_frame()));
    workspace_.choose_backend(i % 2 == 0 ? Backend::serial : Backend::openmp);
  }
  EXPECT_GE(workspace_.timings.statistics(Backend::openmp).size(), 2u) << "the clips are work of one kind";
  // Another number of frames uses those that are there.
  workspace_.set_parameter("frames", "3");
  live_->finish(workspace_);
  newest.resize(3);
  const HostArray lent = newest.lend();
  expect_result_of(lent.view());
  workspace_.set_parameter("frames", "7");
  newest.resize(7);
  ASSERT_EQ(next_frame(), 7);
  expect_result_of(newest.push(shown_frame()));
  // After a jump, nothing of what was shown before is used.
  moving_.player().seek(3);
  ASSERT_EQ(next_frame(), 3);
  ClipWindow fresh(7);
  expect_result_of(fresh.push(shown_frame()));
}

TEST_F(MovingInputTest, OnAGpuTheNewestFrameIsAllThatAlgorithmsInTimeUpload) {
  if (live_->route().cuda_route != interop::Route::interop) GTEST_SKIP() << "CUDA does not share memory with OpenGL";
  workspace_.choose_algorithm(find_algorithm("temporal_median"));
  workspace_.set_parameter("frames", "5");
  workspace_.choose_backend(Backend::cuda);
  open("test:112x64@50:40");
  ClipWindow newest(5);
  int by_device = 0;
  for (std::int64_t i = 0; i < 30; ++i) {
    ASSERT_EQ(next_frame(), i);
    const HostIn clip = newest.push(workspace_.picture()->picture.pixels.view());
    const RunRequest request{
        .algorithm = &workspace_.algorithm(), .params = workspace_.work().params, .backend = Backend::serial};
    ASSERT_NE(live_->output(), nullptr);
    EXPECT_TRUE(same(live_->output()->read(), Runner().run(request, clip).output)) << i;
    ASSERT_NE(live_->input(), nullptr);
    const HostArray displayed = live_->input()->read();
    EXPECT_TRUE(testing::same_pixels(displayed.view(), clip)) << "the displayed clip of frame " << i;
    if (live_->source()->on_device) ++by_device;
  }
  // The frames that were decoded before the ring was told to upload are a ring and the first frame; a clip of five
  // frames is on the device when the last of them has left it.
  EXPECT_GE(by_device, 30 - 1 - static_cast<int>(FrameDecoder::ring_frames) - 5);
}

TEST_F(MovingInputTest, AlgorithmsInTimeAndPicturesShareAPlayback) {
  open("test:112x64@50:12");
  ASSERT_EQ(next_frame(), 0);
  ASSERT_EQ(next_frame(), 1);
  moving_.player().pause();
  workspace_.choose_algorithm(find_algorithm("temporal_mean"));
  live_->finish(workspace_);
  ASSERT_NE(live_->output(), nullptr);
  EXPECT_TRUE(same(live_->output()->read(), workspace_.picture()->picture.pixels)) << "the mean of the shown frame";
  // The setting, and thus the history and the session, know the video alone.
  ASSERT_EQ(workspace_.setting().inputs.size(), 1u);
  EXPECT_EQ(workspace_.setting().inputs.front().kind, Kind::image);
  moving_.player().play(now_);
  ASSERT_EQ(next_frame(), 2);
  // What is opened later counts, and the video goes on when it is opened again.
  workspace_.set_source("clip.npy", {HostArray(clip_shape(Shape::image(Element::u8, 1, 9, 7), 4))});
  turn();
  EXPECT_EQ(workspace_.input_shape().width, 9);
  EXPECT_NE(moving_.why_ignored().find("open the moving picture again"), std::string::npos) << moving_.why_ignored();
  open("test:112x64@50:12");
  ASSERT_EQ(next_frame(), 0);
  EXPECT_EQ(moving_.why_ignored(), "");
  EXPECT_EQ(workspace_.input_shape().width, 112);
  // A photo ends it, and so does closing it. The clip of before is there again.
  workspace_.set_source("photo.png", threadscape::testing::test_photo());
  turn();
  EXPECT_FALSE(moving_.active());
  EXPECT_EQ(workspace_.input_shape().width, 9);
  open("test:112x64@50:12");
  ASSERT_EQ(next_frame(), 0);
  ASSERT_TRUE(workspace_.can_close());
  workspace_.close();
  turn();
  EXPECT_FALSE(moving_.active());
  EXPECT_EQ(workspace_.input_shape().width, 9);
  // Without any clip, the algorithm makes its own.
  workspace_.close();
  EXPECT_FALSE(workspace_.can_close());
  EXPECT_EQ(workspace_.input_shape(), workspace_.algorithm().own_input->shape(workspace_.work().params));
}

TEST_F(MovingInputTest, AListThatBeginsInTimeWorksOnEveryFrame) {
  workspace_.choose_algorithm(find_algorithm("frame_difference"));
  open("test:112x64@50:6");
  workspace_.add_step(find_algorithm("sobel"));
  ClipWindow newest(2);
  for (std::int64_t i = 0; i < 6; ++i) {
    ASSERT_EQ(next_frame(), i);
    const AlgorithmInfo& first = find_algorithm("frame_difference");
    const HostIn clip = newest.push(workspace_.picture()->picture.pixels.view());
    const HostArray between =
        Runner().run({.algorithm = &first, .params = first.defaults(), .backend = Backend::serial}, clip).output;
    EXPECT_TRUE(same(live_->output()->read(), on_serial("sobel", between)));
  }
}

TEST_F(MovingInputTest, APhotoEndsThePlayback) {
  open("test:112x64@50:50");
  EXPECT_EQ(next_frame(), 0);
  workspace_.set_source("photo.png", threadscape::testing::test_photo());
  turn();
  EXPECT_FALSE(moving_.active());
  EXPECT_EQ(workspace_.picture()->title(), "photo.png");
  open("test:56x64@50:5");
  EXPECT_EQ(next_frame(), 0);
  EXPECT_EQ(workspace_.picture()->picture.pixels.shape().width, 56);
}

TEST_F(MovingInputTest, WhatFailsOrIsCancelledStandsStill) {
  open("test:112x64@50:50");
  EXPECT_EQ(next_frame(), 0);
  EXPECT_TRUE(moving_.player().playing());
  workspace_.choose_algorithm(find_algorithm("seam_carving"));
  workspace_.set_parameter("protect", "/gone.png");
  for (int i = 0; i < 5; ++i)
    turn();
  const std::int64_t before = moving_.player().index();
  EXPECT_LE(before, 1) << "at most the frame that was on its way";
  workspace_.choose_algorithm(find_algorithm("median"));
  live_->finish(workspace_);
  moving_.drawn(workspace_, *live_, now_);
  moving_.player().play(now_);
  EXPECT_EQ(next_frame(), before + 1) << "no frame is lost";
}

TEST(MovingFile, NamesOfWhatMoves) {
  EXPECT_TRUE(moves("test:64x64"));
  EXPECT_TRUE(moves("/dev/video3"));
  EXPECT_TRUE(moves("frame_%04d.png"));
  EXPECT_TRUE(moves("clip.MP4"));
  EXPECT_FALSE(moves("photo.png"));
  EXPECT_TRUE(can_be_opened("test:"));
  EXPECT_FALSE(can_be_opened("/nowhere/clip.mp4"));
  EXPECT_EQ(absolute_name("test:64x64"), "test:64x64");
  EXPECT_TRUE(absolute_name("clip.mp4").is_absolute());
}

TEST(MovingFile, TheFirstFrameIsThePictureThatIsOpened) {
  Workspace workspace;
  workspace.choose_algorithm(find_algorithm("median"));
  const FileToOpen file = workspace.file_to_open("test:112x64@50:5");
  EXPECT_EQ(file.as.kind, Kind::image);
  const io::Loaded picture = file.read();
  EXPECT_EQ(io::read_frame_code(picture.pixels.view()), 0);
  EXPECT_EQ(picture.pixels.shape().width, 112);
  // It is a picture whatever is chosen.
  workspace.choose_algorithm(find_algorithm("slope"));
  EXPECT_EQ(workspace.file_to_open("clip.mp4").as.kind, Kind::image);
  EXPECT_THROW((void)workspace.file_to_open("test:0x0").read(), Error);
}

}  // namespace
}  // namespace threadscape::app
