// The decoder that runs ahead: its frames carry their number as a bar code, and come out complete and in order. No test
// depends on how long something takes.

#include "app/live/frame_decoder.h"

#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <set>
#include <thread>

#include "compute/core/errors.h"
#include "compute/io/video/test_scene.h"
#include "compute/io/video/video_reader.h"
#include "tests/support/app/app_testing.h"
#include "tests/support/test_paths.h"

namespace threadscape::app {
namespace {

/// Waits until a condition holds. Fails the test after 60 s.
void wait_until(const std::function<bool()>& done) {
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!done()) {
    ASSERT_LT(std::chrono::steady_clock::now(), limit) << "the decoder never got there";
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

/// The next frame; waits for it. Nothing at the end.
std::optional<DecodedFrame> next_frame(FrameDecoder& decoder) {
  wait_until([&] { return decoder.ready() > 0 || decoder.ended(); });
  return decoder.take();
}

/// Expects that the next frame has this number, in its description and in its bar code.
void expect_frame(FrameDecoder& decoder, std::int64_t index) {
  const std::optional<DecodedFrame> frame = next_frame(decoder);
  ASSERT_TRUE(frame) << "frame " << index << " is missing";
  EXPECT_EQ(frame->index, index);
  EXPECT_EQ(io::read_frame_code(std::as_const(frame->source->picture.pixels).view()), index);
}

TEST(FrameDecoder, GivesEveryFrameOnceAndInOrderAndThenEnds) {
  LogBook log;
  FrameDecoder decoder("test:112x64@50:40", log, [] {});
  for (std::int64_t i = 0; i < 40; ++i)
    expect_frame(decoder, i);
  EXPECT_FALSE(next_frame(decoder));
  EXPECT_TRUE(decoder.ended());
  EXPECT_EQ(decoder.decoded(), 40);
  EXPECT_TRUE(log.entries().empty());
  ASSERT_TRUE(decoder.info());
  EXPECT_EQ(decoder.info()->frames, 40);
  EXPECT_EQ(decoder.info()->frames_per_second, 50);
}

TEST(FrameDecoder, DecodesNoFurtherThanItsRing) {
  LogBook log;
  FrameDecoder decoder("test:112x64@50:40", log, [] {});
  wait_until([&] { return decoder.ready() == FrameDecoder::ring_frames; });
  EXPECT_EQ(decoder.next_seconds(0), 0.0);
  EXPECT_DOUBLE_EQ(decoder.next_seconds(5).value_or(-1), 5 / 50.0);
  EXPECT_FALSE(decoder.next_seconds(6));
  EXPECT_EQ(decoder.decoded(), static_cast<std::int64_t>(FrameDecoder::ring_frames));
}

TEST(FrameDecoder, UsesTheMemoryOfShownFramesAgain) {
  LogBook log;
  FrameDecoder decoder("test:112x64@50:100", log, [] {});
  std::set<const void*> memory;
  for (std::int64_t i = 0; i < 100; ++i) {
    const std::optional<DecodedFrame> frame = next_frame(decoder);
    ASSERT_TRUE(frame);
    memory.insert(std::as_const(frame->source->picture.pixels).data());
  }
  // The frame that is shown, the one that is being decoded, the ring, and what the ring may not have taken back yet.
  EXPECT_LE(memory.size(), 2 * FrameDecoder::ring_frames);
}

TEST(FrameDecoder, JumpsToExactlyTheFrameThatIsAskedFor) {
  LogBook log;
  FrameDecoder decoder("test:112x64@50:40", log, [] {});
  for (const std::int64_t target : {17, 3, 39, 0, 20, 19, 18}) {
    decoder.seek(target);
    expect_frame(decoder, target);
    if (target < 39) expect_frame(decoder, target + 1);
  }
  // Of jumps that follow each other at once, the last one counts.
  for (std::int64_t target = 0; target < 30; ++target)
    decoder.seek(target);
  expect_frame(decoder, 29);
  decoder.seek(1000);
  EXPECT_FALSE(next_frame(decoder));
  decoder.seek(5);
  expect_frame(decoder, 5);
}

TEST(FrameDecoder, BeginsAgainBehindTheLastFrameIfItLoops) {
  LogBook log;
  FrameDecoder decoder("test:112x64@50:5", log, [] {});
  // The decoder has met the end before the loop is asked for.
  wait_until([&] { return decoder.ready() == 5 && decoder.decoded() == 5; });
  decoder.set_loop(true);
  for (std::int64_t i = 0; i < 23; ++i)
    expect_frame(decoder, i % 5);
  decoder.set_loop(false);
  decoder.seek(4);
  expect_frame(decoder, 4);
  EXPECT_FALSE(next_frame(decoder));
}

TEST(FrameDecoder, SaysWhyASourceCannotBeOpened) {
  LogBook log;
  FrameDecoder decoder("/nowhere/missing.mp4", log, [] {});
  wait_until([&] { return decoder.ended(); });
  EXPECT_FALSE(decoder.take());
  EXPECT_FALSE(decoder.info());
  ASSERT_EQ(log.entries().size(), 1U);
  const std::string failure = log.entries().front().text;
  EXPECT_NE(failure.find(io::video_reader_absent().empty() ? "missing.mp4" : "FFmpeg"), std::string::npos) << failure;
}

TEST(FrameDecoder, TellsThatAFileIsCutOff) {
  if (!io::video_reader_absent().empty()) GTEST_SKIP() << io::video_reader_absent();
  const threadscape::testing::TemporaryFolder folder;
  const auto whole = std::filesystem::path(test_dir()) / "data" / "videos" / "motion_jpeg.avi";
  const auto part = folder.path() / "part.avi";
  std::filesystem::copy_file(whole, part);
  std::filesystem::resize_file(part, std::filesystem::file_size(whole) * 2 / 3);
  LogBook log;
  FrameDecoder decoder(part, log, [] {});
  std::int64_t frames = 0;
  // The libraries may complete the frame that is cut, so that its bar code is not its own.
  while (const auto frame = next_frame(decoder))
    EXPECT_EQ(frame->index, frames++);
  EXPECT_GT(frames, 0);
  ASSERT_EQ(log.entries().size(), 1U) << "a note is told once";
  const std::string note = log.entries().front().text;
  EXPECT_NE(note.find("part.avi"), std::string::npos) << note;
  EXPECT_NE(note.find("of 10 frames are there"), std::string::npos) << note;
}

/// A source that gives one frame and then waits until it is stopped, as a camera does whose cable is pulled, or that
/// fails at frame 3 as often as it is read.
class OddSource final : public io::FrameSource {
 public:
  OddSource(bool silent, std::stop_token stop) : silent_(silent), stop_(std::move(stop)) {
    info_.width = info_.height = 4;
    info_.frames = silent ? -1 : 10;
    info_.seekable = !silent;
  }
  [[nodiscard]] const io::FrameInfo& info() const override { return info_; }
  bool advance() override {
    if (silent_ && index_ == 0) {
      std::mutex mutex;
      std::unique_lock lock(mutex);
      std::condition_variable_any never;
      never.wait(lock, stop_, [] { return false; });
      throw Cancelled();
    }
    if (index_ == 2) throw EnvironmentError("the disk is gone");
    ++index_;
    return true;
  }
  void picture(io::Frame& frame) override {
    frame.pixels = HostArray(Shape::image(Element::u8, 1, 4, 4));
    frame.index = index_;
  }
  void seek(std::int64_t index) override { index_ = index - 1; }
  [[nodiscard]] std::int64_t count() override { return info_.frames; }

 private:
  bool silent_;
  std::stop_token stop_;
  io::FrameInfo info_;
  std::int64_t index_ = -1;
};

TEST(FrameDecoder, EndsWhileACameraIsSilent) {
  bool first = false;
  {
    LogBook log;
    FrameDecoder decoder(
        "/dev/video0", log, [] {},
        [](const auto&, const io::FrameOptions& options) { return std::make_unique<OddSource>(true, options.stop); });
    const std::optional<DecodedFrame> frame = next_frame(decoder);
    first = frame && frame->index == 0;
    decoder.seek(7);  // Cameras cannot jump.
  }
  EXPECT_TRUE(first);
}

TEST(FrameDecoder, GoesOnAtAnotherFrameAfterAFailure) {
  LogBook log;
  FrameDecoder decoder(
      "odd", log, [] {},
      [](const auto&, const io::FrameOptions& options) { return std::make_unique<OddSource>(false, options.stop); });
  for (std::int64_t i = 0; i < 3; ++i)
    EXPECT_EQ(next_frame(decoder).value().index, i);
  EXPECT_FALSE(next_frame(decoder));
  ASSERT_EQ(log.entries().size(), 1U);
  EXPECT_EQ(log.entries().front().text, "the disk is gone");
  decoder.seek(1);
  EXPECT_EQ(next_frame(decoder).value().index, 1);
}

}  // namespace
}  // namespace threadscape::app
