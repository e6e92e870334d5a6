// The transport of moving sources, with a clock that the test sets: no test depends on how long something takes. The
// built-in test scene numbers its frames by a bar code.

#include "app/live/frame_player.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "compute/core/errors.h"
#include "compute/io/video/test_scene.h"

namespace threadscape::app {
namespace {

using Clock = FramePlayer::Clock;

class FramePlayerTest : public ::testing::Test {
 protected:
  /// Lets this many seconds pass.
  void pass(double seconds) {
    now_ += std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  }
  void wait_until(const std::function<bool()>& done) {
    const auto limit = Clock::now() + std::chrono::seconds(60);
    while (!done()) {
      ASSERT_LT(Clock::now(), limit) << "the decoder never got there";
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  /// Waits until the decoder has filled its ring, so that what is due depends on the clock alone.
  void fill() {
    wait_until([this] { return player_.ready() == FrameDecoder::ring_frames; });
  }
  /// The frame that the player gives out now, whose number is that of its bar code; -1 if there is none.
  std::int64_t given() {
    const std::optional<DecodedFrame> frame = player_.update(now_);
    if (!frame) return -1;
    EXPECT_EQ(frame->index, player_.index());
    EXPECT_EQ(io::read_frame_code(std::as_const(frame->source->picture.pixels).view()), frame->index);
    return frame->index;
  }
  /// The frame that the player gives out without more time passing, once it is decoded. It is shown at once.
  std::int64_t next() {
    std::int64_t index = -1;
    wait_until([&] { return (index = given()) >= 0; });
    player_.shown(now_);
    return index;
  }
  /// Opens a scene of 10 frames per second and shows its first frame.
  void open(const char* name = "test:112x64@10:30") {
    player_.open(name);
    ASSERT_EQ(next(), 0);
    fill();
  }

  Clock::time_point now_;
  LogBook log_;
  FramePlayer player_{log_, [] {}};
};

TEST_F(FramePlayerTest, GivesEachFrameInItsTime) {
  open();
  EXPECT_TRUE(player_.playing());
  for (std::int64_t i = 1; i < 30; ++i) {
    EXPECT_EQ(given(), -1) << "too early";
    EXPECT_NEAR(player_.seconds_to_next(now_).value_or(-1), 0.1, 1e-6);
    pass(0.06);
    EXPECT_EQ(given(), -1) << "too early";
    pass(0.0401);  // The time of a frame and a little, because times are rounded to nanoseconds.
    EXPECT_EQ(next(), i);
    pass(-0.0001);
    fill();
  }
  EXPECT_EQ(player_.kept(), 30);
  EXPECT_EQ(player_.dropped(), 0);
}

TEST_F(FramePlayerTest, TimeStartsWhenTheFirstFrameIsShown) {
  player_.open("test:112x64@10:30");
  wait_until([&] { return given() == 0; });
  fill();
  pass(0.55);  // The first frame of a window takes this long.
  player_.shown(now_);
  EXPECT_EQ(given(), -1);
  pass(0.11);
  EXPECT_EQ(given(), 1);
  player_.shown(now_);
  EXPECT_EQ(player_.dropped(), 0);
  player_.seek(20);
  wait_until([&] { return given() == 20; });
  fill();
  pass(0.55);
  player_.shown(now_);
  EXPECT_EQ(given(), -1);
  pass(0.11);
  EXPECT_EQ(given(), 21);
  EXPECT_EQ(player_.dropped(), 0);
}

TEST_F(FramePlayerTest, DropsFramesWhoseTimeHasPassedAndCountsThem) {
  open();
  pass(0.35);
  EXPECT_EQ(next(), 3);
  EXPECT_EQ(player_.dropped(), 2);
  EXPECT_EQ(player_.kept(), 2);
  fill();
  // Twice as fast, twice as many are due.
  player_.set_speed(2, now_);
  pass(0.1501);
  EXPECT_EQ(next(), 6);
  EXPECT_EQ(player_.dropped(), 4);
}

TEST_F(FramePlayerTest, ShowsEveryFrameIfThatIsWanted) {
  player_.show_every_frame(true);
  open();
  for (std::int64_t i = 1; i < 30; ++i) {
    pass(5.0);
    EXPECT_EQ(next(), i);
  }
  EXPECT_EQ(player_.dropped(), 0);
}

TEST_F(FramePlayerTest, GivesNoFurtherFrameBeforeTheLastOneIsShown) {
  open();
  pass(0.1001);
  EXPECT_EQ(given(), 1);
  EXPECT_TRUE(player_.awaits());
  // The backend is switched, and a result takes long: the frame stays the one that is to be computed.
  pass(1.0);
  EXPECT_EQ(given(), -1);
  EXPECT_FALSE(player_.seconds_to_next(now_));
  EXPECT_EQ(player_.kept(), 1);
  player_.shown(now_);
  player_.shown(now_);
  EXPECT_EQ(player_.kept(), 2) << "a frame is counted once";
}

TEST_F(FramePlayerTest, StepsWithoutLosingAFrame) {
  open();
  pass(0.1001);
  ASSERT_EQ(next(), 1);
  for (std::int64_t i = 2; i < 12; ++i) {
    player_.step(1);
    pass(3.0);  // However long the user looks at it.
    EXPECT_EQ(next(), i);
    EXPECT_FALSE(player_.playing());
    EXPECT_EQ(given(), -1);
  }
  for (std::int64_t i = 10; i >= 8; --i) {
    player_.step(-1);
    EXPECT_EQ(next(), i);
  }
  EXPECT_EQ(player_.dropped(), 0);
  // Several steps before a frame is shown add up.
  player_.step(1);
  player_.step(1);
  player_.step(1);
  EXPECT_EQ(player_.aim(), 11);
  std::int64_t last = next();
  while (last != 11) {
    EXPECT_LT(last, 11);
    last = next();
  }
  EXPECT_EQ(given(), -1);
}

TEST_F(FramePlayerTest, ScrubsToTheLatestFrameAndPlaysOn) {
  open();
  player_.pause();
  for (const std::int64_t target : {20, 5, 28, 17})
    player_.seek(target);
  std::int64_t last = next();
  if (last != 17) last = next();
  EXPECT_EQ(last, 17);
  EXPECT_EQ(player_.seconds(), 1.7);
  EXPECT_EQ(given(), -1) << "it pauses";
  player_.play(now_);
  pass(0.1001);
  EXPECT_EQ(next(), 18);
  player_.seek(1000);
  EXPECT_EQ(next(), 29) << "the last frame";
  player_.seek(-5);
  EXPECT_EQ(next(), 0);
}

TEST_F(FramePlayerTest, SaysWhetherAFrameFollowsTheOneBefore) {
  open("test:112x64@10:4");
  player_.step(1);
  EXPECT_EQ(next(), 1);
  EXPECT_FALSE(player_.has_jumped());
  player_.seek(3);
  EXPECT_EQ(next(), 3);
  EXPECT_TRUE(player_.has_jumped());
  player_.play(now_);
  pass(0.1001);
  EXPECT_EQ(next(), 0);
  EXPECT_TRUE(player_.has_jumped()) << "the loop begins again";
  pass(0.2001);
  fill();
  EXPECT_EQ(next(), 2) << "frame 1 was left out";
  EXPECT_FALSE(player_.has_jumped());
}

TEST_F(FramePlayerTest, AJumpThatIsOnItsWayIsNotMadeTwice) {
  open();
  player_.pause();
  player_.seek(7);
  player_.seek(7);
  EXPECT_EQ(next(), 7);
  EXPECT_EQ(given(), -1);
  EXPECT_FALSE(player_.seconds_to_next(now_)) << "nothing else is asked for";
}

TEST_F(FramePlayerTest, LoopsOrEnds) {
  open("test:112x64@10:4");
  // The ring holds frames of the next round already: the last frame has its time, too.
  for (const std::int64_t expected : {1, 2, 3, 0, 1, 2, 3, 0}) {
    EXPECT_EQ(given(), -1);
    pass(0.1001);
    EXPECT_EQ(next(), expected);
  }
  // The ring holds frames of the next rounds when the loop is ended.
  fill();
  player_.set_loop(false);
  for (const std::int64_t expected : {1, 2, 3}) {
    pass(0.1001);
    EXPECT_EQ(next(), expected);
  }
  pass(0.2);
  wait_until([this] { return given() == -1 && !player_.playing(); });
  player_.play(now_);
  pass(0.1001);
  EXPECT_EQ(next(), 0) << "play begins again";
  EXPECT_TRUE(player_.playing());
  // The end was met by a decoder that does not loop.
  player_.seek(3);
  EXPECT_EQ(next(), 3);
  pass(0.2);
  wait_until([this] { return given() == -1 && !player_.playing(); });
  player_.play(now_);
  EXPECT_EQ(next(), 0);
  player_.seek(3);
  EXPECT_EQ(next(), 3);
  player_.set_loop(true);
  pass(0.1001);
  EXPECT_EQ(next(), 0);
}

TEST_F(FramePlayerTest, TimeStandsStillWhileItIsHeld) {
  open();
  player_.hold(true);
  pass(7.0);
  EXPECT_EQ(given(), -1);
  EXPECT_FALSE(player_.seconds_to_next(now_));
  pass(7.0);
  player_.hold(false);
  EXPECT_EQ(given(), -1);
  pass(0.1001);
  EXPECT_EQ(next(), 1);
  EXPECT_EQ(player_.dropped(), 0);
}

TEST_F(FramePlayerTest, MeasuresRatesAndTimes) {
  open();
  for (int i = 1; i <= 15; ++i) {
    pass(0.05);
    EXPECT_EQ(given(), -1);
    pass(0.0501);
    EXPECT_EQ(next(), i);
    fill();
  }
  EXPECT_NEAR(player_.shown_per_second(now_), 10, 1);
  EXPECT_NEAR(player_.decoded_per_second(now_), 10, 1);
  EXPECT_NEAR(player_.turn_ms(), 0, 1e-9) << "each frame was shown when it was given out";
  EXPECT_EQ(player_.shown_per_second(now_ + std::chrono::seconds(5)), 0);
}

TEST_F(FramePlayerTest, TellsAFailureOnceAndStandsStill) {
  player_.open("/nowhere/missing.mp4");
  wait_until([&] { return given() == -1 && !player_.playing(); });
  EXPECT_EQ(log_.entries().size(), 1U);
  EXPECT_EQ(log_.entries().front().level, LogBook::Level::error);
  player_.step(1);
  player_.seek(3);
  EXPECT_EQ(given(), -1);
}

}  // namespace
}  // namespace threadscape::app
