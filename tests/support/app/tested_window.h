#pragma once
// The whole program in one process, for tests of the window: in a real window under an X server, and without one on
// EGL.

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <glm/vec2.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/shell/window.h"
#include "compute/registry/registry.h"
#include "compute/run/runner.h"
#include "tests/support/app/app_testing.h"

namespace threadscape::app {

enum class Where { window, headless };

inline void PrintTo(Where where, std::ostream* out) {
  *out << (where == Where::window ? "window" : "headless");
}

/// The objects that view() creates, with one call for each frame.
class TestedWindow {
 public:
  explicit TestedWindow(std::unique_ptr<Platform> platform)
      : platform_(std::move(platform)),
        route_(interop::probe_route(platform_->context(), gpu::devices().first())),
        live_(route_, [this] { platform_->wake(); }),
        window_(*platform_, shaders_, workspace, live_, machine_facts(platform_->context(), route_), {}, {}) {
    workspace.choose_algorithm(find_algorithm("convolution"));
    window_.load_everything();
  }

  void frame(const std::vector<std::filesystem::path>& dropped = {}) {
    Input input = platform_->poll(false);
    input.dropped = dropped;
    if (frame_.id() == 0 || frame_.width() != input.width || frame_.height() != input.height)
      frame_ = gl::Framebuffer(input.width, input.height);
    live_.update(workspace);
    window_.frame(input, frame_);
    EXPECT_EQ(ImGui::GetCurrentContext()->ErrorCountCurrentFrame, 0) << "ImGui was called in a way that it warns of";
    platform_->present(frame_);
    window_.note_shown();
    if (after_frame) after_frame();
    if (window_.advance()) live_.update(workspace);
  }
  /// Draws frames until `done` returns true. Fails the test after 60 s.
  void frames_until(const std::function<bool()>& done) {
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    do {
      frame();
      ASSERT_LT(std::chrono::steady_clock::now(), limit) << "the window never got there";
    } while (!done());
  }
  void settle() {
    for (int i = 0; i < 5; ++i)
      frame();
    frames_until([this] { return live_.settled(workspace); });
  }
  void press(ImGuiKey key, ImGuiKey modifier = ImGuiKey_None) {
    ImGuiIO& io = ImGui::GetIO();
    if (modifier != ImGuiKey_None) io.AddKeyEvent(modifier, true);
    io.AddKeyEvent(key, true);
    frame();
    io.AddKeyEvent(key, false);
    if (modifier != ImGuiKey_None) io.AddKeyEvent(modifier, false);
    frame();
  }
  /// Moves the mouse there, and presses or releases its left button.
  void mouse(ImVec2 at, bool pressed) {
    ImGui::GetIO().AddMousePosEvent(at.x, at.y);
    frame();
    ImGui::GetIO().AddMouseButtonEvent(0, pressed);
    frame();
  }
  /// Presses a mouse button on one cell of the preview, drags to another cell and releases it.
  void drag(int button, glm::ivec2 from, glm::ivec2 to, ImGuiKey modifier = ImGuiKey_None) {
    ImGuiIO& io = ImGui::GetIO();
    const auto go = [&](glm::ivec2 cell) {
      const ImVec2 at = window_.previews().cell_on_screen(cell.x, cell.y);
      io.AddMousePosEvent(at.x, at.y);
      frame();
    };
    if (modifier != ImGuiKey_None) io.AddKeyEvent(modifier, true);
    go(from);
    io.AddMouseButtonEvent(button, true);
    go(from);
    go(to);
    io.AddMouseButtonEvent(button, false);
    go(to);
    if (modifier != ImGuiKey_None) io.AddKeyEvent(modifier, false);
    frame();
    frame();
  }
  void choose(std::string_view algorithm, const std::vector<std::pair<std::string, std::string>>& sets) {
    workspace.choose_algorithm(find_algorithm(algorithm));
    for (const auto& [name, value] : sets)
      workspace.set_parameter(name, value);
    settle();
  }
  [[nodiscard]] std::string parameter(std::string_view name) {
    for (const FieldRef& field : workspace.work().params.fields())
      if (field.name == name) return to_text(field);
    return "";
  }
  /// Moves the keyboard focus to the widget of a parameter, as Tab and Enter would.
  void activate(const char* field) {
    ImGuiWindow* panel = ImGui::FindWindowByName("Parameters###parameters");
    ASSERT_NE(panel, nullptr);
    ImGui::FocusWindow(panel);
    frame();
    ImGui::ActivateItemByID(ImHashStr("##value", 0, panel->GetID(field)));
    frame();
    frame();
  }
  /// The middle of the widget of a parameter on screen. The keyboard focus moves there.
  [[nodiscard]] ImVec2 place_of_field(const char* field) {
    activate(field);
    ImGuiWindow* panel = ImGui::FindWindowByName("Parameters###parameters");
    return ImGui::WindowRectRelToAbs(panel, panel->NavRectRel[ImGuiNavLayer_Main]).GetCenter();
  }
  /// Presses a button of the file browser, as Tab and Enter would.
  void press_in_files(const char* browser, const char* button) {
    ImGuiWindow* files = ImGui::FindWindowByName((std::string(browser) + "###files").c_str());
    ASSERT_NE(files, nullptr);
    ImGui::ActivateItemByID(files->GetID(button));
    frame();
    frame();
  }
  [[nodiscard]] HostArray result() { return live_.output()->read(); }
  [[nodiscard]] HostArray expected(Backend backend) {
    RunRequest request = workspace.wanted().request();
    request.backend = backend;
    request.variant = 0;
    return Runner().run(request, workspace.source()->picture.pixels.view()).output;
  }

  Workspace workspace;
  std::function<void()> after_frame;  ///< Called after each frame, while ImGui's draw data are valid; may be empty.
  gl::ShaderLibrary shaders_;
  std::unique_ptr<Platform> platform_;
  interop::RouteReport route_;
  LiveView live_;
  Window window_;
  gl::Framebuffer frame_;
};

/// A window in which a photo is open and filtered.
class TestedWindowTest : public ::testing::TestWithParam<Where> {
 protected:
  void SetUp() override {
    if (GetParam() == Where::window) {
      if (const std::string trouble = threadscape::testing::require_display(); !trouble.empty())
        GTEST_SKIP() << "no display: " << trouble;
    }
    // The test is skipped only on a machine without OpenGL: any later failure is a failure of the program.
    std::unique_ptr<Platform> platform;
    try {
      platform = GetParam() == Where::window ? make_window({.state = {.width = 1280, .height = 800}})
                                             : make_headless(1280, 800);
    } catch (const EnvironmentError& error) {
      GTEST_SKIP() << error.what();
    }
    tested_ = std::make_unique<TestedWindow>(std::move(platform));
    io::save_picture(folder_.path() / "photo.png", threadscape::testing::test_photo().pixels.view(),
                     io::FileColour::rgb);
    tested_->frame({folder_.path() / "photo.png"});
  }

  threadscape::testing::TemporaryFolder folder_;
  std::unique_ptr<TestedWindow> tested_;
};

/// The name of a place, for INSTANTIATE_TEST_SUITE_P.
inline std::string name_of_place(const ::testing::TestParamInfo<Where>& info) {
  return info.param == Where::window ? "Xserver" : "Egl";
}

}  // namespace threadscape::app
