// The platform with a window: GLFW on X11 or Wayland, whichever is present.

#include <glad/gl.h>
// GLFW is included after glad, which replaces the system's GL headers.
#include <GLFW/glfw3.h>
#include <imgui_impl_glfw.h>
#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <tuple>
#include <utility>

#include "app/platform/gl_debug.h"
#include "app/platform/platform.h"
#include "compute/core/errors.h"

// GLFW declares this function in a header that needs those of X11, whose type Window is a number of this type.
// NOLINTNEXTLINE(readability-identifier-naming): GLFW calls the function by this name.
extern "C" unsigned long glfwGetX11Window(GLFWwindow* window);

namespace threadscape::app {

namespace {

/// GLFW's description of its last error.
std::string glfw_reason() {
  const char* words = nullptr;
  const int code = glfwGetError(&words);
  return code == GLFW_NO_ERROR || !words ? "GLFW gave no reason" : words;
}

[[noreturn]] void fail(const std::string& what) {
  throw EnvironmentError(what + " (" + glfw_reason() + "); `threadscape render` works without a display");
}

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value && *value != '\0';
}

/// Initialises the GLFW library, and terminates it in the destructor.
class Glfw {
 public:
  Glfw() {
    // GLFW would try both X11 and Wayland, and libwayland prints errors on stderr if there is no Wayland session.
    const bool x11 = is_set("DISPLAY"), wayland = is_set("WAYLAND_DISPLAY") || is_set("WAYLAND_SOCKET");
    if (!x11 && !wayland)
      throw EnvironmentError(
          "cannot open a window: neither DISPLAY nor WAYLAND_DISPLAY is set; `threadscape render` works without a "
          "display");
    if (!wayland) glfwInitHint(GLFW_PLATFORM, GLFW_PLATFORM_X11);
    if (!glfwInit()) fail("cannot open a window");
  }
  ~Glfw() { glfwTerminate(); }
  Glfw(const Glfw&) = delete;
  Glfw& operator=(const Glfw&) = delete;
};

struct DestroyWindow {
  void operator()(GLFWwindow* window) const { glfwDestroyWindow(window); }
};
using Window = std::unique_ptr<GLFWwindow, DestroyWindow>;

/// The part of a size in points that the first monitor has room for; the size itself if there is no monitor.
std::pair<int, int> size_on_screen(int width, int height) {
  GLFWmonitor* const monitor = glfwGetPrimaryMonitor();
  if (monitor == nullptr) return {width, height};
  int left = 0, top = 0, wide = 0, high = 0;
  float scale_x = 1.0f, scale_y = 1.0f;
  glfwGetMonitorWorkarea(monitor, &left, &top, &wide, &high);
  glfwGetMonitorContentScale(monitor, &scale_x, &scale_y);
  if (wide <= 0 || high <= 0 || scale_x <= 0.0f || scale_y <= 0.0f) return {width, height};
  return {std::min(width, static_cast<int>(static_cast<float>(wide) / scale_x)),
          std::min(height, static_cast<int>(static_cast<float>(high) / scale_y))};
}

Window open_window(const WindowOptions& options) {
  glfwWindowHint(GLFW_CLIENT_API, GLFW_OPENGL_API);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 4);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 5);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_CONTEXT_DEBUG, gl_debug_wanted() ? GLFW_TRUE : GLFW_FALSE);
  // After a reset of the GPU the context says that it is lost. Drivers that cannot do that ignore the hint.
  glfwWindowHint(GLFW_CONTEXT_ROBUSTNESS, GLFW_LOSE_CONTEXT_ON_RESET);
  glfwWindowHint(GLFW_MAXIMIZED, options.state.maximised ? GLFW_TRUE : GLFW_FALSE);
  glfwWindowHint(GLFW_VISIBLE, options.visible ? GLFW_TRUE : GLFW_FALSE);
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);  // The size of the window is in points.
  // The program draws into a framebuffer of its own with depth and samples, and the framebuffer of the window only
  // receives copies.
  glfwWindowHint(GLFW_DEPTH_BITS, 0);
  glfwWindowHint(GLFW_STENCIL_BITS, 0);
  auto [width, height] = std::pair{options.state.width, options.state.height};
  if (options.fits_screen) std::tie(width, height) = size_on_screen(width, height);
  Window window(glfwCreateWindow(std::max(width, 320), std::max(height, 200), options.title.c_str(), nullptr, nullptr));
  if (!window) fail("cannot open a window with OpenGL 4.5");
  return window;
}

