// The lines that tell how far a command is where stderr is no terminal.

#include "app/report/long_task.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <string>
#include <thread>

namespace threadscape::app {
namespace {

/// What a task that is half done prints on stderr until it has printed something, or 60 s are over.
std::string printed() {
  ::testing::internal::CaptureStderr();
  {
    LongTask task("median", false, std::chrono::milliseconds(1));
    task.progress().report(0.5);
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (task.lines() == 0 && std::chrono::steady_clock::now() < limit)
      std::this_thread::yield();
  }
  return ::testing::internal::GetCapturedStderr();
}

TEST(LongTask, TellsHowFarItIsWithoutATerminal) {
  const std::string text = printed();
  EXPECT_TRUE(text.starts_with("threadscape: 50 % done after ")) << text;
  EXPECT_NE(text.find(" s, "), std::string::npos) << text;
  EXPECT_NE(text.find(" left (median)\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace threadscape::app
