// Tests of a whole window that keeps its session, is left without being closed, and offers the session at the next
// start.

#include "app/shell/session_recovery.h"

#include <glad/gl.h>
#include <gtest/gtest.h>
#include <imgui_internal.h>
#include <stdlib.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include "app/platform/platform.h"
#include "app/shell/frame_loop.h"
#include "compute/registry/registry.h"
#include "render/gl/context_lost.h"
#include "tests/support/app/app_testing.h"
#include "tests/support/compute/test_files.h"

namespace threadscape::app {
namespace {

namespace fs = std::filesystem;

/// The objects that a start of the window creates.
class Session {
 public:
  explicit Session(const fs::path& folder)
      : platform_(make_headless(800, 600)),
        recovery_(folder, workspace_.log, std::chrono::milliseconds(0)),
        route_(interop::probe_route(platform_->context(), gpu::devices().first())),
        live_(route_, [] {}),
        window_(*platform_, shaders_, workspace_, live_, machine_facts(platform_->context(), route_), {}, {}) {
    workspace_.set_source("photo", threadscape::testing::test_photo());
    recovery_.offer({*platform_, workspace_, live_, window_});
  }

  void frames(int count) {
    for (int i = 0; i < count; ++i) {
      const Input input = platform_->poll(false);
      if (frame_.id() == 0) frame_ = gl::Framebuffer(input.width, input.height);
      live_.update(workspace_);
      window_.frame(input, frame_);
      recovery_.after_frame({*platform_, workspace_, live_, window_});
    }
  }
  void settle() {
    do {
      frames(1);
    } while (!live_.settled(workspace_));
    frames(3);
  }
  /// Presses a button of the dialog, as Tab and Enter would.
  void press(const char* button) {
    ImGuiWindow* dialog = ImGui::FindWindowByName("###recovery");
    ASSERT_NE(dialog, nullptr);
    ImGui::ActivateItemByID(dialog->GetID(button));
    frames(3);
  }
  [[nodiscard]] bool is_logged(const std::string& text) const {
    for (const LogBook::Entry& entry : workspace_.log.entries())
      if (entry.text.find(text) != std::string::npos) return true;
    return false;
  }

  Workspace workspace_;
  gl::ShaderLibrary shaders_;
  std::unique_ptr<Platform> platform_;
  SessionRecovery recovery_;
  interop::RouteReport route_;
  LiveView live_;
  Window window_;
  gl::Framebuffer frame_;
};

class SessionRecoveryTest : public TestFolder {
 protected:
  void SetUp() override {
    TestFolder::SetUp();
    (void)threadscape::testing::headless_or_skip(64, 64);
  }
  [[nodiscard]] fs::path folder() const { return path("settings"); }
  /// Keeps the state of a session with this filter, and copies what a crash would leave.
  void leave_a_session(const char* algorithm) {
    Session session(folder());
    session.workspace_.choose_algorithm(find_algorithm(algorithm));
    session.workspace_.set_parameter("size", "7");
    session.settle();
    for (const auto& entry : fs::directory_iterator(folder()))
      if (entry.path().extension() == ".json") fs::copy(entry.path(), path("left.json"));
  }
};

TEST_F(SessionRecoveryTest, ALeftSessionIsOfferedAndRestored) {
  leave_a_session("median");
  fs::rename(path("left.json"), folder() / "session-1.json");

  Session session(folder());
  session.workspace_.choose_algorithm(find_algorithm("sobel"));
  session.settle();
  EXPECT_TRUE(session.window_.recovery().is_open());
  session.press("Go on with it");
  EXPECT_FALSE(session.window_.recovery().is_open());
  EXPECT_EQ(session.workspace_.algorithm().name, "median");
  const std::vector<FieldRef> fields = session.workspace_.work().params.fields();
  const auto size = std::ranges::find(fields, "size", &FieldRef::name);
  ASSERT_NE(size, fields.end());
  EXPECT_EQ(to_text(*size), "7");
  EXPECT_FALSE(fs::exists(folder() / "session-left.json"));
  session.settle();
}

TEST_F(SessionRecoveryTest, ALeftSessionCanBeDiscarded) {
  leave_a_session("median");
  fs::rename(path("left.json"), folder() / "session-1.json");
  Session session(folder());
  session.workspace_.choose_algorithm(find_algorithm("sobel"));
  session.settle();
  session.press("Start afresh");
  EXPECT_EQ(session.workspace_.algorithm().name, "sobel");
  EXPECT_FALSE(fs::exists(folder() / "session-left.json"));
}

TEST_F(SessionRecoveryTest, AClosedSessionIsNotOffered) {
  leave_a_session("median");
  Session session(folder());
  session.frames(3);
  EXPECT_FALSE(session.window_.recovery().is_open());
}

TEST_F(SessionRecoveryTest, KeepingTheSessionChangesNothing) {
  Session session(folder());
  session.workspace_.choose_algorithm(find_algorithm("gaussian"));
  session.settle();
  const std::uint64_t runs = session.workspace_.timings.runs();
  session.frames(20);
  EXPECT_EQ(session.workspace_.algorithm().name, "gaussian");
  EXPECT_EQ(session.workspace_.timings.runs(), runs) << "keeping the session has started a run";
}

TEST_F(SessionRecoveryTest, SettingsThatEndTheStartAreSetAside) {
  fs::create_directories(folder());
  write_bytes(folder() / "settings.json", "{\"algorithm\": \"median\"}");
  {
    LogBook log;
    SessionRecovery recovery(folder(), log);
    EXPECT_THROW(recovery.guarded([] { throw std::runtime_error("settings that nobody can bear"); }),
                 std::runtime_error);
  }
  LogBook log;
  const SessionRecovery recovery(folder(), log);
  EXPECT_FALSE(fs::exists(folder() / "settings.json"));
  EXPECT_EQ(read_bytes(folder() / "settings-set-aside.json"), "{\"algorithm\": \"median\"}");
  ASSERT_EQ(log.entries().size(), 1u);
  const std::string text = log.entries().front().text;
  EXPECT_TRUE(text.starts_with("The last start failed, so this one uses default settings; yours are kept in '"))
      << text;
  EXPECT_NE(text.find("settings-set-aside.json"), std::string::npos);
}

TEST_F(SessionRecoveryTest, AWindowThatWorksKeepsItsSettingsWhenItCrashesLater) {
  fs::create_directories(folder());
  write_bytes(folder() / "settings.json", "{}");
  {
    Session session(folder());
    session.settle();
    EXPECT_THROW(session.recovery_.guarded([] { throw std::runtime_error("later"); }), std::runtime_error);
  }
  LogBook log;
  const SessionRecovery recovery(folder(), log);
  EXPECT_TRUE(fs::exists(folder() / "settings.json"));
}

TEST_F(SessionRecoveryTest, ACrashSinceTheLastStartIsTold) {
  fs::create_directories(folder());
  { Session first(folder()); }
  EXPECT_FALSE(Session(folder()).is_logged("the program has crashed"));
  write_bytes(folder() / "crash-20010101-000000-1.txt", "report");
  EXPECT_TRUE(Session(folder()).is_logged("crash-20010101-000000-1.txt"));
  EXPECT_FALSE(Session(folder()).is_logged("the program has crashed"));
}

/// While it lives, OpenGL reports that the GPU was reset from the given call on.
class ResetGpu {
 public:
  explicit ResetGpu(int at_call) {
    left_ = at_call;
    glad_glGetGraphicsResetStatus = []() -> GLenum { return --left_ > 0 ? GL_NO_ERROR : GL_INNOCENT_CONTEXT_RESET; };
  }
  ~ResetGpu() { glad_glGetGraphicsResetStatus = real_; }
  ResetGpu(const ResetGpu&) = delete;
  ResetGpu& operator=(const ResetGpu&) = delete;

