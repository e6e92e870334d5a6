// What happens after a real loss is tested by DeviceLossOnAGpu in tests/app/live/lost_device_test.cpp.

#include "render/interop/loss_recovery.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "tests/support/render/gl_test.h"

namespace threadscape::interop {
namespace {

using LossRecoveryTest = testing::GlTest;

TEST_F(LossRecoveryTest, OpenGlThatWorksIsFoundToWork) {
  LossRecovery recovery(gpu::devices().first());
  const auto limit =
      std::chrono::steady_clock::now() + std::chrono::seconds(60);  // far more than two small pictures need
  LossRecovery::State state = LossRecovery::State::waiting;
  while (state == LossRecovery::State::waiting && std::chrono::steady_clock::now() < limit) {
    state = recovery.poll();
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
  EXPECT_EQ(state, LossRecovery::State::recovered);
}

TEST_F(LossRecoveryTest, FirstPollIsTooEarlyToKnow) {
  LossRecovery recovery(gpu::devices().first());
  EXPECT_EQ(recovery.poll(), LossRecovery::State::waiting);
}

}  // namespace
}  // namespace threadscape::interop
