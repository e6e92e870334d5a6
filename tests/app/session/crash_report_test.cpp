// Tests of the report that the program writes about itself when it crashes. Children of the test crash.

#include "app/session/crash_report.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <stdexcept>
#include <thread>

#include "app/session/log_book.h"
#include "compute/core/build_info.h"
#include "tests/support/compute/test_files.h"

namespace threadscape::app {
namespace {

namespace fs = std::filesystem;

class CrashReportTest : public TestFolder {
 protected:
  void SetUp() override {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "the sanitizer reports crashes itself";
#endif
    TestFolder::SetUp();
  }

  /// Lets a child crash in `f`, after it has prepared reports. Returns the number of the signal that ended it.
  int crash(const fs::path& folder, const std::function<void()>& f) {
    const pid_t child = fork();
    if (child == 0) {
      const rlimit no_core{0, 0};
      setrlimit(RLIMIT_CORE, &no_core);
      if (freopen(path("stderr").c_str(), "w", stderr) == nullptr) _exit(1);
      prepare_crash_report(folder);
      f();
      _exit(0);
    }
    int status = 0;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  }
  [[nodiscard]] std::string message() const {
    return read_bytes(path("stderr"));
  }
  void expect_contains(const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in: " << text;
  }
};

TEST_F(CrashReportTest, SaysWhatHasCrashedWhereAndAfterWhat) {
  const fs::path folder = path("new folder");
  EXPECT_EQ(crash(folder,
                  [] {
                    set_crash_facts("OpenGL 4.5 on a test");
                    LogBook log;
                    log.info("the last line of the log");
                    raise(SIGSEGV);
                  }),
            SIGSEGV);
  const auto file = new_crash_report(folder);
  ASSERT_TRUE(file);
  expect_contains(message(), "the program has crashed (signal 11); a report is in '" + file->string() + "'");
  const std::string report = read_bytes(*file);
  expect_contains(report, "threadscape " + std::string(build_info::version));
  expect_contains(report, "ended by signal 11");
  expect_contains(report, "OpenGL 4.5 on a test");
  expect_contains(report, fs::read_symlink("/proc/self/exe").filename().string() + "(");
  expect_contains(report, "the last line of the log");
  EXPECT_EQ(fs::status(*file).permissions() & fs::perms::others_read, fs::perms::none);
}

TEST_F(CrashReportTest, TellsOfExceptionsThatNobodyCaught) {
  const auto fail = [] { std::thread([] { throw std::runtime_error("nobody has caught this"); }).join(); };
  EXPECT_EQ(crash(path("reports"), fail), SIGABRT);
  const auto file = new_crash_report(path("reports"));
  ASSERT_TRUE(file);
  expect_contains(read_bytes(*file), "nobody has caught this");
}

/// The handler has a stack of its own.
TEST_F(CrashReportTest, IsWrittenAfterAStackOverflow) {
  const std::function<int(volatile char*)> overflow = [&](volatile char* above) {
    volatile char here[4096];
    here[0] = above != nullptr ? above[0] : '\0';
    return overflow(here) + here[0];
  };
  EXPECT_EQ(crash(path("reports"), [&] { (void)overflow(nullptr); }), SIGSEGV);
  EXPECT_TRUE(new_crash_report(path("reports")));
}

TEST_F(CrashReportTest, GoesToStderrIfTheFolderCannotBeMade) {
  EXPECT_EQ(crash(path("no/such/folder"), [] { raise(SIGFPE); }), SIGFPE);
  expect_contains(message(), "ended by signal 8");
}

TEST_F(CrashReportTest, OnlyTheNewestReportsAreKept) {
  for (int i = 1; i <= 7; ++i)
    write_bytes(path("crash-20260101-00000" + std::to_string(i) + "-1.txt"), "report");
  EXPECT_EQ(new_crash_report(path("")), path("crash-20260101-000007-1.txt"));
  EXPECT_EQ(names(), (std::vector<std::string>{"crash-20260101-000003-1.txt", "crash-20260101-000004-1.txt",
                                               "crash-20260101-000005-1.txt", "crash-20260101-000006-1.txt",
                                               "crash-20260101-000007-1.txt", "known-crashes"}));
  EXPECT_EQ(new_crash_report(path("")), std::nullopt);
}

TEST_F(CrashReportTest, ACrashAfterTheClockWasSetBackIsFound) {
  for (int i = 1; i <= 5; ++i)
    write_bytes(path("crash-20260101-00000" + std::to_string(i) + "-1.txt"), "report");
  EXPECT_EQ(new_crash_report(path("")), path("crash-20260101-000005-1.txt"));
  write_bytes(path("crash-20010101-000000-2.txt"), "report");
  EXPECT_EQ(new_crash_report(path("")), path("crash-20010101-000000-2.txt"));
  EXPECT_TRUE(fs::exists(path("crash-20010101-000000-2.txt")));
  EXPECT_FALSE(fs::exists(path("crash-20260101-000001-1.txt")));
  EXPECT_EQ(new_crash_report(path("")), std::nullopt);
}

}  // namespace
}  // namespace threadscape::app
