// Recording while frames are shown: what is read back is what was added, complete and in order, and a recording that
// fails leaves a file that can be played.

#include "app/live/frame_recorder.h"

#include <gtest/gtest.h>

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <random>
#include <thread>

#include "app/platform/platform.h"
#include "compute/core/errors.h"
#include "compute/io/video/frame_source.h"
#include "compute/io/video/test_scene.h"
#include "compute/io/video/video_writer.h"
#include "render/gl/texture.h"
#include "tests/support/app/app_testing.h"

namespace threadscape::app {
namespace {

class FrameRecorderTest : public ::testing::Test {
 protected:
  void SetUp() override {
    platform_ = threadscape::testing::headless_or_skip(64, 64);
    if (platform_ && !io::video_writer_absent(path()).empty()) GTEST_SKIP() << io::video_writer_absent(path());
  }
  [[nodiscard]] std::filesystem::path path() const { return folder_.path() / "recorded.mkv"; }
  /// Adds a grey frame of this width with its number as a bar code.
  static void add(FrameRecorder& recorder, std::int64_t number, int width = 112) {
    HostArray frame(Shape::image(Element::u8, 1, width, 64));
    io::draw_frame_code(frame.view(), number);
    gl::Texture texture(frame.shape());
    texture.write(std::as_const(frame).view());
    recorder.add(gl::PendingRead(texture), {});
  }
  static void wait_until(FrameRecorder& recorder, const std::function<bool()>& done) {
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!done()) {
      ASSERT_LT(std::chrono::steady_clock::now(), limit) << "the recorder never got there";
      recorder.update();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  /// Expects that the file holds frames 0 .. count - 1, and nothing else.
  void expect_frames(std::int64_t count) const {
    const auto source = io::open_frames(path());
    io::Frame frame;
    for (std::int64_t i = 0; i < count; ++i) {
      ASSERT_TRUE(source->next(frame)) << "frame " << i << " is missing";
      EXPECT_EQ(io::read_frame_code(std::as_const(frame.pixels).view()), i);
    }
    EXPECT_FALSE(source->next(frame));
  }

  threadscape::testing::TemporaryFolder folder_;
  std::unique_ptr<Platform> platform_;
};

TEST_F(FrameRecorderTest, WritesEveryFrameInOrder) {
  FrameRecorder recorder(path(), {.frames_per_second = 25}, [] {});
  for (std::int64_t i = 0; i < 30; ++i) {
    wait_until(recorder, [&] { return !recorder.full(); });
    add(recorder, i);
  }
  recorder.stop();
  add(recorder, 99);  // Comes too late.
  wait_until(recorder, [&] { return recorder.ended(); });
  EXPECT_FALSE(recorder.failed()) << recorder.trouble();
  EXPECT_EQ(recorder.frames(), 30);
  EXPECT_FALSE(recorder.full());
  expect_frames(30);
}

TEST_F(FrameRecorderTest, WritesAnimationsAsVideos) {
  for (const char* extension : {".apng", ".webp"}) {
    if (std::ranges::count(io::frame_extensions(), extension) == 0) continue;
    const std::filesystem::path animation = folder_.path() / (std::string("recorded") + extension);
    FrameRecorder recorder(animation, {.frames_per_second = 25}, [] {});
    for (std::int64_t i = 0; i < 6; ++i)
      add(recorder, i);
    recorder.stop();
    wait_until(recorder, [&] { return recorder.ended(); });
    EXPECT_FALSE(recorder.failed()) << recorder.trouble();
    EXPECT_EQ(recorder.frames(), 6);
    EXPECT_GT(std::filesystem::file_size(animation), 0u);
  }
}

TEST_F(FrameRecorderTest, CompletesTheFileWhenTheProgramEnds) {
  {
    FrameRecorder recorder(path(), {}, {});
    for (std::int64_t i = 0; i < 5; ++i)
      add(recorder, i);
    wait_until(recorder, [&] { return !recorder.needs_polling(); });
  }
  expect_frames(5);
}

TEST_F(FrameRecorderTest, AFrameOfAnotherSizeEndsAFileThatCanBePlayed) {
  FrameRecorder recorder(path(), {}, [] {});
  for (std::int64_t i = 0; i < 4; ++i)
    add(recorder, i);
  add(recorder, 4, 56);
  add(recorder, 5);
  wait_until(recorder, [&] { return recorder.ended(); });
  EXPECT_TRUE(recorder.failed());
  EXPECT_NE(recorder.trouble().find("recorded.mkv"), std::string::npos) << recorder.trouble();
  EXPECT_EQ(recorder.frames(), 4);
  add(recorder, 6);  // Is not kept.
  EXPECT_FALSE(recorder.needs_polling());
  expect_frames(4);
}

TEST_F(FrameRecorderTest, AFullDiskEndsAFileThatCanBePlayed) {
  // A limit of the size of files stands for a disk that is full. Noise does not get smaller when it is encoded.
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit full = before;
  full.rlim_cur = 3 << 20;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &full), 0);
  FrameRecorder recorder(path(), {.frames_per_second = 25}, [] {});
  std::mt19937 random(1);
  for (std::int64_t i = 0; i < 400 && !recorder.ended(); ++i) {
    HostArray frame(Shape::image(Element::u8, 4, 128, 128));
    std::generate_n(frame.data(), frame.pitch() * 128, [&] { return static_cast<std::byte>(random()); });
    io::draw_frame_code(frame.view(), i);
    gl::Texture texture(frame.shape());
    texture.write(std::as_const(frame).view());
    wait_until(recorder, [&] { return !recorder.full() || recorder.ended(); });
    recorder.add(gl::PendingRead(texture), {});
  }
  wait_until(recorder, [&] { return recorder.ended(); });
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, SIG_DFL);
  EXPECT_TRUE(recorder.failed());
  EXPECT_NE(recorder.trouble().find("can be played"), std::string::npos) << recorder.trouble();
  EXPECT_GT(recorder.frames(), 5);
  expect_frames(recorder.frames());
}

TEST_F(FrameRecorderTest, RefusesWhatCannotBeWritten) {
  EXPECT_THROW(FrameRecorder(folder_.path() / "missing" / "x.mkv", {}, {}), Error);
  EXPECT_THROW(FrameRecorder(folder_.path() / "x.txt", {}, {}), Error);
}

}  // namespace
}  // namespace threadscape::app
