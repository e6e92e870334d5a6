// What the window does when any one allocation or any one call for a file fails on the threads that work for it: the
// run, the opening or the saving ends with a message in the log, and the next one succeeds. The drawing thread is
// spared, and so is the GPU's driver.

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "app/live/live_view.h"
#include "app/platform/platform.h"
#include "app/session/workspace.h"
#include "compute/io/data_file.h"
#include "compute/registry/registry.h"
#include "tests/faults/faults.h"
#include "tests/support/app/app_testing.h"
#include "tests/support/compute/test_files.h"

namespace threadscape::app {
namespace {

namespace fs = std::filesystem;

class LiveFaults : public TestFolder, public ::testing::WithParamInterface<faults::Kind> {
 protected:
  void SetUp() override {
    TestFolder::SetUp();
    platform_ = threadscape::testing::headless_or_skip(64, 64);
    if (!platform_) return;
    live_ = std::make_unique<LiveView>(interop::probe_route(platform_->context(), gpu::devices().first()), [] {});
    workspace_.choose_algorithm(find_algorithm("sobel"));
    workspace_.choose_backend(Backend::serial);
    workspace_.set_source({}, threadscape::testing::test_photo());
    settle();
  }
  /// Updates until nothing is done any more.
  void settle() {
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    do {
      live_->update(workspace_);
      std::this_thread::yield();
      ASSERT_LT(std::chrono::steady_clock::now(), limit);
    } while (live_->busy() || live_->files().busy() ||
             (!live_->shows_wanted(workspace_) && !live_->gave_up(workspace_)));
  }
  [[nodiscard]] std::size_t errors() const {
    std::size_t count = 0;
    for (const LogBook::Entry& entry : workspace_.log.entries())
      if (entry.level == LogBook::Level::error && !entry.text.empty()) ++count;
    return count;
  }
  /// Calls `start`, which gives the other threads something to do, with the first call of those failing, then the
  /// second, and so on until none fails. `succeeded` says whether it was done: if not, the log has one error more.
  /// Afterwards it must succeed without failures. Returns the number of failures.
  int sweep(const std::function<void()>& start, const std::function<bool()>& succeeded) {
    for (int failures = 0;; ++failures) {
      SCOPED_TRACE("failure " + std::to_string(failures + 1));
      const std::size_t before = errors();
      bool happened = false;
      {
        const faults::ArmedElsewhere armed(GetParam(), failures + 1);
        start();
        settle();
        happened = faults::ArmedElsewhere::happened();
      }
      if (!succeeded()) {
        EXPECT_TRUE(happened) << "it failed by itself";
        EXPECT_GT(errors(), before) << "the log does not say why";
      }
      start();
      settle();
      EXPECT_TRUE(succeeded()) << "it does not succeed afterwards";
      if (HasFailure() || !happened) return failures;
    }
  }

  std::unique_ptr<Platform> platform_;
  Workspace workspace_;
  std::unique_ptr<LiveView> live_;
};

TEST_P(LiveFaults, ARunEndsWithAMessageAndTheNextOneSucceeds) {
  if (!live_) return;
  for (const Backend backend : {Backend::serial, Backend::openmp})
    for (const char* algorithm : {"sobel", "median", "seam_carving", "morphology"}) {
      SCOPED_TRACE(std::string(algorithm) + " on " + std::string(name_of(backend)));
      workspace_.choose_algorithm(find_algorithm(algorithm));
      workspace_.choose_backend(backend);
      settle();
      const int failures = sweep([this] { live_->rerun(); }, [this] { return live_->shows_wanted(workspace_); });
      // Runs use the memory of the run before, so that few calls are left. They read no files.
      if (GetParam() == faults::Kind::memory) {
        EXPECT_GE(failures, 1);
      }
    }
}

TEST_P(LiveFaults, OpeningKeepsThePictureOfBeforeOrShowsTheNewOne) {
  if (!live_) return;
  int ends = 0;
  std::string trouble;
  const auto ended = [&](const std::string& why) {
    ++ends;
    trouble = why;
  };
  const fs::path large = path("large.png"), small = path("small.pgm");
  io::save_picture(large, threadscape::testing::test_photo().pixels.view(), io::FileColour::rgb);
  io::save_picture(small, HostArray(Shape::image(Element::u8, 1, 7, 5)).view(), io::FileColour::grey);
  for (const fs::path& file : {large, small}) {
    SCOPED_TRACE(file.filename().string());
    const int failures = sweep(
        [&] {
          workspace_.set_source("before", threadscape::testing::test_photo());
          live_->files().open(workspace_.file_to_open(file), ended);
        },
        [&] {
          EXPECT_EQ(std::exchange(ends, 0), 1);
          const bool opened = trouble.empty();
          EXPECT_EQ(workspace_.source()->path, opened ? file : fs::path("before"));
          return opened;
        });
    EXPECT_GE(failures, 3);
  }
}

TEST_P(LiveFaults, SavingKeepsTheFileOfBeforeOrWritesTheNewOne) {
  if (!live_) return;
  int ends = 0;
  std::string trouble;
  const auto ended = [&](const std::string& why) {
    ++ends;
    trouble = why;
  };
  const fs::path file = path("saved.png");
  const auto picture = std::make_shared<const io::Loaded>(threadscape::testing::test_photo());
  const auto write = [=] { io::save_picture(file, picture->pixels.view(), io::FileColour::rgb); };
  write();
  const std::string whole = read_bytes(file);
  const int failures = sweep(
      [&] {
        write_bytes(file, "before");
        live_->files().save(file, write, ended);
      },
      [&] {
        EXPECT_EQ(std::exchange(ends, 0), 1);
        const bool saved = trouble.empty();
        EXPECT_EQ(read_bytes(file), saved ? whole : "before");
        EXPECT_EQ(names(), std::vector<std::string>{"saved.png"});
        return saved;
      });
  EXPECT_GE(failures, 3);
}

INSTANTIATE_TEST_SUITE_P(Kinds, LiveFaults, ::testing::Values(faults::Kind::memory, faults::Kind::files),
                         [](const auto& info) { return info.param == faults::Kind::memory ? "Memory" : "Files"; });

}  // namespace
}  // namespace threadscape::app
