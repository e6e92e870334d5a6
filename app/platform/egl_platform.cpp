// The platform without a window, a display or an X server: EGL on a GPU, or Mesa's software renderer.

#include <glad/egl.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <utility>

#include "app/platform/gl_debug.h"
#include "app/platform/platform.h"
#include "compute/core/errors.h"
#include "render/gl/buffer.h"

namespace threadscape::app {

namespace {

std::string egl_reason() {
  switch (const EGLint code = eglGetError()) {
    case EGL_SUCCESS:
      return "no reason given";
    case EGL_NOT_INITIALIZED:
      return "EGL_NOT_INITIALIZED";
    case EGL_BAD_ACCESS:
      return "EGL_BAD_ACCESS";
    case EGL_BAD_ALLOC:
      return "EGL_BAD_ALLOC";
    case EGL_BAD_ATTRIBUTE:
      return "EGL_BAD_ATTRIBUTE";
    case EGL_BAD_CONFIG:
      return "EGL_BAD_CONFIG";
    case EGL_BAD_MATCH:
      return "EGL_BAD_MATCH";
    case EGL_BAD_PARAMETER:
      return "EGL_BAD_PARAMETER";
    default:
      return "EGL error " + std::to_string(code);
  }
}

/// A device on which a context may be created.
struct Candidate {
  std::string name;
  EGLDeviceEXT device = nullptr;  ///< The EGL device; null = Mesa's surfaceless platform.
  int cuda_device = -1;
  bool software = false;
};

bool has(const char* extensions, std::string_view name) {
  return extensions && std::string_view(extensions).find(name) != std::string_view::npos;
}

/// The candidates for a context, in the order in which they are tried.
std::vector<Candidate> candidates(int prefer_cuda_device) {
  std::vector<Candidate> found;
  std::array<EGLDeviceEXT, 64> devices{};
  EGLint count = 0;
  if (eglQueryDevicesEXT && eglGetPlatformDisplayEXT &&
      eglQueryDevicesEXT(static_cast<EGLint>(devices.size()), devices.data(), &count)) {
    for (EGLint i = 0; i < count; ++i) {
      Candidate candidate{"EGL device " + std::to_string(i), devices[static_cast<std::size_t>(i)]};
      const char* extensions =
          eglQueryDeviceStringEXT ? eglQueryDeviceStringEXT(candidate.device, EGL_EXTENSIONS) : nullptr;
      candidate.software = has(extensions, "EGL_MESA_device_software");
      EGLAttrib ordinal = -1;
      if (has(extensions, "EGL_NV_device_cuda") && eglQueryDeviceAttribEXT &&
          eglQueryDeviceAttribEXT(candidate.device, EGL_CUDA_DEVICE_NV, &ordinal)) {
        candidate.cuda_device = static_cast<int>(ordinal);
        candidate.name += " (CUDA device " + std::to_string(ordinal) + ")";
      } else if (candidate.software) {
        candidate.name += " (software)";
      }
      found.push_back(candidate);
    }
  }
  // Interop needs the device that CUDA uses. Without interop, any GPU is better than the CPU.
  const auto rank = [&](const Candidate& candidate) {
    if (prefer_cuda_device >= 0 && candidate.cuda_device == prefer_cuda_device) return 0;
    return candidate.software ? 2 : 1;
  };
  std::stable_sort(found.begin(), found.end(), [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  found.push_back({"Mesa surfaceless", nullptr});
  return found;
}

class EglContext final : public gl::Context {
 public:
  /// Creates a context on the candidate. Throws EnvironmentError that names the step that failed.
  explicit EglContext(const Candidate& candidate) : origin_(candidate.name), cuda_device_(candidate.cuda_device) {
    if (!eglGetPlatformDisplayEXT) throw EnvironmentError("no EGL_EXT_platform_base");
    display_ = candidate.device ? eglGetPlatformDisplayEXT(EGL_PLATFORM_DEVICE_EXT, candidate.device, nullptr)
                                : eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
    if (display_ == EGL_NO_DISPLAY) throw EnvironmentError("no display: " + egl_reason());
    // The display is never terminated, because EGL returns one display to all callers in the process, and terminating
    // it would destroy the contexts of other platforms.
    if (!eglInitialize(display_, nullptr, nullptr)) throw EnvironmentError("eglInitialize: " + egl_reason());
    // The functions that glad loaded without a display are only enough to find it. With the display, glad loads the
    // functions of its EGL version.
    if (!gladLoaderLoadEGL(display_)) throw EnvironmentError("no EGL functions");
    const char* extensions = eglQueryString(display_, EGL_EXTENSIONS);
    for (const char* needed : {"EGL_KHR_no_config_context", "EGL_KHR_surfaceless_context"})
      if (!has(extensions, needed)) throw EnvironmentError("no " + std::string(needed));
    if (!eglBindAPI(EGL_OPENGL_API)) throw EnvironmentError("no OpenGL: " + egl_reason());

    const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION,
                                 4,
                                 EGL_CONTEXT_MINOR_VERSION,
                                 5,
                                 EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                 EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                 EGL_CONTEXT_OPENGL_DEBUG,
                                 gl_debug_wanted() ? EGL_TRUE : EGL_FALSE,
                                 EGL_NONE};
    context_ = eglCreateContext(display_, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes);
    if (context_ == EGL_NO_CONTEXT) throw EnvironmentError("no OpenGL 4.5 core context: " + egl_reason());
    try {
      make_current();
      load_gl(eglGetProcAddress);
    } catch (...) {
      destroy();
      throw;
    }
  }
  ~EglContext() override { destroy(); }

  void make_current() override {
    if (!eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context_))
      throw EnvironmentError("eglMakeCurrent: " + egl_reason());
  }
  GLADapiproc get_proc(const char* name) const override { return eglGetProcAddress(name); }
  std::string origin() const override { return origin_; }
  int egl_cuda_device() const override { return cuda_device_; }

 private:
  void destroy() {
    if (eglGetCurrentContext() == context_) eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(display_, context_);
  }

  std::string origin_;
  int cuda_device_;
  EGLDisplay display_ = EGL_NO_DISPLAY;
  EGLContext context_ = EGL_NO_CONTEXT;
};

std::unique_ptr<EglContext> open_context(int prefer_cuda_device) {
  if (!gladLoaderLoadEGL(EGL_NO_DISPLAY)) throw EnvironmentError("no OpenGL without a display: libEGL.so.1 is missing");
  std::string answers;
  for (const Candidate& candidate : candidates(prefer_cuda_device)) {
    try {
      return std::make_unique<EglContext>(candidate);
    } catch (const EnvironmentError& error) {
      answers += (answers.empty() ? "" : "; ") + candidate.name + ": " + error.what();
    }
  }
  throw EnvironmentError("no OpenGL 4.5 without a display. Tried " + answers);
}

class EglPlatform final : public Platform {
 public:
  EglPlatform(int width, int height, int prefer_cuda_device, float content_scale)
      : context_(open_context(prefer_cuda_device)), width_(width), height_(height), content_scale_(content_scale) {}