 private:
  static inline int left_ = 0;
  PFNGLGETGRAPHICSRESETSTATUSPROC real_ = glad_glGetGraphicsResetStatus;
};

/// Sets XDG_CONFIG_HOME, below which the settings are, while it lives.
class ConfigFolder {
 public:
  explicit ConfigFolder(const fs::path& folder) {
    if (const char* before = std::getenv("XDG_CONFIG_HOME")) before_ = before;
    setenv("XDG_CONFIG_HOME", folder.c_str(), 1);
  }
  ~ConfigFolder() {
    if (before_)
      setenv("XDG_CONFIG_HOME", before_->c_str(), 1);
    else
      unsetenv("XDG_CONFIG_HOME");
  }
  ConfigFolder(const ConfigFolder&) = delete;
  ConfigFolder& operator=(const ConfigFolder&) = delete;

 private:
  std::optional<std::string> before_;
};

TEST_F(SessionRecoveryTest, ALostContextEndsTheSessionWithEverythingSaved) {
  const ConfigFolder config(path(""));
  Session session(folder());
  session.workspace_.choose_algorithm(find_algorithm("median"));
  session.workspace_.set_parameter("size", "9");
  const RunningWindow running{*session.platform_, session.workspace_, session.live_, session.window_};
  const QuitSignals signals;
  const ResetGpu reset(3);
  int frames = 0;
  std::string message;
  try {
    save_if_frames_fail(running, [&] {
      run_frames(*session.platform_, session.shaders_, session.workspace_, session.live_, session.window_, signals,
                 [&] { ASSERT_LT(++frames, 100) << "the loss was not noticed"; });
    });
  } catch (const gl::ContextLost& lost) {
    message = lost.what();
  }
  EXPECT_EQ(frames, 2);  // The third one is lost.
  EXPECT_NE(message.find("the GPU was reset because of another program"), std::string::npos) << message;
  EXPECT_NE(message.find("the session was saved"), std::string::npos) << message;
  LogBook log;
  const Settings settings = load_settings(log);
  EXPECT_EQ(settings.algorithm, "median");
  EXPECT_NE(settings.parameters.at("median").find("9"), std::string::npos);
}

TEST_F(SessionRecoveryTest, AFrameThatFailsIsReportedAsItIs) {
  const ConfigFolder config(path(""));
  Session session(folder());
  session.workspace_.choose_algorithm(find_algorithm("sobel"));
  const RunningWindow running{*session.platform_, session.workspace_, session.live_, session.window_};
  EXPECT_THROW(save_if_frames_fail(running, [] { throw std::runtime_error("a fault"); }), std::runtime_error);
  LogBook log;
  EXPECT_EQ(load_settings(log).algorithm, "sobel");
}

}  // namespace
}  // namespace threadscape::app
