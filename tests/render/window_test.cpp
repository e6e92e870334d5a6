// Tests of the platform with a window, on the real display or a virtual one. They are skipped if there is neither.

#include <chrono>
#include <thread>

#include "tests/support/app/app_testing.h"
#include "tests/support/render/gl_test.h"

namespace threadscape {
namespace {

class WindowTest : public ::testing::Test {
 protected:
  void SetUp() override {
    testing::GlTest::close();
    (void)testing::require_display();  // without one, make_window() says so
    setenv("TS_GL_DEBUG", "1", 0);
    app::WindowOptions options;
    options.state = {640, 480, false};
    options.vsync = false;
    std::string reason;
    // A virtual X server restarts when its last client, the previous test, has left, so it may be unavailable for a
    // moment.
    for (int attempt = 0; attempt < 10 && !platform_; ++attempt) {
      if (attempt > 0) std::this_thread::sleep_for(std::chrono::milliseconds(100));
      try {
        platform_ = app::make_window(options);
      } catch (const EnvironmentError& error) {
        reason = error.what();
        if (!std::getenv("DISPLAY")) break;
      }
    }
    if (platform_) return;
    // The message must tell how to go on: without a display one can still render to files.
    EXPECT_NE(reason.find("threadscape render"), std::string::npos) << reason;
    GTEST_SKIP() << reason;
  }

  std::unique_ptr<app::Platform> platform_;
};

TEST_F(WindowTest, TheFrameArrivesInTheWindow) {
  const app::Input input = platform_->poll(false);
  ASSERT_GT(input.width, 0);
  EXPECT_FALSE(platform_->headless());
  EXPECT_FALSE(input.close_requested);
  EXPECT_GT(input.content_scale, 0.0f);
  const gl::Framebuffer frame(input.width, input.height);
  for (int i = 0; i < 3; ++i) {
    (void)platform_->poll(false);
    frame.clear({0.2f, 0.4f, 0.6f, 1.0f});
    platform_->present(frame);
  }
  // The contents of the screen cannot be read portably, so the framebuffer that is presented is read.
  gl::blit_to_window(frame, input.width, input.height);
  unsigned char pixel[4] = {};
  glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
  glReadBuffer(GL_BACK);
  glReadPixels(input.width / 2, input.height / 2, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
  EXPECT_EQ(pixel[0], 51);
  EXPECT_EQ(pixel[1], 102);
  EXPECT_EQ(pixel[2], 153);
  EXPECT_NO_THROW(platform_->context().check("presenting"));
}

TEST_F(WindowTest, AResizedWindowIsFilledByTheNextFrame) {
  const auto show = [this](float red) {
    const app::Input input = platform_->poll(false);
    const gl::Framebuffer frame(input.width, input.height);
    frame.clear({red, 0.0f, 0.0f, 1.0f});
    platform_->present(frame);
    return input;
  };
  (void)show(0.0f);
  platform_->resize(320, 240);  // Mesa keeps a buffer of 640 x 480 until it notices the new size.
  app::Input input;
  for (int i = 0; i < 200 && input.width != 320; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    input = platform_->poll(false);
  }
  ASSERT_EQ(input.width, 320);
  const gl::Framebuffer frame(input.width, input.height);
  frame.clear({1.0f, 0.0f, 0.0f, 1.0f});
  gl::blit_to_window(frame, input.width, input.height);
  // All of the window has the new colour, its upper rows too, which a copy into the old buffer would have missed.
  glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
  glReadBuffer(GL_BACK);
  for (const int y : {0, input.height / 2, input.height - 1}) {
    unsigned char pixel[4] = {};
    glReadPixels(input.width / 2, y, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
    EXPECT_EQ(pixel[0], 255) << "row " << y;
  }
}

TEST_F(WindowTest, SleepingEndsWhenAnotherThreadWakesIt) {
  for (int i = 0; i < 10; ++i)
    (void)platform_->poll(false);  // what the new window itself has to say
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    platform_->wake();
  });
  const auto start = std::chrono::steady_clock::now();
  (void)platform_->poll(true);
  const std::chrono::duration<double> slept = std::chrono::steady_clock::now() - start;
  other.join();
  EXPECT_LT(slept.count(), app::Platform::max_wait);
}

TEST_F(WindowTest, GatheringEventsEndsAtItsTimeOrWhenAnotherThreadWakesIt) {
  for (int i = 0; i < 10; ++i)
    (void)platform_->poll(false);  // Events of the new window.
  const auto seconds_of = [this](double asked) {
    const auto start = std::chrono::steady_clock::now();
    platform_->gather_events(asked);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  EXPECT_GE(seconds_of(0.05), 0.049);
  EXPECT_LT(seconds_of(-1.0), 30.0);  // A time that has passed already is no endless one.

  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    platform_->wake();
  });
  EXPECT_LT(seconds_of(60.0), 30.0);
  other.join();
  // A wake between two calls is not lost, and counts until the next poll.
  EXPECT_LT(seconds_of(60.0), 30.0);
  (void)platform_->poll(false);
  EXPECT_GE(seconds_of(0.05), 0.049);
}

TEST_F(WindowTest, TheSizeIsRemembered) {
  EXPECT_EQ(platform_->window_state().width, 640);
  EXPECT_EQ(platform_->window_state().height, 480);
  platform_->resize(800, 600);
  app::WindowState state;
  for (int i = 0; i < 100 && state.width != 800; ++i) {
    (void)platform_->poll(false);
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    state = platform_->window_state();
  }
  EXPECT_EQ(state.width, 800);
  EXPECT_EQ(state.height, 600);
  platform_->set_title("another title");
}

}  // namespace
}  // namespace threadscape