  gl::Context& context() override { return *context_; }
  bool headless() const override { return true; }

  Input poll_for(double) override {
    Input input;
    input.width = width_;
    input.height = height_;
    input.content_scale = content_scale_;
    input.time = static_cast<double>(polls_++) * static_cast<double>(frame_time);
    input.delta = frame_time;
    return input;
  }
  void gather_events(double) override {}
  /// Waits for the previous frame, as the buffer swap of a window does. Otherwise a loop of frames would run far ahead
  /// of the GPU, and reads from the GPU would wait for all queued frames.
  void present(const gl::Framebuffer&) override {
    gl::Fence placed;
    placed.place();
    glFlush();
    presented_.wait();
    presented_ = std::move(placed);
  }

  void init_ui() override { ImGui::GetIO().BackendPlatformName = "threadscape without a window"; }
  void shutdown_ui() override { ImGui::GetIO().BackendPlatformName = nullptr; }
  void begin_ui_frame() override {
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = ImVec2(static_cast<float>(width_), static_cast<float>(height_));
    io.DisplayFramebufferScale = ImVec2(1.0f, 1.0f);
    io.DeltaTime = frame_time;
  }

  void resize(int width, int height) override {
    width_ = width;
    height_ = height;
  }
  WindowState window_state() const override { return {width_, height_, false}; }

 private:
  // Every frame advances the time by this many seconds on any machine, so that frames are reproducible.
  static constexpr float frame_time = 1.0f / 60.0f;

  std::unique_ptr<EglContext> context_;
  /// Signalled when the previous frame is complete. Declared after context_, so that it is destroyed while the context
  /// exists.
  gl::Fence presented_;
  int width_, height_;
  float content_scale_;
  long polls_ = 0;
};

}  // namespace

std::unique_ptr<Platform> make_headless(int width, int height, int prefer_cuda_device, float content_scale) {
  return std::make_unique<EglPlatform>(width, height, prefer_cuda_device, content_scale);
}

}  // namespace threadscape::app
