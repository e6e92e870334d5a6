// Tests of the signals that ask the window to end.

#include "app/platform/quit_signals.h"

#include <gtest/gtest.h>

#include <csignal>

namespace threadscape::app {
namespace {

class QuitSignalsTest : public ::testing::TestWithParam<int> {};

TEST_P(QuitSignalsTest, TheSignalIsRememberedInsteadOfEndingTheProgram) {
  const QuitSignals signals;
  EXPECT_EQ(signals.arrived(), 0);
  std::raise(GetParam());
  EXPECT_EQ(signals.arrived(), GetParam());
}

TEST_P(QuitSignalsTest, TheNextWindowBeginsWithout) {
  {
    const QuitSignals signals;
    std::raise(GetParam());
  }
  const QuitSignals signals;
  EXPECT_EQ(signals.arrived(), 0);
}

INSTANTIATE_TEST_SUITE_P(Signals, QuitSignalsTest, ::testing::Values(SIGTERM, SIGHUP, SIGINT));

}  // namespace
}  // namespace threadscape::app
