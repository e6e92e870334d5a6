#pragma once
// An OpenGL 4.5 core context, created by a window or by EGL without a display, and the messages of its driver.

#include <glad/gl.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace threadscape::gl {

enum class Severity : std::uint8_t { info, warning, error };

/// Receives the messages of the driver (KHR_debug), on the thread that made the GL call. It must not throw, since the
/// driver calls it.
using MessageSink = std::function<void(Severity, std::string_view)>;

/// Owned by the platform that created it. All GL objects must be destroyed before it, on the thread where it is
/// current.
class Context {
 public:
  Context() = default;
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  virtual ~Context() = default;

  virtual void make_current() = 0;
  [[nodiscard]] virtual GLADapiproc get_proc(const char* name) const = 0;
  /// How the context was created, for the command `info`: "GLFW window (X11)", "EGL device 0", "Mesa surfaceless".
  [[nodiscard]] virtual std::string origin() const = 0;
  /// CUDA ordinal of the EGL device of the context; -1 if there is none or EGL does not tell.
  [[nodiscard]] virtual int egl_cuda_device() const { return -1; }

  [[nodiscard]] const std::string& vendor() const { return vendor_; }
  [[nodiscard]] const std::string& renderer() const { return renderer_; }
  [[nodiscard]] const std::string& version() const { return version_; }
  /// Returns whether the renderer runs on the CPU: llvmpipe, softpipe, swrast.
  [[nodiscard]] bool software() const { return software_; }
  [[nodiscard]] int max_texture_size() const { return max_texture_size_; }

  /// Sets the receiver of driver messages. Without one only errors are kept, for check().
  void set_message_sink(MessageSink sink) { sink_ = std::move(sink); }
  /// Throws EnvironmentError with `what` and the message of the driver if GL reported an error since the last call.
  void check(std::string_view what);

 protected:
  /// Loads the GL functions, reads the strings and installs the debug callback. The context must be current. Throws
  /// EnvironmentError if the functions cannot be loaded or the version is below 4.5.
  void load_gl(GLADloadfunc load);

 private:
  static void GLAD_API_PTR on_message(GLenum source, GLenum type, GLuint id, GLenum severity, GLsizei length,
                                      const GLchar* text, const void* self);

  std::string vendor_, renderer_, version_;
  bool software_ = false;
  int max_texture_size_ = 0;
  MessageSink sink_;
  std::string first_error_;
};

}  // namespace threadscape::gl
