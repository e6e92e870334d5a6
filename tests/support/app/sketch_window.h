#pragma once
// A window in which a sketch was opened, for tests.

#include "compute/io/file_writer.h"
#include "compute/warp/compile.h"
#include "compute/warp/nvrtc.h"
#include "tests/support/app/tested_window.h"

namespace threadscape::app {

/// A sketch that limits the values of pixels, and equals its input with its default parameter.
inline constexpr const char* limited = R"(// sketch: test_limited
// reads: picture gray u8    makes: picture gray u8
// param: most = 255 (0..255)
// check: morphology size=1

#include "threadscape.h"

__global__ void test_limited(Image<const unsigned char> in, Image<unsigned char> out, int most) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (!out.inside(x, y)) return;
  out(x, y) = min(most, static_cast<int>(in(x, y)));
}
)";

class SketchSessionTest : public TestedWindowTest {
 protected:
  void SetUp() override {
    TestedWindowTest::SetUp();
    if (!tested_) return;
    if (!warp::Nvrtc().opened() && warp::toolkit_program("nvcc").empty()) GTEST_SKIP() << warp::nvrtc_cure;
    file_ = folder_.path() / "limited.cu";
    io::save_bytes(file_, std::string_view(limited));
    tested_->settle();
    tested_->window_.open(file_);
    tested_->frame();
  }
  [[nodiscard]] SketchSession& sketch() { return tested_->window_.sketch(); }
  /// Draws frames until nothing is compiled, computed, counted or compared any more.
  void finish() {
    tested_->frame();
    tested_->frames_until([this] { return !sketch().compiling() && tested_->live_.settled(tested_->workspace); });
    tested_->frame();
    tested_->frames_until([this] { return !sketch().studying(); });
  }
  void run() {
    sketch().run();
    finish();
  }
  /// Draws frames until the first try has costs, or the reason why it has none.
  void await_costs() {
    tested_->frames_until([this] {
      const SketchTry& first = sketch().tries()[0];
      return !sketch().studying() && (first.against || !first.why_no_costs.empty());
    });
  }
  void replace(std::string_view from, std::string_view to) {
    const std::size_t at = sketch().text().find(from);
    ASSERT_NE(at, std::string::npos) << from;
    sketch().text().replace(at, from.size(), to);
  }
  [[nodiscard]] int first_pixel() { return std::to_integer<int>(tested_->result().view().data[0]); }

  std::filesystem::path file_;
};

}  // namespace threadscape::app
