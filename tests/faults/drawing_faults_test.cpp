// What the window does when an allocation fails on the thread that draws it: the frame is drawn all the same, or the
// session is saved and the frames end with the exception. A frame is not drawn again after a failure, because panels
// are half built then.

#include <gtest/gtest.h>
#include <stdlib.h>

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/shell/session_recovery.h"
#include "compute/registry/registry.h"
#include "tests/faults/faults.h"
#include "tests/support/app/app_testing.h"
#include "tests/support/app/tested_window.h"
#include "tests/support/compute/test_files.h"

namespace threadscape::app {
namespace {

struct Action {
  std::string_view name;
  std::function<void(TestedWindow&)> act;
};

class DrawingFaults : public TestFolder {
 protected:
  void SetUp() override {
    TestFolder::SetUp();
    // ImGui does not ask whether it got memory.
    ImGui::SetAllocatorFunctions([](std::size_t bytes, void*) { return faults::allocate_safely(bytes); },
                                 [](void* block, void*) { faults::free_safely(block); });
    setenv("XDG_CONFIG_HOME", path("").c_str(), 1);
  }
  void TearDown() override {
    unsetenv("XDG_CONFIG_HOME");
    TestFolder::TearDown();
  }
};

TEST_F(DrawingFaults, TheFrameIsDrawnOrTheSessionIsSaved) {
  const std::vector<Action> actions{
      {"nothing happens", [](TestedWindow&) {}},
      {"an algorithm is chosen",
       [](TestedWindow& tested) { tested.workspace.choose_algorithm(find_algorithm("mean")); }},
      {"a message comes", [](TestedWindow& tested) { tested.workspace.log.error("a message that the panel wraps"); }},
  };
  const bool all = std::getenv("THREADSCAPE_FAULTS") != nullptr;
  int failures = 0, ended = 0;
  for (const Action& action : actions) {
    std::unique_ptr<TestedWindow> tested;
    // Steps grow, so that the first allocations of a frame, which differ most, fail one by one.
    for (std::int64_t nth = 1;; nth += all ? 1 : 1 + nth / 4) {
      SCOPED_TRACE(std::string(action.name) + ", allocation " + std::to_string(nth));
      if (!tested) {
        auto platform = threadscape::testing::headless_or_skip(640, 480);
        if (!platform) return;
        tested = std::make_unique<TestedWindow>(std::move(platform));
        tested->workspace.choose_backend(Backend::serial);
        tested->workspace.set_source("photo", threadscape::testing::test_photo());
      }
      tested->workspace.choose_algorithm(find_algorithm("median"));
      tested->settle();
      std::string chosen;
      bool happened = false, failed = false;
      try {
        save_if_frames_fail({*tested->platform_, tested->workspace, tested->live_, tested->window_}, [&] {
          action.act(*tested);
          chosen = tested->workspace.algorithm().name;
          const faults::Armed armed(faults::Kind::memory, nth);
          try {
            tested->frame();
            tested->frame();
          } catch (...) {
            happened = faults::Armed::happened();
            throw;
          }
          happened = faults::Armed::happened();
        });
      } catch (const std::bad_alloc&) {
        failed = true;
      }
      if (failed) {
        EXPECT_TRUE(happened) << "memory ended by itself";
        LogBook log;
        EXPECT_EQ(load_settings(log).algorithm, chosen);
        EXPECT_TRUE(log.entries().empty());
        tested.reset();
        ++ended;
      }
      if (happened) ++failures;
      if (HasFailure() || !happened) break;
    }
  }
  RecordProperty("failures", failures);
  RecordProperty("ended", ended);
  EXPECT_GE(failures, 10);
  EXPECT_GE(ended, 1);
}

}  // namespace
}  // namespace threadscape::app
