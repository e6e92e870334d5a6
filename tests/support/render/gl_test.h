#pragma once
// One OpenGL context without a window for all tests of render/. Without OpenGL they are skipped with the reason.

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <string>

#include "app/platform/platform.h"
#include "compute/core/data.h"
#include "compute/core/errors.h"
#include "render/gl/framebuffer.h"
#include "render/gl/texture.h"
#include "tests/support/compute/host_arrays.h"

namespace threadscape::testing {

class GlTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!shared().platform) GTEST_SKIP() << shared().reason;
  }
  /// Fails the test if a GL error was reported during it.
  void TearDown() override {
    if (!shared().platform) return;
    EXPECT_NO_THROW(context().check("during the test"));
  }

  static gl::Context& context() { return shared().platform->context(); }

 public:
  /// Destroys the shared context; the next test makes a new one. GLX and EGL cannot both be current on one thread.
  static void close() { holder().reset(); }

 private:
  struct Shared {
    std::unique_ptr<app::Platform> platform;
    std::string reason;

    Shared() {
      setenv("TS_GL_DEBUG", "1", 0);
      try {
        platform = app::make_headless(64, 64, 0);
      } catch (const EnvironmentError& error) {
        reason = error.what();
      }
    }
  };
  static std::unique_ptr<Shared>& holder() {
    // The object is never destroyed, because static objects of the driver may be destroyed first when the program ends.
    static auto& instance = *new std::unique_ptr<Shared>;
    return instance;
  }
  static Shared& shared() {
    if (!holder()) holder() = std::make_unique<Shared>();
    return *holder();
  }
};

/// A picture of random bytes. Float pictures hold random fractions instead, so that there are no NaNs.
[[nodiscard]] HostArray random_picture(const Shape& shape, unsigned seed);
[[nodiscard]] HostArray random_picture(gl::Format format, int width, int height, unsigned seed);
[[nodiscard]] gl::Texture texture_of(HostIn pixels);

inline constexpr gl::Format all_formats[] = {gl::Format::r8,     gl::Format::rgba8, gl::Format::r16,
                                             gl::Format::rgba16, gl::Format::r32f,  gl::Format::rgba32f};

}  // namespace threadscape::testing
