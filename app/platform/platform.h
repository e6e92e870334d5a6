#pragma once
// The place where frames are presented: a window (GLFW), or none (EGL without a display). For both, a frame is drawn
// into a gl::Framebuffer of Input::width x Input::height pixels and handed to present().

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "render/gl/context.h"
#include "render/gl/framebuffer.h"

namespace threadscape::app {

/// What happened since the last poll. Mouse and keyboard events go to ImGui directly.
struct Input {
  int width = 0, height = 0;  ///< Size of the framebuffer in pixels; 0 while the window is minimised.
  /// How much larger the interface must be drawn, in ImGui's units: 2 on a HiDPI X11 screen. Where the window system
  /// scales by itself (Wayland) it is 1, and ImGui's DisplayFramebufferScale says how many pixels a unit has.
  float content_scale = 1.0f;
  double time = 0.0;                           ///< Seconds since the platform was made; without a window 1/60 per poll.
  float delta = 1.0f / 60.0f;                  ///< Seconds since the last poll, > 0.
  std::vector<std::filesystem::path> dropped;  ///< Files that were dropped on the window.
  bool close_requested = false;
};

/// The size of the window, kept between sessions; in points, so that it fits screens of another density.
struct WindowState {
  int width = 1600, height = 1000;
  bool maximised = false;
};

/// Used on the main thread. The order is: the platform, the ImGui context (made by the UI), init_ui(), ImGui's OpenGL
/// backend; at the end the reverse order.
class Platform {
 public:
  Platform() = default;
  Platform(const Platform&) = delete;
  Platform& operator=(const Platform&) = delete;
  virtual ~Platform() = default;

  [[nodiscard]] virtual gl::Context& context() = 0;
  /// With `wait_for_events` it sleeps until something happens, wake() is called, or max_wait has passed: an idle window
  /// costs nothing. Without a window it never sleeps.
  [[nodiscard]] virtual Input poll(bool wait_for_events) = 0;
  /// Shows the framebuffer at the next refresh of the screen; does nothing without a window.
  virtual void present(const gl::Framebuffer& frame) = 0;
  [[nodiscard]] virtual bool headless() const = 0;

  /// Connects the current ImGui context with this platform: input, clipboard, cursors, display size.
  virtual void init_ui() = 0;
  virtual void shutdown_ui() = 0;
  /// Called before ImGui::NewFrame().
  virtual void begin_ui_frame() = 0;

  /// Ends a poll() that waits. It is the only member that other threads may call.
  virtual void wake() {}
  virtual void set_title(const std::string&) {}
  /// The size is in points with a window, in pixels without. It takes effect at the next poll.
  virtual void resize(int width, int height) = 0;
  [[nodiscard]] virtual WindowState window_state() const = 0;

  static constexpr double max_wait = 0.5;  ///< In seconds.
};

struct WindowOptions {
  std::string title = "Threadscape";
  WindowState state;
  bool vsync = true;
  bool visible = true;  ///< False in tests.
};

// With TS_GL_DEBUG=1 in the environment both functions make a debug context, which is slower and explains errors.

/// Opens a window. Throws EnvironmentError, which names `threadscape render`, when there is no display or no
/// OpenGL 4.5.
[[nodiscard]] std::unique_ptr<Platform> make_window(const WindowOptions& options);

/// A context without a display, an X server or a surface. Tries the EGL device of the CUDA device, other EGL devices
/// (hardware first), then Mesa's surfaceless platform; takes the first that gives OpenGL 4.5. Throws EnvironmentError
/// that says why each attempt failed. `prefer_cuda_device` is the CUDA ordinal of the preferred device, or -1.
[[nodiscard]] std::unique_ptr<Platform> make_headless(int width, int height, int prefer_cuda_device = -1,
                                                      float content_scale = 1.0f);

}  // namespace threadscape::app
