// Tests of the whole program in one process, in a real window under an X server and without one on EGL: it opens a
// photo, moves a slider, switches the backend and captures pictures.

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <algorithm>
#include <fstream>

#include "compute/algorithms/filters/convolution/convolution.h"
#include "tests/support/app/tested_window.h"
#include "tests/support/compute/host_arrays.h"

namespace threadscape::app {
namespace {

/// Returns whether the picture has more than one colour, so that something was drawn.
bool is_varied(const HostArray& picture) {
  const auto pixels = picture.image<Rgba8>();
  for (int y = 0; y < pixels.height; ++y)
    for (int x = 0; x < pixels.width; ++x)
      if (pixels(x, y) != pixels(0, 0)) return true;
  return false;
}

class WindowTest : public TestedWindowTest {};

TEST_P(WindowTest, DroppedPhotoIsFilteredAndShown) {
  tested_->settle();
  ASSERT_NE(tested_->live_.output(), nullptr);
  EXPECT_TRUE(testing::same_pixels(tested_->result(), tested_->expected(Backend::serial)));
  EXPECT_GT(tested_->workspace.timings.runs(), 0u);
}

TEST_P(WindowTest, SliderChangesTheResultAtOnce) {
  tested_->settle();
  const HostArray before = tested_->result();
  tested_->activate("size");
  tested_->press(ImGuiKey_RightArrow);
  tested_->settle();
  EXPECT_EQ(tested_->workspace.work().params.as<Convolution::Params>().size, 5);
  EXPECT_FALSE(testing::same_pixels(tested_->result(), before));
  EXPECT_TRUE(testing::same_pixels(tested_->result(), tested_->expected(Backend::serial)));
}

TEST_P(WindowTest, SwitchingTheBackendKeepsTheResult) {
  tested_->settle();
  const HostArray before = tested_->result();
  const std::uint64_t runs = tested_->workspace.timings.runs();
  const Backend first = tested_->workspace.work().backend;
  tested_->press(ImGuiKey_G);
  tested_->settle();
  EXPECT_NE(tested_->workspace.work().backend, first);
  EXPECT_GT(tested_->workspace.timings.runs(), runs);
  EXPECT_TRUE(testing::same_pixels(tested_->result(), before));
}

TEST_P(WindowTest, ComparingFillsTheTimingsOfEveryBackend) {
  tested_->settle();
  tested_->press(ImGuiKey_M);
  tested_->settle();
  for (const Backend backend : backends) {
    if (!tested_->workspace.why_absent(backend).empty()) continue;
    EXPECT_GE(tested_->workspace.timings.statistics(backend).size(), 12u) << name_of(backend);
  }
}

TEST_P(WindowTest, DifferenceToSerialIsBlack) {
  tested_->settle();  // A scene that is being prepared takes no keys.
  tested_->press(ImGuiKey_D);
  tested_->settle();
  ASSERT_NE(tested_->live_.reference(), nullptr);
  EXPECT_TRUE(testing::same_pixels(tested_->live_.reference()->read(), tested_->result()));
}

TEST_P(WindowTest, IntermediateStepsAreShown) {
  tested_->choose("morphology", {{"operation", "open"}, {"size", "5"}});
  const HostArray opened = tested_->result();
  tested_->press(ImGuiKey_Comma);
  tested_->settle();
  EXPECT_EQ(tested_->workspace.shown_intermediate(), 0);
  EXPECT_FALSE(testing::same_pixels(tested_->result(), opened));
  EXPECT_TRUE(testing::same_pixels(tested_->result(), tested_->expected(Backend::serial)));
  tested_->press(ImGuiKey_D);  // D shows the difference to the serial backend, here that of the step that is shown.
  tested_->settle();
  ASSERT_NE(tested_->live_.reference(), nullptr);
  EXPECT_TRUE(testing::same_pixels(tested_->live_.reference()->read(), tested_->result()));
  tested_->press(ImGuiKey_M);
  tested_->settle();
  EXPECT_EQ(tested_->workspace.shown_intermediate(), 0);
  tested_->press(ImGuiKey_Period);
  tested_->settle();
  EXPECT_TRUE(testing::same_pixels(tested_->result(), opened));
}

TEST_P(WindowTest, StepsPlayOneAfterAnother) {
  tested_->choose("morphology", {{"operation", "open"}});
  tested_->press(ImGuiKey_P);
  EXPECT_EQ(tested_->workspace.shown_intermediate(), 0);
  tested_->frames_until([this] { return tested_->workspace.shown_intermediate() == 1; });
  tested_->frames_until([this] { return tested_->workspace.shown_intermediate() == 0; });
  tested_->press(ImGuiKey_P);
}

TEST_P(WindowTest, TheElementIsPainted) {
  tested_->choose("morphology", {{"operation", "erode"}, {"shape", "rect"}, {"width", "5"}, {"height", "4"}});
  const HostArray before = tested_->result();
  tested_->drag(1, {0, 0}, {4, 0});  // The right button clears cells.
  EXPECT_EQ(tested_->parameter("shape"), "file");
  EXPECT_EQ(tested_->parameter("element"), "5x4:00000/11111/11111/11111");
  tested_->drag(0, {0, 3}, {2, 3}, ImGuiMod_Ctrl);
  EXPECT_EQ(tested_->parameter("element"), "5x4:00000/11111/11111/00011");
  tested_->drag(0, {1, 0}, {1, 0});
  EXPECT_EQ(tested_->parameter("element"), "5x4:01000/11111/11111/00011");
  tested_->drag(0, {0, 3}, {0, 3}, ImGuiMod_Shift);
  EXPECT_EQ(tested_->parameter("element"), "5x4:01000/11111/11111/00011");
  EXPECT_EQ(tested_->parameter("origin_x"), "0");
  EXPECT_EQ(tested_->parameter("origin_y"), "3");
  tested_->settle();
  EXPECT_FALSE(testing::same_pixels(tested_->result(), before));
  EXPECT_TRUE(testing::same_pixels(tested_->result(), tested_->expected(Backend::serial)));
}

TEST_P(WindowTest, GreyLevelsArePainted) {
  tested_->choose("morphology", {{"operation", "dilate"}, {"flat", "false"}, {"peak", "20"}});
  tested_->drag(0, {0, 0}, {0, 0});  // A painted cell gets the highest level of the element.
  EXPECT_EQ(tested_->parameter("element"), "3x3:140a00/0a140a/000a00");
  tested_->drag(2, {1, 0}, {1, 0});  // The middle button picks the level of a cell for the brush.
  tested_->drag(0, {0, 1}, {2, 1});
  tested_->drag(1, {2, 2}, {2, 2});
  EXPECT_EQ(tested_->parameter("element"), "3x3:140a00/0a0a0a/000a--");
  tested_->settle();
  EXPECT_TRUE(testing::same_pixels(tested_->result(), tested_->expected(Backend::serial)));
}

TEST_P(WindowTest, RunningAgainTakesAChangedFile) {
  const std::string file = (folder_.path() / "element.pgm").string();
  const auto write = [&](int width) {
    HostArray element(Shape::image(Element::u8, 1, width, 1));
    for (int x = 0; x < width; ++x)
      element.image<std::uint8_t>()(x, 0) = 255;
    io::save_picture(file, element.view(), io::FileColour::grey);
  };
  write(3);
  tested_->choose("morphology", {{"operation", "erode"}, {"shape", "file"}, {"element", file}});
  const HostArray before = tested_->result();
  const auto again = [&] {
    tested_->press(ImGuiKey_Space);
    tested_->settle();
  };
  write(9);
  again();
  EXPECT_FALSE(testing::same_pixels(tested_->result(), before));
  EXPECT_TRUE(testing::same_pixels(tested_->result(), tested_->expected(Backend::serial)));
  std::filesystem::remove(file);
  again();
  EXPECT_NE(tested_->workspace.problem().find("element.pgm"), std::string::npos);
  write(3);
  again();
  EXPECT_EQ(tested_->workspace.problem(), "");
  EXPECT_TRUE(testing::same_pixels(tested_->result(), before));
}

TEST_P(WindowTest, AShortcutWithinOneFrameIsNoticed) {
  tested_->settle();
  tested_->workspace.set_parameter("size", "5");
  ImGuiIO& io = ImGui::GetIO();
  io.AddKeyEvent(ImGuiMod_Ctrl, true);
  tested_->frame();
  io.AddKeyEvent(ImGuiKey_R, true);
  io.AddKeyEvent(ImGuiMod_Ctrl, false);  // Ctrl and R are released in the same frame, Ctrl first.
  io.AddKeyEvent(ImGuiKey_R, false);
  tested_->frame();
  tested_->frame();
  EXPECT_EQ(tested_->workspace.work().params, tested_->workspace.algorithm().defaults());
}

TEST_P(WindowTest, KeysTakePicturesOfViewAndWindow) {
  const auto here = std::filesystem::current_path();
  std::filesystem::current_path(folder_.path());
  tested_->settle();
  tested_->press(ImGuiKey_F12);
  tested_->press(ImGuiKey_F12, ImGuiMod_Shift);
  tested_->settle();
  std::filesystem::current_path(here);
  std::vector<Shape> shapes;
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
    if (!entry.path().filename().string().starts_with("threadscape-")) continue;
    const io::Loaded picture = io::load_picture(entry.path());
    EXPECT_TRUE(is_varied(picture.pixels)) << entry.path();
    shapes.push_back(picture.pixels.shape());
  }
  ASSERT_EQ(shapes.size(), 2u);
  EXPECT_EQ(std::ranges::max(shapes[0].width, shapes[1].width), tested_->frame_.width());
  EXPECT_LT(std::ranges::min(shapes[0].width, shapes[1].width), tested_->frame_.width());
}

TEST_P(WindowTest, ASavedResultIsAFileSomeFramesLater) {
  tested_->settle();
  tested_->window_.files().set_folder(folder_.path());
  tested_->press(ImGuiKey_S, ImGuiMod_Ctrl);
  tested_->frame();
  tested_->press_in_files("Save the result", "Save");
  tested_->frames_until([this] { return !tested_->live_.files().busy(); });
  const auto path = folder_.path() / "photo-convolution.png";
  ASSERT_TRUE(std::filesystem::exists(path));
  const auto expected = folder_.path() / "expected.png";
  io::save_picture(expected, tested_->result().view(), io::FileColour::rgb);
  EXPECT_TRUE(testing::same_pixels(io::load_picture(path).pixels, io::load_picture(expected).pixels));
}

TEST_P(WindowTest, TheQualityOfTheDialogIsThatOfTheFile) {
  tested_->settle();
  FileBrowser& files = tested_->window_.files();
  files.set_folder(folder_.path());
  tested_->press(ImGuiKey_S, ImGuiMod_Ctrl);
  tested_->frame();
  EXPECT_EQ(files.quality(), 0) << "the default of the format";
  ImGui::ClearActiveID();  // The field with the name would write its own text back.
  files.choose("low.jpg");
  tested_->frame();
  tested_->press_in_files("Save the result", "##quality");
  tested_->press(ImGuiKey_RightArrow);
  ASSERT_GT(files.quality(), 0);
  ImGui::ClearActiveID();
  tested_->press_in_files("Save the result", "Save");
  tested_->frames_until([this] { return !tested_->live_.files().busy(); });
  const auto expected = folder_.path() / "expected.jpg", usual = folder_.path() / "usual.jpg";
  io::save_picture(expected, tested_->result().view(), io::FileColour::rgb, files.quality());
  io::save_picture(usual, tested_->result().view(), io::FileColour::rgb);
  ASSERT_TRUE(std::filesystem::exists(folder_.path() / "low.jpg"));
  EXPECT_EQ(std::filesystem::file_size(folder_.path() / "low.jpg"), std::filesystem::file_size(expected));
  EXPECT_LT(std::filesystem::file_size(expected), std::filesystem::file_size(usual));
}

TEST_P(WindowTest, APendingReadIsShownAsSavingAndKeepsTheWindowAwake) {
  tested_->settle();
  FileTasks& files = tested_->live_.files();
  const auto path = folder_.path() / "view.png", second = folder_.path() / "window.png";
  tested_->window_.save_view(path);
  EXPECT_TRUE(files.busy());
  EXPECT_EQ(files.activity(), "saving view.png");
  EXPECT_FALSE(tested_->live_.settled(tested_->workspace));
  EXPECT_TRUE(!files.needs_polling() || tested_->window_.needs_redraw());
  tested_->window_.save_frame(tested_->frame_, second);
  tested_->frames_until([&] { return !files.busy(); });
  EXPECT_EQ(files.activity(), "");
  EXPECT_TRUE(is_varied(io::load_picture(path).pixels));
  EXPECT_TRUE(is_varied(io::load_picture(second).pixels));
}

TEST_P(WindowTest, ClosingAtOnceStillWritesTheFiles) {
  tested_->settle();
  const auto expected = folder_.path() / "expected.png";
  io::save_picture(expected, tested_->result().view(), io::FileColour::rgb);
  const auto result = folder_.path() / "result.png", view = folder_.path() / "view.png";
  tested_->live_.files().save(result, tested_->live_.output()->begin_read(),
                              [result](HostIn pixels) { io::save_picture(result, pixels, io::FileColour::rgb); });
  tested_->window_.save_view(view);
  tested_.reset();
  ASSERT_TRUE(std::filesystem::exists(result));
  EXPECT_TRUE(testing::same_pixels(io::load_picture(result).pixels, io::load_picture(expected).pixels));
  ASSERT_TRUE(std::filesystem::exists(view));
  EXPECT_TRUE(is_varied(io::load_picture(view).pixels));
}

TEST_P(WindowTest, UnreadablePictureKeepsTheOldOneAndSaysWhy) {
  tested_->settle();
  const auto source = tested_->workspace.source();
  tested_->frame({folder_.path() / "missing.png"});
  tested_->settle();
  EXPECT_EQ(tested_->workspace.source(), source);
  const auto entries = tested_->workspace.log.entries();
  EXPECT_TRUE(std::ranges::any_of(entries, [](const LogBook::Entry& entry) {
    return entry.level == LogBook::Level::error && entry.text.find("missing.png") != std::string::npos;
  }));
}

TEST_P(WindowTest, APhotoIsNoSequence) {
  tested_->choose("sorting", {{"count", "100"}});
  EXPECT_EQ(tested_->workspace.source()->picture.pixels.shape().width, 100);
  tested_->frame({folder_.path() / "photo.png"});
  tested_->settle();
  EXPECT_EQ(tested_->workspace.source()->picture.pixels.shape().width, 100);
  EXPECT_EQ(tested_->workspace.picture()->path.filename(), "photo.png");
}

TEST_P(WindowTest, AFileOfNumbersIsSortedUntilItIsClosed) {
  tested_->choose("sorting", {{"count", "100"}, {"type", "int32"}});
  EXPECT_FALSE(tested_->workspace.can_close());
  std::ofstream(folder_.path() / "numbers.raw", std::ios::binary) << std::string(28, 'x');
  tested_->frame({folder_.path() / "numbers.raw"});
  tested_->settle();
  EXPECT_EQ(tested_->workspace.source()->picture.pixels.shape().width, 7);
  ASSERT_TRUE(tested_->workspace.can_close());
  tested_->workspace.close();
  tested_->settle();
  EXPECT_EQ(tested_->workspace.source()->picture.pixels.shape().width, 100);
}

TEST_P(WindowTest, TheListScrollsToTheChosenAlgorithm) {
  const auto scrolled = [] {
    for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
      if (std::string_view(window->Name).find("/list_") != std::string_view::npos) return window->Scroll.y;
    return -1.0f;
  };
  tested_->settle();
  EXPECT_EQ(scrolled(), 0.0f);  // Convolution is near the top of the list, so it is visible without scrolling.
  tested_->choose("seam_carving", {});
  EXPECT_GT(scrolled(), 0.0f);
  tested_->choose("convolution", {});
  const float back = scrolled();
  EXPECT_GE(back, 0.0f);
  tested_->choose("chain", {});  // Chain is already visible, so the list does not scroll.
  EXPECT_EQ(scrolled(), back);
}

TEST_P(WindowTest, TheViewFollowsTheSizeOfTheWindow) {
  tested_->settle();
  tested_->platform_->resize(960, 700);
  tested_->frames_until([this] { return tested_->frame_.width() == 960 && tested_->frame_.height() == 700; });
  tested_->settle();
}

TEST_P(WindowTest, ResetLayoutGivesThePanelsTheirFirstSizes) {
  const auto height = [] { return ImGui::FindWindowByName("View###view")->Size.y; };
  tested_->window_.show_panel("timings");  // The splitter is there while the lower panel is open.
  tested_->settle();
  const float first = height();

  // Drags the splitter below the view to the top of the window.
  const ImRect view = ImGui::FindWindowByName("View###view")->Rect();
  const ImVec2 splitter(view.GetCenter().x, view.Max.y + 1), top(splitter.x, 0);
  tested_->mouse(splitter, true);
  tested_->mouse(top, true);
  tested_->mouse(top, false);
  tested_->frame();
  EXPECT_LT(height(), first / 2);

  tested_->window_.reset_layout();
  tested_->frame();
  tested_->frame();
  EXPECT_EQ(height(), first);
}

/// A renderer in software compiles shaders again for a volume with a side that is a power of two.
TEST_P(WindowTest, WithoutAGpuABarComesBeforeAVolumeOfAnotherKind) {
  const bool software = GetParam() == Where::window && tested_->platform_->context().software();
  tested_->choose("projection", {{"geometry", "parallel"}, {"voxels", "6"}, {"detector_pixels", "9"}, {"step", "30"}});
  const auto prepared_frames = [&](const char* voxels) {
    tested_->workspace.set_parameter("voxels", voxels);
    int count = 0;
    tested_->after_frame = [&] { count += tested_->window_.preparing() ? 1 : 0; };
    tested_->settle();
    for (int frame = 0; frame < 4; ++frame)
      tested_->frame();
    tested_->after_frame = {};
    return count;
  };
  EXPECT_EQ(prepared_frames("7"), 0) << "a volume that is as little a power of two";
  if (software)
    EXPECT_GE(prepared_frames("8"), 2);
  else
    EXPECT_EQ(prepared_frames("8"), 0);
  EXPECT_EQ(prepared_frames("16"), 0) << "compiled before";
}

INSTANTIATE_TEST_SUITE_P(Platforms, WindowTest, ::testing::Values(Where::window, Where::headless), name_of_place);

}  // namespace
}  // namespace threadscape::app
