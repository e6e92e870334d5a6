#pragma once
// The interface to the system that shows frames: a window (GLFW), or none (EGL without a display). For both, a frame is
// drawn into a gl::Framebuffer of Input::width x Input::height pixels and passed to present().

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "render/gl/context.h"
#include "render/gl/framebuffer.h"

namespace threadscape::app {

/// The events since the last poll. Mouse and keyboard events go directly to ImGui.
struct Input {
  int width = 0, height = 0;  ///< Size of the framebuffer in pixels; 0 while the window is minimised.
  /// Factor by which the interface must be drawn larger, in ImGui's units: 2 on a HiDPI screen under X11. If the window
  /// system scales itself (Wayland) it is 1, and ImGui's DisplayFramebufferScale is the number of pixels per unit.
  float content_scale = 1.0f;
  double time = 0.0;           ///< Seconds since the platform was created; without a window, each poll adds 1/60.
  float delta = 1.0f / 60.0f;  ///< Seconds since the last poll; greater than 0.
  std::vector<std::filesystem::path> dropped;  ///< Files that were dropped on the window.
  bool close_requested = false;
  bool events = false;  ///< The user or the window system has done something since the last poll.
  /// If true, poll() has slept, and no event of the user or the window has ended that: time has passed, or wake() was
  /// called.
  bool only_woken = false;
};

/// The size of the window, which is kept between sessions. It is in points, so that it fits screens with another pixel
/// density.
struct WindowState {
  int width = 1600, height = 1000;
  bool maximised = false;
};

/// The source of input and the target of frames, used on the main thread. The order of creation is: the platform, the
/// ImGui context (by the UI), init_ui(), ImGui's OpenGL backend. They are destroyed in reverse order.
class Platform {
 public:
  Platform() = default;
  Platform(const Platform&) = delete;
  Platform& operator=(const Platform&) = delete;
  virtual ~Platform() = default;

  [[nodiscard]] virtual gl::Context& context() = 0;
  /// Returns the events since the last call. With `wait_for_events` it sleeps until there is an event, wake() is
  /// called, or max_wait has passed, so that an idle window uses no CPU time. Without a window it never sleeps.
  [[nodiscard]] Input poll(bool wait_for_events) { return poll_for(wait_for_events ? max_wait : 0.0); }
  /// Sleeps for at most this many seconds; 0 does not sleep.
  [[nodiscard]] virtual Input poll_for(double seconds) = 0;
  /// Sleeps for `seconds`, or until wake() is called. Events that arrive meanwhile do not end it; the next poll()
  /// returns them. Does nothing without a window.
  virtual void gather_events(double seconds) = 0;
  /// Shows the framebuffer at the next refresh of the screen; does nothing without a window.
  virtual void present(const gl::Framebuffer& frame) = 0;
  [[nodiscard]] virtual bool headless() const = 0;

  /// Connects the current ImGui context with this platform: input, clipboard, cursors, display size.
  virtual void init_ui() = 0;
  virtual void shutdown_ui() = 0;
  /// Called before ImGui::NewFrame().
  virtual void begin_ui_frame() = 0;

  /// Ends a poll() or gather_events() that waits. It is the only member that other threads may call.
  virtual void wake() {}
  virtual void set_title(const std::string&) {}
  /// Changes the size, which is in points with a window and in pixels without. It takes effect at the next poll.
  virtual void resize(int width, int height) = 0;
  /// The size without a full screen.
  [[nodiscard]] virtual WindowState window_state() const = 0;
  /// The name of the window for dialogs that another program shows for it: "x11:" and its number in hexadecimal digits,
  /// as the portals of the desktop ask for it; "" if it has no such name.
  [[nodiscard]] virtual std::string portal_name() const { return {}; }
  /// Covers the screen on which most of the window is, or returns to the size before. Does nothing without a window.
  virtual void set_fullscreen(bool on) { (void)on; }

  static constexpr double max_wait = 1.0;  ///< Maximum time in seconds for which poll() sleeps.
};

struct WindowOptions {
  std::string title = "Threadscape";
  WindowState state;
  bool vsync = true;
  bool visible = true;  ///< If true, the window is visible; false in tests.
  /// If true, a size that the screen does not have room for is reduced to what fits; false for a size that the user has
  /// stated.
  bool fits_screen = false;
};

// If the environment contains TS_GL_DEBUG=1, make_window() and make_headless() create debug contexts, which are slower
// and explain errors.

/// Opens a window. Throws EnvironmentError, whose message names `threadscape render`, if there is no display or no
/// OpenGL 4.5.
[[nodiscard]] std::unique_ptr<Platform> make_window(const WindowOptions& options);

/// Creates a context without a display, an X server or a surface. Tries the EGL device of the CUDA device, then other
/// EGL devices (hardware first), then Mesa's surfaceless platform, and takes the first that supports OpenGL 4.5. Throws
/// EnvironmentError that states why each attempt failed. `prefer_cuda_device` is the CUDA ordinal of the preferred
/// device, or -1.
[[nodiscard]] std::unique_ptr<Platform> make_headless(int width, int height, int prefer_cuda_device = -1,
                                                      float content_scale = 1.0f);

}  // namespace threadscape::app
