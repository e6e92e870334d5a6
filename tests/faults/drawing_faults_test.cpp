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

#include "app/window/session_recovery.h"
#include "compute/registry/registry.h"
#include "tests/faults/faults.h"
#include "tests/support/app/app_testing.h"
#include "tests/support/app/desk.h"
#include "tests/support/compute/test_files.h"

namespace threadscape::app {
namespace {

struct Action {
  std::string_view name;
  std::function<void(Desk&)> act;
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
      {"nothing happens", [](Desk&) {}},
      {"an algorithm is chosen", [](Desk& desk) { desk.workspace.choose_algorithm(find_algorithm("mean")); }},
      {"a message comes", [](Desk& desk) { desk.workspace.log.error("a message that the panel wraps"); }},
  };
  const bool all = std::getenv("THREADSCAPE_FAULTS") != nullptr;
  int failures = 0, ended = 0;
  for (const Action& action : actions) {
    std::unique_ptr<Desk> desk;
    // Steps grow, so that the first allocations of a frame, which differ most, fail one by one.
    for (std::int64_t nth = 1;; nth += all ? 1 : 1 + nth / 4) {
      SCOPED_TRACE(std::string(action.name) + ", allocation " + std::to_string(nth));
      if (!desk) {
        auto platform = threadscape::testing::headless_or_skip(640, 480);
        if (!platform) return;
        desk = std::make_unique<Desk>(std::move(platform));
        desk->workspace.choose_backend(Backend::serial);
        desk->workspace.set_source("photo", threadscape::testing::test_photo());
      }
      desk->workspace.choose_algorithm(find_algorithm("median"));
      desk->settle();
      std::string chosen;
      bool happened = false, failed = false;
      try {
        save_if_frames_fail({*desk->platform_, desk->workspace, desk->live_, desk->window_}, [&] {
          action.act(*desk);
          chosen = desk->workspace.algorithm().name;
          const faults::Armed armed(faults::Kind::memory, nth);
          try {
            desk->frame();
            desk->frame();
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
        desk.reset();
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