class WindowContext final : public gl::Context {
 public:
  WindowContext(GLFWwindow* window, bool vsync) : window_(window) {
    glfwMakeContextCurrent(window_);
    try {
      load_gl(glfwGetProcAddress);
    } catch (const EnvironmentError& error) {
      throw EnvironmentError(std::string(error.what()) + "; `threadscape render` works without a display");
    }
    glfwSwapInterval(vsync ? 1 : 0);
  }
  void make_current() override { glfwMakeContextCurrent(window_); }
  GLADapiproc get_proc(const char* name) const override { return glfwGetProcAddress(name); }
  std::string origin() const override {
    switch (glfwGetPlatform()) {
      case GLFW_PLATFORM_X11:
        return "GLFW window (X11)";
      case GLFW_PLATFORM_WAYLAND:
        return "GLFW window (Wayland)";
      default:
        return "GLFW window";
    }
  }

 private:
  GLFWwindow* window_;
};

class GlfwPlatform final : public Platform {
 public:
  explicit GlfwPlatform(const WindowOptions& options)
      : window_(open_window(options)), context_(window_.get(), options.vsync) {
    glfwSetWindowUserPointer(window_.get(), this);
    glfwSetDropCallback(window_.get(), [](GLFWwindow* window, int count, const char** paths) {
      auto& self = *static_cast<GlfwPlatform*>(glfwGetWindowUserPointer(window));
      self.dropped_.insert(self.dropped_.end(), paths, paths + count);
    });
    glfwSetWindowRefreshCallback(window_.get(), [](GLFWwindow* window) {
      static_cast<GlfwPlatform*>(glfwGetWindowUserPointer(window))->damaged_ = true;
    });
    start_ = last_ = glfwGetTime();
  }

  gl::Context& context() override { return context_; }
  bool headless() const override { return false; }

  Input poll_for(double seconds) override {
    const bool sleeps = seconds > 0.0;
    // gather_events() may have taken the event of a wake() for which nothing was drawn yet.
    if (sleeps && !woken_)
      glfwWaitEventsTimeout(seconds);
    else
      glfwPollEvents();
    woken_ = false;  // What another thread has finished by now is seen in the frame that follows.

    Input input;
    glfwGetFramebufferSize(window_.get(), &input.width, &input.height);
    input.content_scale = content_scale();
    const double now = glfwGetTime();
    input.time = now - start_;
    input.delta = static_cast<float>(std::max(now - last_, 1e-4));
    last_ = now;
    input.dropped = std::exchange(dropped_, {});
    // ImGui's callbacks have queued what the mouse and the keyboard did.
    const ImGuiContext* const ui = ImGui::GetCurrentContext();
    input.events = std::exchange(damaged_, false) || !input.dropped.empty() ||
                   glfwWindowShouldClose(window_.get()) != 0 || (ui != nullptr && !ui->InputEventsQueue.empty());
    input.only_woken = sleeps && !input.events;
    input.close_requested = glfwWindowShouldClose(window_.get()) != 0;
    glfwSetWindowShouldClose(window_.get(), GLFW_FALSE);  // Each request to close is reported once.
    return input;
  }

  void gather_events(double seconds) override {
    const double end = glfwGetTime() + seconds;
    for (double left = seconds; left > 0.0 && !woken_; left = end - glfwGetTime())
      glfwWaitEventsTimeout(left);
  }

  void present(const gl::Framebuffer& frame) override {
    int width = 0, height = 0;
    glfwGetFramebufferSize(window_.get(), &width, &height);
    if (width < 1 || height < 1) return;
    gl::blit_to_window(frame, width, height);
    glfwSwapBuffers(window_.get());
  }

  void init_ui() override {
    if (!ImGui_ImplGlfw_InitForOpenGL(window_.get(), true))
      throw EnvironmentError("cannot couple the interface with the window");
  }
  void shutdown_ui() override { ImGui_ImplGlfw_Shutdown(); }
  void begin_ui_frame() override { ImGui_ImplGlfw_NewFrame(); }

