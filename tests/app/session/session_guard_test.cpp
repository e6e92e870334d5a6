// Tests of the files by which a window recovers: a start that failed, and a session that was not closed. The processes
// that fail are children of the test.

#include "app/session/session_guard.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

#include "tests/support/compute/test_files.h"

namespace threadscape::app {
namespace {

namespace fs = std::filesystem;

class SessionGuardTest : public TestFolder {
 protected:
  [[nodiscard]] fs::path folder() const { return path(""); }
  /// Runs `f` in a child that ends at once afterwards, without destructors, as a crash does.
  static void in_a_process_that_dies(const std::function<void()>& f) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      f();
      _exit(0);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
};

TEST_F(SessionGuardTest, AStartThatEndsBeforeItSucceedsIsNoticed) {
  EXPECT_FALSE(StartGuard(folder()).last_failed());
  in_a_process_that_dies([this] { new StartGuard(folder()); });
  EXPECT_TRUE(StartGuard(folder()).last_failed());
  // The start that has noticed it was closed in order.
  EXPECT_FALSE(StartGuard(folder()).last_failed());
}

TEST_F(SessionGuardTest, AStartThatSucceededIsNotBlamedForLaterCrashes) {
  in_a_process_that_dies([this] { (new StartGuard(folder()))->succeeded(); });
  EXPECT_FALSE(StartGuard(folder()).last_failed());
}

TEST_F(SessionGuardTest, AnErrorIsBlamedOnTheSettingsOnlyOnRequest) {
  { StartGuard guard(folder()); }
  EXPECT_FALSE(StartGuard(folder()).last_failed());
  {
    StartGuard guard(folder());
    guard.blame_settings();
  }
  EXPECT_TRUE(StartGuard(folder()).last_failed());
}

TEST_F(SessionGuardTest, AStartInProgressIsNoFailure) {
  const StartGuard first(folder());
  EXPECT_FALSE(StartGuard(folder()).last_failed());
  EXPECT_FALSE(StartGuard(folder()).last_failed()) << "the second one has removed the marker of the first";
}

TEST_F(SessionGuardTest, SettingsAreSetAsideWithTheirContents) {
  EXPECT_FALSE(set_settings_aside(folder()));
  write_bytes(path("settings.json"), "settings");
  write_bytes(path("layout.ini"), "layout");
  const auto aside = set_settings_aside(folder());
  ASSERT_TRUE(aside);
  EXPECT_EQ(read_bytes(*aside), "settings");
  EXPECT_EQ(names(), (std::vector<std::string>{"layout-set-aside.ini", "settings-set-aside.json"}));
}

TEST_F(SessionGuardTest, AClosedSessionLeavesNothing) {
  {
    SessionKeeper keeper(folder());
    EXPECT_TRUE(keeper.keep("state"));
    EXPECT_FALSE(keeper.keep("state")) << "the same state was written again";
    EXPECT_TRUE(keeper.keep("other state"));
    EXPECT_FALSE(find_left_session(folder())) << "the session is still open";
  }
  EXPECT_EQ(names(), std::vector<std::string>());
}

TEST_F(SessionGuardTest, ASessionThatWasNotClosedIsFound) {
  in_a_process_that_dies([this] { (new SessionKeeper(folder()))->keep("first"); });
  const auto left = find_left_session(folder());
  ASSERT_TRUE(left);
  EXPECT_EQ(read_bytes(*left), "first");
  EXPECT_EQ(names(), std::vector<std::string>{"session-left.json"}) << "the lock was not removed";
  // It stays until it is removed, even if the next session ends in the same way before it kept anything.
  in_a_process_that_dies([this] { new SessionKeeper(folder()); });
  ASSERT_TRUE(find_left_session(folder()));
  EXPECT_EQ(read_bytes(*left), "first");
}

TEST_F(SessionGuardTest, OfSeveralLeftSessionsTheLatestIsFound) {
  in_a_process_that_dies([this] { (new SessionKeeper(folder()))->keep("first"); });
  in_a_process_that_dies([this] { (new SessionKeeper(folder()))->keep("second"); });
  for (const auto& entry : fs::directory_iterator(folder()))
    if (read_bytes(entry.path()) == "first")
      fs::last_write_time(entry.path(), fs::file_time_type::clock::now() - std::chrono::hours(1));
  const auto left = find_left_session(folder());
  ASSERT_TRUE(left);
  EXPECT_EQ(read_bytes(*left), "second");
}

TEST_F(SessionGuardTest, LocksOfKilledSessionsGoAtTheNextStart) {
  in_a_process_that_dies([this] { new SessionKeeper(folder()); });
  EXPECT_FALSE(fs::is_empty(folder()));
  EXPECT_EQ(find_left_session(folder()), std::nullopt);
  EXPECT_TRUE(fs::is_empty(folder()));
  // That of a session that is open stays.
  const SessionKeeper keeper(folder());
  EXPECT_EQ(find_left_session(folder()), std::nullopt);
  EXPECT_FALSE(fs::is_empty(folder()));
}

TEST_F(SessionGuardTest, WithoutAFolderNothingIsGuarded) {
  EXPECT_FALSE(StartGuard({}).last_failed());
  SessionKeeper keeper({});
  EXPECT_FALSE(keeper.keep("state"));
  EXPECT_FALSE(find_left_session({}));
}

}  // namespace
}  // namespace threadscape::app
