// The whole program in one process, on a real window under an X server and on EGL without one: a photo is loaded, a
// slider is moved, the backend is switched, pictures are taken.

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <algorithm>
#include <functional>

#include "app/ui/window.h"
#include "app_testing.h"
#include "compute/convolution/convolution.h"
#include "compute/core/registry.h"
#include "compute/core/runner.h"

namespace threadscape::app {
namespace {

using threadscape::testing::TemporaryFolder;

enum class Where { window, headless };

void PrintTo(Where where, std::ostream* out) {
  *out << (where == Where::window ? "window" : "headless");
}

/// Everything that view() puts together, with frames made one by one.
class Desk {
 public:
  explicit Desk(std::unique_ptr<Platform> platform)
      : platform_(std::move(platform)),
        route_(interop::probe_route(platform_->context())),
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
    platform_->present(frame_);
  }
  /// Frames until `done`; fails the test after far more than it can take.
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
  /// Gives a parameter's widget the keyboard, as Tab and Enter would.
  void activate(const char* field) {
    ImGuiWindow* panel = ImGui::FindWindowByName("Parameters###parameters");
    ASSERT_NE(panel, nullptr);
    ImGui::FocusWindow(panel);
    frame();
    ImGui::ActivateItemByID(ImHashStr("##value", 0, panel->GetID(field)));
    frame();
    frame();
  }
  [[nodiscard]] HostArray result() { return live_.output()->read(); }
  [[nodiscard]] HostArray expected(Backend backend) {
    RunRequest request = workspace.work().request();
    request.backend = backend;
    request.variant = 0;
    return Runner().run(request, workspace.source()->picture.pixels.view()).output;
  }

  Workspace workspace;
  gl::ShaderLibrary shaders_;
  std::unique_ptr<Platform> platform_;
  interop::RouteReport route_;
  LiveView live_;
  Window window_;
  gl::Framebuffer frame_;
};

::testing::AssertionResult equal(const HostArray& a, const HostArray& b) {
  if (a.shape() != b.shape())
    return ::testing::AssertionFailure() << to_string(a.shape()) << ", " << to_string(b.shape());
  const auto left = a.image<Rgba8>(), right = b.image<Rgba8>();
  for (int y = 0; y < left.height; ++y)
    for (int x = 0; x < left.width; ++x)
      if (left(x, y) != right(x, y)) return ::testing::AssertionFailure() << "first difference at " << x << ", " << y;
  return ::testing::AssertionSuccess();
}

/// More than one colour: something was drawn.
bool is_varied(const HostArray& picture) {
  const auto pixels = picture.image<Rgba8>();
  for (int y = 0; y < pixels.height; ++y)
    for (int x = 0; x < pixels.width; ++x)
      if (pixels(x, y) != pixels(0, 0)) return true;
  return false;
}

class WindowTest : public ::testing::TestWithParam<Where> {
 protected:
  void SetUp() override {
    if (GetParam() == Where::window) {
      if (const std::string trouble = threadscape::testing::require_display(); !trouble.empty())
        GTEST_SKIP() << "no display: " << trouble;
    }
    // Only a machine without OpenGL skips: whatever fails after that is a failure of the program.
    std::unique_ptr<Platform> platform;
    try {
      platform = GetParam() == Where::window ? make_window({.state = {.width = 1280, .height = 800}})
                                             : make_headless(1280, 800);
    } catch (const EnvironmentError& error) {
      GTEST_SKIP() << error.what();
    }
    desk_ = std::make_unique<Desk>(std::move(platform));
    io::save_picture(folder_.path() / "photo.png", threadscape::testing::test_photo().pixels.view(),
                     io::FileColour::rgb);
    desk_->frame({folder_.path() / "photo.png"});
  }

