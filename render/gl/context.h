#pragma once
// One OpenGL 4.5 core context, whoever made it (a window, or EGL without a display), and what the driver says about it.

#include <glad/gl.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace threadscape::gl {

enum class Severity : std::uint8_t { info, warning, error };

/// Receives what the driver reports (KHR_debug). Called on the thread that made the GL call. Must not throw: the call
/// comes through the driver.
using MessageSink = std::function<void(Severity, std::string_view)>;

/// Owned by the platform that created it. All GL objects must die before it, on the thread where it is current.
class Context {
 public:
  Context() = default;
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  virtual ~Context() = default;

  virtual void make_current() = 0;
  [[nodiscard]] virtual GLADapiproc get_proc(const char* name) const = 0;
  /// How the context came about, for `info`: "GLFW window (X11)", "EGL device 0", "Mesa surfaceless".
  [[nodiscard]] virtual std::string origin() const = 0;
  /// CUDA ordinal of the EGL device behind the context, or -1 when there is none or it is not known this way.
  [[nodiscard]] virtual int egl_cuda_device() const { return -1; }

  [[nodiscard]] const std::string& vendor() const { return vendor_; }
  [[nodiscard]] const std::string& renderer() const { return renderer_; }
  [[nodiscard]] const std::string& version() const { return version_; }
  /// A rasteriser that runs on the CPU: llvmpipe, softpipe, swrast.
  [[nodiscard]] bool software() const { return software_; }
  [[nodiscard]] int max_texture_size() const { return max_texture_size_; }

  /// Where driver messages go; without a sink only errors are kept, for check().
  void set_message_sink(MessageSink sink) { sink_ = std::move(sink); }
  /// Throws EnvironmentError with `what` and the driver's words if GL reported an error since the last call.
  void check(std::string_view what);

 protected:
  /// Loads the GL functions, checks for version 4.5, reads the strings and installs the debug callback. The context
  /// must be current. Throws EnvironmentError.
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
