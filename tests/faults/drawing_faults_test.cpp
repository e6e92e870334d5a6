// What the window does when an allocation fails on the thread that draws it: the frame is drawn all the same, or the
// session is saved, the frames end with the exception, and the next start goes on with the session. A frame is not
// drawn again after a failure, because panels are half built then.

#include <gtest/gtest.h>
#include <imgui.h>
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

#include "app/live/live_view.h"
#include "app/platform/platform.h"
#include "app/session/workspace.h"
#include "app/window/session_recovery.h"
#include "app/window/window.h"
#include "compute/registry/registry.h"
#include "tests/faults/faults.h"
#include "tests/support/app/app_testing.h"
#include "tests/support/compute/test_files.h"

namespace threadscape::app {
namespace {

/// A window without a display that shows the result of an algorithm.
class Session {
 public:
  explicit Session(std::unique_ptr<Platform> platform)
      : platform_(std::move(platform)),
        route_(interop::probe_route(platform_->context())),
        live_(route_, [] {}),
        window_(*platform_, shaders_, workspace_, live_, machine_facts(platform_->context(), route_), {}, {}) {
    workspace_.choose_backend(Backend::serial);
    workspace_.set_source("photo", threadscape::testing::test_photo());
  }
  void frames(int count) {
    for (int i = 0; i < count; ++i) {
      const Input input = platform_->poll(false);
      if (frame_.id() == 0) frame_ = gl::Framebuffer(input.width, input.height);
      live_.update(workspace_);
      window_.frame(input, frame_);
    }
  }
  void settle() {
    do {
      frames(1);
    } while (!live_.settled(workspace_));
    frames(3);
  }
  [[nodiscard]] RunningWindow running() { return {*platform_, workspace_, live_, window_}; }
  [[nodiscard]] Workspace& workspace() { return workspace_; }
  [[nodiscard]] Window& window() { return window_; }

 private:
  Workspace workspace_;
  gl::ShaderLibrary shaders_;
  std::unique_ptr<Platform> platform_;
  interop::RouteReport route_;
  LiveView live_;
  Window window_;
  gl::Framebuffer frame_;
};

struct Action {
  std::string_view name;
  std::function<void(Session&)> act;
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
      {"nothing happens", [](Session&) {}},
      {"an algorithm is chosen",
       [](Session& session) { session.workspace().choose_algorithm(find_algorithm("mean")); }},
      {"a message comes", [](Session& session) { session.workspace().log.error("a message that the panel wraps"); }},
  };
  const bool all = std::getenv("THREADSCAPE_FAULTS") != nullptr;
  int failures = 0, ended = 0;
  for (const Action& action : actions) {
    std::unique_ptr<Session> session;
    // Steps grow, so that the first allocations of a frame, which differ most, fail one by one.
    for (std::int64_t nth = 1;; nth += all ? 1 : 1 + nth / 4) {
      SCOPED_TRACE(std::string(action.name) + ", allocation " + std::to_string(nth));
      if (!session) {
        auto platform = threadscape::testing::headless_or_skip(640, 480);
        if (!platform) return;
        session = std::make_unique<Session>(std::move(platform));
      }
      session->workspace().choose_algorithm(find_algorithm("median"));
      session->settle();
      std::string chosen;
      bool happened = false, failed = false;
      try {
        save_if_frames_fail(session->running(), [&] {
          action.act(*session);
          chosen = session->workspace().algorithm().name;
          const faults::Armed armed(faults::Kind::memory, nth);
          try {
            session->frames(2);
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
        session.reset();
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