  TemporaryFolder folder_;
  std::unique_ptr<Desk> desk_;
};

TEST_P(WindowTest, DroppedPhotoIsFilteredAndShown) {
  desk_->settle();
  ASSERT_NE(desk_->live_.output(), nullptr);
  EXPECT_TRUE(equal(desk_->result(), desk_->expected(Backend::serial)));
  EXPECT_GT(desk_->workspace.timings.runs(), 0u);
}

TEST_P(WindowTest, SliderChangesTheResultAtOnce) {
  desk_->settle();
  const HostArray before = desk_->result();
  desk_->activate("size");
  desk_->press(ImGuiKey_RightArrow);
  desk_->settle();
  EXPECT_EQ(desk_->workspace.work().params.as<Convolution::Params>().size, 5);
  EXPECT_FALSE(equal(desk_->result(), before));
  EXPECT_TRUE(equal(desk_->result(), desk_->expected(Backend::serial)));
}

TEST_P(WindowTest, SwitchingTheBackendKeepsTheResult) {
  desk_->settle();
  const HostArray before = desk_->result();
  const std::uint64_t runs = desk_->workspace.timings.runs();
  const Backend first = desk_->workspace.work().backend;
  desk_->press(ImGuiKey_G);
  desk_->settle();
  EXPECT_NE(desk_->workspace.work().backend, first);
  EXPECT_GT(desk_->workspace.timings.runs(), runs);
  EXPECT_TRUE(equal(desk_->result(), before));
}

TEST_P(WindowTest, ComparingFillsTheTimingsOfEveryBackend) {
  desk_->settle();
  desk_->press(ImGuiKey_M);
  desk_->settle();
  for (const Backend backend : backends) {
    if (!desk_->workspace.why_absent(backend).empty()) continue;
    EXPECT_GE(desk_->workspace.timings.statistics(backend).size(), 12u) << name_of(backend);
  }
}

TEST_P(WindowTest, DifferenceToSerialIsBlack) {
  desk_->press(ImGuiKey_D);
  desk_->settle();
  ASSERT_NE(desk_->live_.reference(), nullptr);
  EXPECT_TRUE(equal(desk_->live_.reference()->read(), desk_->result()));
}

TEST_P(WindowTest, AQuickChordWithinOneFrameCounts) {
  desk_->settle();
  desk_->workspace.work().params.assign("size", "5");
  ImGuiIO& io = ImGui::GetIO();
  io.AddKeyEvent(ImGuiMod_Ctrl, true);
  desk_->frame();
  io.AddKeyEvent(ImGuiKey_R, true);
  io.AddKeyEvent(ImGuiMod_Ctrl, false);  // let go first, before the next frame
  io.AddKeyEvent(ImGuiKey_R, false);
  desk_->frame();
  desk_->frame();
  EXPECT_EQ(desk_->workspace.work().params, desk_->workspace.algorithm().defaults());
}

TEST_P(WindowTest, KeysTakePicturesOfViewAndWindow) {
  const auto here = std::filesystem::current_path();
  std::filesystem::current_path(folder_.path());
  desk_->settle();
  desk_->press(ImGuiKey_F12);
  desk_->press(ImGuiKey_F12, ImGuiMod_Shift);
  desk_->settle();
  std::filesystem::current_path(here);
  std::vector<Shape> shapes;
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
    if (!entry.path().filename().string().starts_with("threadscape-")) continue;
    const io::Picture picture = io::load_picture(entry.path());
    EXPECT_TRUE(is_varied(picture.pixels)) << entry.path();
    shapes.push_back(picture.pixels.shape());
  }
  ASSERT_EQ(shapes.size(), 2u);
  EXPECT_EQ(std::ranges::max(shapes[0].width, shapes[1].width), desk_->frame_.width());
  EXPECT_LT(std::ranges::min(shapes[0].width, shapes[1].width), desk_->frame_.width());
}

TEST_P(WindowTest, UnreadablePictureKeepsTheOldOneAndSaysWhy) {
  desk_->settle();
  const auto source = desk_->workspace.source();
  desk_->frame({folder_.path() / "missing.png"});
  desk_->settle();
  EXPECT_EQ(desk_->workspace.source(), source);
  const auto entries = desk_->workspace.log.entries();
  EXPECT_TRUE(std::ranges::any_of(entries, [](const LogBook::Entry& entry) {
    return entry.level == LogBook::Level::error && entry.text.find("missing.png") != std::string::npos;
  }));
}

TEST_P(WindowTest, NewSizeOfTheWindowIsFollowed) {
  desk_->settle();
  desk_->platform_->resize(960, 700);
  desk_->frames_until([this] { return desk_->frame_.width() == 960 && desk_->frame_.height() == 700; });
  desk_->settle();
}

INSTANTIATE_TEST_SUITE_P(Platforms, WindowTest, ::testing::Values(Where::window, Where::headless),
                         [](const auto& info) { return info.param == Where::window ? "Xserver" : "Egl"; });

}  // namespace
}  // namespace threadscape::app