  void wake() override {
    woken_ = true;
    glfwPostEmptyEvent();
  }
  void set_title(const std::string& title) override { glfwSetWindowTitle(window_.get(), title.c_str()); }
  void resize(int width, int height) override {
    const float scale = content_scale();
    const auto pixels = [scale](int points) { return std::max(1, static_cast<int>(std::lround(points * scale))); };
    glfwSetWindowSize(window_.get(), pixels(width), pixels(height));
  }

  WindowState window_state() const override {
    if (glfwGetWindowMonitor(window_.get()) != nullptr) return before_fullscreen_;
    WindowState state;
    glfwGetWindowSize(window_.get(), &state.width, &state.height);
    const float scale = content_scale();
    state.width = static_cast<int>(std::lround(static_cast<float>(state.width) / scale));
    state.height = static_cast<int>(std::lround(static_cast<float>(state.height) / scale));
    state.maximised = glfwGetWindowAttrib(window_.get(), GLFW_MAXIMIZED) != 0;
    return state;
  }

  std::string portal_name() const override {
    // On Wayland a window has a name for others only after it was exported, which GLFW does not do.
    if (glfwGetPlatform() != GLFW_PLATFORM_X11) return {};
    std::array<char, 2 * sizeof(unsigned long) + 1> digits{};
    std::to_chars(digits.data(), digits.data() + digits.size() - 1, glfwGetX11Window(window_.get()), 16);
    return std::string("x11:") + digits.data();
  }

  void set_fullscreen(bool on) override {
    const bool is_full = glfwGetWindowMonitor(window_.get()) != nullptr;
    if (on == is_full) return;
    if (!on) {
      glfwSetWindowMonitor(window_.get(), nullptr, place_[0], place_[1], place_[2], place_[3], GLFW_DONT_CARE);
      if (before_fullscreen_.maximised) glfwMaximizeWindow(window_.get());
      return;
    }
    GLFWmonitor* monitor = nearest_monitor();
    const GLFWvidmode* mode = monitor != nullptr ? glfwGetVideoMode(monitor) : nullptr;
    if (mode == nullptr) return;  // There is no monitor to cover.
    before_fullscreen_ = window_state();
    glfwGetWindowPos(window_.get(), &place_[0], &place_[1]);
    glfwGetWindowSize(window_.get(), &place_[2], &place_[3]);
    glfwSetWindowMonitor(window_.get(), monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
  }

 private:
  /// The monitor that shows the largest part of the window; null if there is none. On Wayland, where windows do not
  /// know their places, it is the first one.
  GLFWmonitor* nearest_monitor() const {
    int x = 0, y = 0, width = 0, height = 0, count = 0;
    glfwGetWindowPos(window_.get(), &x, &y);
    glfwGetWindowSize(window_.get(), &width, &height);
    GLFWmonitor** const all = glfwGetMonitors(&count);
    GLFWmonitor* best = glfwGetPrimaryMonitor();
    int most = 0;
    for (int i = 0; i < count; ++i) {
      int left = 0, top = 0;
      glfwGetMonitorPos(all[i], &left, &top);
      const GLFWvidmode* mode = glfwGetVideoMode(all[i]);
      if (mode == nullptr) continue;
      const int wide = std::min(x + width, left + mode->width) - std::max(x, left);
      const int high = std::min(y + height, top + mode->height) - std::max(y, top);
      if (wide <= 0 || high <= 0 || wide * high <= most) continue;
      most = wide * high;
      best = all[i];
    }
    return best;
  }

  /// Pixels of window coordinates per point: 1 on Wayland, where window coordinates are points.
  float content_scale() const {
    float scale = 1.0f;
    if (glfwGetPlatform() != GLFW_PLATFORM_WAYLAND) glfwGetWindowContentScale(window_.get(), &scale, nullptr);
    return scale > 0.0f ? scale : 1.0f;
  }

  Glfw glfw_;
  Window window_;
  WindowContext context_;
  std::vector<std::filesystem::path> dropped_;
  bool damaged_ = false;  ///< If true, the window has to be drawn again: it was uncovered, or its size has changed.
  WindowState before_fullscreen_;
  std::array<int, 4> place_{};      ///< Position and size of the window before the full screen, in window coordinates.
  std::atomic<bool> woken_{false};  ///< If true, wake() was called since the last poll().
  double start_ = 0.0, last_ = 0.0;
};

}  // namespace

std::unique_ptr<Platform> make_window(const WindowOptions& options) {
  return std::make_unique<GlfwPlatform>(options);
}

}  // namespace threadscape::app
