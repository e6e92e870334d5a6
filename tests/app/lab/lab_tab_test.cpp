// The lab in a whole window without a display: a sweep is measured while frames are drawn, and plots become files.

#include <gtest/gtest.h>
#include <imgui_internal.h>
#include <implot.h>
#include <implot_internal.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "app/lab/lab_tab.h"
#include "app/measure/report_file.h"
#include "app/shell/window.h"
#include "compute/core/errors.h"
#include "compute/io/pictures/image_file.h"
#include "compute/registry/registry.h"
#include "tests/support/app/app_testing.h"
#include "tests/support/app/text_rectangles.h"
#include "tests/support/compute/scoped_limit.h"
#include "tests/support/test_paths.h"

namespace threadscape::app {
namespace {

/// A window with the lab in it, drawn without a display.
class LabDesk {
 public:
  /// `layout_file` keeps the places of the panels; "" keeps them nowhere.
  explicit LabDesk(std::unique_ptr<Platform> platform, const std::string& layout_file = {}, bool with_lab = true)
      : platform_(std::move(platform)),
        route_(interop::probe_route(platform_->context(), gpu::devices().first())),
        live_(route_, {}),
        window_(*platform_, shaders_, workspace, live_, machine_facts(platform_->context(), route_), {}, layout_file) {
    workspace.choose_algorithm(find_algorithm("sobel"));
    workspace.set_source("photo.png", testing::test_photo());
    window_.load_everything();
    if (!with_lab) return;
    auto tab = std::make_unique<LabTab>([] {}, lab_machine());
    lab = tab.get();
    window_.add_panel(LabTab::type, std::move(tab));
    window_.show_panel("lab");
  }

  [[nodiscard]] Window& window() { return window_; }
  void frame() {
    const Input input = platform_->poll(false);
    if (frame_.id() == 0) frame_ = gl::Framebuffer(input.width, input.height);
    live_.update(workspace);
    window_.frame(input, frame_);
  }
  /// Draws frames until `done` returns true. Fails the test after three minutes.
  template <class Done>
  void frames_until(const Done& done) {
    const auto limit = std::chrono::steady_clock::now() + std::chrono::minutes(3);
    do {
      frame();
      ASSERT_LT(std::chrono::steady_clock::now(), limit) << "the window never got there";
    } while (!done());
  }
  [[nodiscard]] bool logged(std::string_view text) const {
    return std::ranges::any_of(workspace.log.entries(),
                               [&](const LogBook::Entry& entry) { return entry.text.find(text) != std::string::npos; });
  }

  /// The column of controls of the lab, which is a window inside a window; null before it was drawn.
  [[nodiscard]] static ImGuiWindow* controls() {
    for (ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
      if (window->WasActive && std::string_view(window->Name).find("/controls_") != std::string_view::npos)
        return window;
    return nullptr;
  }
  /// The place on screen of an item of this column. The keyboard focus moves there.
  [[nodiscard]] ImRect place_of(const char* item) {
    ImGuiWindow* column = controls();
    if (column == nullptr) return {};
    ImGui::FocusWindow(nullptr);  // A window that has the focus keeps its item.
    column->NavLastIds[ImGuiNavLayer_Main] = column->GetID(item);
    ImGui::FocusWindow(column);
    frame();
    frame();
    return ImGui::WindowRectRelToAbs(column, column->NavRectRel[ImGuiNavLayer_Main]);
  }
  void wait_for_files() {
    frames_until([this] { return !live_.files().busy(); });
  }

  Workspace workspace;
  LabTab* lab = nullptr;

 private:
  gl::ShaderLibrary shaders_;
  std::unique_ptr<Platform> platform_;
  interop::RouteReport route_;
  LiveView live_;
  Window window_;
  gl::Framebuffer frame_;
};

class LabInWindow : public ::testing::Test {
 protected:
  void SetUp() override {
    if (auto platform = threadscape::testing::headless_or_skip(1280, 720)) {
      tested_ = std::make_unique<LabDesk>(std::move(platform));
      tested_->frame();  // The panels get their places before a page hides them.
    }
  }
  /// Measures a sweep of sizes that has two rows, as quickly as it can be.
  void measure_two_rows(const char* sizes, std::array<bool, 3> backends) {
    choose_sweep(tested_->lab->choice(), "size", sizes);
    tested_->lab->choice().backends = backends;
    tested_->lab->choice().precision = 10.0;
    tested_->lab->run(tested_->workspace);
    tested_->frames_until([&] { return tested_->lab->reports().front().rows.size() == 2; });
  }
  /// The ceilings are measured on arrays of less than an eighth of the memory.
  const ScopedLimit memory_{io::Limit::memory, std::int64_t{1} << 30};
  std::unique_ptr<LabDesk> tested_;
};

TEST_F(LabInWindow, PointsAppearWhileTheWindowIsDrawn) {
  choose_sweep(tested_->lab->choice(), "size", "16,24,32");
  tested_->lab->choice().backends = {true, true, false};
  tested_->lab->choice().precision = 10.0;  // Any median will do, so that the sweep is short.
  tested_->lab->run(tested_->workspace);
  tested_->frames_until([&] { return tested_->lab->reports().front().rows.size() == 6; });
  for (const std::string_view plot : lab_plot_names) {
    tested_->lab->show(find_lab_plot(plot));
    tested_->frame();
    tested_->frame();
  }
  // The next sweep begins with empty plots, which say what is measured, and stopping it keeps what it has measured.
  EXPECT_EQ(tested_->lab->waiting_sentence(), "");
  tested_->lab->run(tested_->workspace);
  const std::string waiting = tested_->lab->waiting_sentence();
  EXPECT_TRUE(!tested_->lab->progress().running || waiting.starts_with("Measuring ")) << waiting;
  EXPECT_TRUE(tested_->lab->reports().front().rows.empty());
  tested_->lab->stop();
  tested_->lab->wait();
  tested_->frame();
  EXPECT_LE(tested_->lab->reports().front().rows.size(), 6U);
}

TEST_F(LabInWindow, TheSentencesBelongToThePointUnderTheMouse) {
  measure_two_rows("16,24", {true, false, false});
  tested_->lab->wait();
  tested_->lab->show(LabPlot::time);
  for (int i = 0; i < 4; ++i)
    tested_->frame();
  ASSERT_FALSE(tested_->lab->sentences().empty());
  EXPECT_NE(tested_->lab->sentences().front().find("24x"), std::string::npos) << tested_->lab->sentences().front();
  const ChartLine& line = tested_->lab->plot().lines.front();
  ImPlotPlot* plot = nullptr;  // The largest one; panels have others.
  auto& plots = ImPlot::GetCurrentContext()->Plots;
  for (int i = 0; i < plots.GetBufSize(); ++i)
    if (plot == nullptr || plots.GetByIndex(i)->PlotRect.GetArea() > plot->PlotRect.GetArea())
      plot = plots.GetByIndex(i);
  ASSERT_NE(plot, nullptr);
  ImGui::GetIO().AddMousePosEvent(plot->XAxis(0).PlotToPixels(line.x[0]), plot->YAxis(0).PlotToPixels(line.y[0]));
  for (int i = 0; i < 4; ++i)
    tested_->frame();
  EXPECT_NE(tested_->lab->sentences().front().find("16x"), std::string::npos) << tested_->lab->sentences().front();
  // Tables are about all rows, and a suite that was not run draws none.
  for (const LabPlot plot_without : {LabPlot::winners, LabPlot::compare, LabPlot::suite}) {
    tested_->lab->show(plot_without);
    EXPECT_TRUE(tested_->lab->sentences().empty());
  }
}

TEST_F(LabInWindow, SweepsThatCannotBePlannedAreLogged) {
  choose_sweep(tested_->lab->choice(), "size", "none");
  tested_->lab->run(tested_->workspace);
  EXPECT_TRUE(tested_->logged("lab: 'none': a whole number is wanted"));
  tested_->frame();
}

TEST_F(LabInWindow, ReportsOfOtherMachinesAreAdded) {
  tested_->lab->open(source_dir() + "/docs/benchmarks/nvidia-h200-backends.json");
  ASSERT_EQ(tested_->lab->reports().size(), 2U);
  EXPECT_EQ(tested_->lab->reports()[1].rows.size(), 6U);
  // A second report with the same file name can be told apart.
  tested_->lab->open(source_dir() + "/docs/benchmarks/nvidia-h200-backends.json");
  tested_->lab->open(source_dir() + "/docs/benchmarks/nvidia-h200-backends.json");
  EXPECT_EQ(tested_->lab->reports()[1].name, "nvidia-h200-backends");
  EXPECT_EQ(tested_->lab->reports()[2].name, "nvidia-h200-backends (2)");
  EXPECT_EQ(tested_->lab->reports()[3].name, "nvidia-h200-backends (3)");
  tested_->frame();
}

TEST_F(LabInWindow, EveryInstalledReportIsShown) {
  int latencies = 0;
  for (const auto& entry : std::filesystem::directory_iterator(source_dir() + "/docs/benchmarks")) {
    if (entry.path().extension() != ".json") continue;
    SCOPED_TRACE(entry.path().filename().string());
    const std::size_t before = tested_->lab->reports().size();
    ASSERT_NO_THROW(tested_->lab->open(entry.path()));
    if (entry.path().filename().string().find("-latency-") == std::string::npos) {
      EXPECT_EQ(tested_->lab->reports().size(), before + 1);
      continue;
    }
    ++latencies;
    tested_->frame();
    const Chart& plot = tested_->lab->plot();
    EXPECT_EQ(plot.title.find("latency: "), 0U) << plot.title;
    ASSERT_FALSE(plot.marks.empty());
    EXPECT_EQ(plot.marks.front().label.find("median "), 0U) << plot.marks.front().label;
    ASSERT_FALSE(plot.notes.empty());
    EXPECT_NE(plot.notes.front().find("the longest "), std::string::npos) << plot.notes.front();
  }
  EXPECT_EQ(latencies, 3);
  tested_->frame();
}

TEST_F(LabInWindow, HelpOpensReportsOfOtherMachines) {
  const auto press = [this](const char* window, const char* inner, const char* item) {
    tested_->frame();
    tested_->frame();
    ImGuiWindow* const menu = ImGui::FindWindowByName(window);
    ASSERT_NE(menu, nullptr) << window;
    const ImGuiID parent = *inner == '\0' ? menu->ID : menu->GetID(inner);
    ImGui::ActivateItemByID(ImHashStr("", 0, ImHashStr(item, 0, parent)));
    tested_->frame();
  };
  press("##MainMenuBar", "##MenuBar", "Help");
  press("Help###Menu_00", "", "Reports");
  press("Reports###Menu_01", "", "nvidia-h200-backends");
  tested_->frame();
  ASSERT_EQ(tested_->lab->reports().size(), 2U);
  EXPECT_EQ(tested_->lab->reports()[1].name, "nvidia-h200-backends");
}

TEST_F(LabInWindow, TheLoadedInputIsMeasuredUnlessASuiteStatesItsOwn) {
  EXPECT_EQ(tested_->lab->next_input(tested_->workspace), tested_->workspace.source());
  choose_sweep(tested_->lab->choice(), "suite", "filters");
  EXPECT_EQ(tested_->lab->next_input(tested_->workspace), nullptr);
  choose_sweep(tested_->lab->choice(), "threads", "1");
  EXPECT_NE(tested_->lab->next_input(tested_->workspace), nullptr);
  // An input without a file is one that the algorithm has made.
  tested_->workspace.set_source({}, testing::test_photo());
  EXPECT_EQ(tested_->lab->next_input(tested_->workspace), nullptr);
  tested_->frame();
}

TEST_F(LabInWindow, ThePlotIsThatOfTheSweepThatWasMeasured) {
  choose_sweep(tested_->lab->choice(), "norm", "l1,l2");
  tested_->lab->choice().backends = {true, false, false};
  tested_->lab->choice().precision = 10.0;
  tested_->lab->run(tested_->workspace);
  tested_->frames_until([&] { return tested_->lab->reports().front().rows.size() == 2; });
  EXPECT_EQ(tested_->lab->plot().categories, (std::vector<std::string>{"l1", "l2"}));
  tested_->frame();
  choose_sweep(tested_->lab->choice(), "size", "16");
  tested_->lab->show(LabPlot::time);
  EXPECT_EQ(tested_->lab->plot().x_label, "norm");
  tested_->lab->wait();
}

TEST_F(LabInWindow, ASuiteIsOpenedRunAndDrawnAsItStates) {
  const testing::TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "tiny.json";
  std::ofstream(file) << R"({
    "title": "Tiny", "source": "none", "reps": 3, "min_seconds": 0,
    "series": [{"name": "all", "label": "{backend}", "algorithm": "sobel", "backends": ["serial"], "sizes": [16, 32]}],
    "plots": [{"title": "By size", "x": "size", "y": "milliseconds", "series": ["all"]},
              {"title": "Rates", "x": "size", "y": "gigabytes_per_second", "series": ["all"]}]})";
  tested_->lab->open(file);
  EXPECT_EQ(tested_->lab->reports().size(), 1U);
  EXPECT_EQ(tested_->lab->choice().vary, Vary::suite);
  tested_->lab->run(tested_->workspace);
  tested_->frames_until([&] { return tested_->lab->reports().front().rows.size() == 2; });
  EXPECT_EQ(tested_->lab->plot().title, "By size");
  ASSERT_EQ(tested_->lab->plot().lines.size(), 1U);
  EXPECT_EQ(tested_->lab->plot().lines[0].x.size(), 2U);
  EXPECT_EQ(tested_->lab->plot().lines[0].count, (std::vector<std::size_t>{3, 3}));
  tested_->lab->wait();
  std::ofstream(file) << R"({"series": [], "plots": []})";
  EXPECT_THROW(tested_->lab->open(file), UsageError);
}

TEST_F(LabInWindow, ControlsStayInTheirPlacesAfterARefusedSweep) {
  tested_->frame();
  tested_->frame();
  const ImRect before = tested_->place_of("##vary");
  ASSERT_GT(before.GetWidth(), 0.0f);
  choose_sweep(tested_->lab->choice(), "size", "none");
  tested_->lab->run(tested_->workspace);
  tested_->frame();
  const ImRect after = tested_->place_of("##vary");
  EXPECT_FLOAT_EQ(after.Min.x, before.Min.x);
  EXPECT_FLOAT_EQ(after.Min.y, before.Min.y);
  EXPECT_GT(after.Min.y, tested_->place_of("Run").Min.y);
}

TEST_F(LabInWindow, MessagesAreAboveThePage) {
  tested_->frame();
  tested_->frame();
  tested_->workspace.log.info("something that everybody should read");
  for (int i = 0; i < 3; ++i)
    tested_->frame();
  ImGuiWindow* lab = ImGui::FindWindowByName("Lab###lab");
  ImGuiWindow* notices = ImGui::FindWindowByName("##notices");
  ASSERT_NE(lab, nullptr);
  ASSERT_NE(notices, nullptr);
  ImGui::FocusWindow(lab);  // A click into the lab brings it to the front.
  tested_->frame();
  EXPECT_TRUE(notices->WasActive);
  EXPECT_GT(ImGui::FindWindowDisplayIndex(notices), ImGui::FindWindowDisplayIndex(lab));
}

TEST_F(LabInWindow, AnExportedPictureHasNoTooltipAndNoMessageInIt) {
  const std::filesystem::path before = std::filesystem::current_path();
  const testing::TemporaryFolder folder;
  std::filesystem::current_path(folder.path());
  tested_->frame();
  tested_->frame();
  tested_->workspace.log.info("something that everybody should read");
  const ImVec2 button = tested_->place_of("PNG").GetCenter();
  const auto tooltip_is_drawn = [] {
    return std::ranges::any_of(ImGui::GetCurrentContext()->Windows, [](const ImGuiWindow* window) {
      return window->Active && (window->Flags & ImGuiWindowFlags_Tooltip) != 0;
    });
  };
  ImGuiIO& io = ImGui::GetIO();
  io.AddMousePosEvent(button.x, button.y);
  for (int i = 0; i < 3; ++i)
    tested_->frame();
  EXPECT_TRUE(tooltip_is_drawn());
  EXPECT_TRUE(ImGui::FindWindowByName("##notices")->Active);
  io.AddMouseButtonEvent(0, true);
  tested_->frame();
  io.AddMouseButtonEvent(0, false);
  tested_->frame();  // The frame of the click is the one that is written.
  EXPECT_FALSE(tooltip_is_drawn());
  EXPECT_FALSE(ImGui::FindWindowByName("##notices")->Active);
  tested_->wait_for_files();
  std::filesystem::current_path(before);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST_F(LabInWindow, AWantedSweepIsWhatTheNextRunMeasures) {
  tested_->window().want_sweep({.vary = "params.norm", .values = "l1,l2"});
  tested_->frame();
  EXPECT_EQ(tested_->lab->choice().vary, Vary::parameter);
  EXPECT_EQ(tested_->lab->choice().parameter, "norm");
  tested_->frame();  // The fields of the tab propose no other values.
  EXPECT_EQ(tested_->lab->choice().values, "l1,l2");
  EXPECT_FALSE(tested_->window().take_wanted_sweep());
}

TEST_F(LabInWindow, APlotOfOneSizeHasTicks) {
  measure_two_rows("24", {true, true, false});
  for (int i = 0; i < 3; ++i)
    tested_->frame();
  ImPlotPlot* plot = nullptr;  // The largest one; panels have others.
  auto& plots = ImPlot::GetCurrentContext()->Plots;
  for (int i = 0; i < plots.GetBufSize(); ++i)
    if (plot == nullptr || plots.GetByIndex(i)->PlotRect.GetArea() > plot->PlotRect.GetArea())
      plot = plots.GetByIndex(i);
  ASSERT_NE(plot, nullptr);
  const auto labelled = [](const ImPlotAxis& axis) {
    int count = 0;
    for (const ImPlotTick& tick : axis.Ticker.Ticks)
      count += tick.ShowLabel && axis.Range.Contains(tick.PlotPos) ? 1 : 0;
    return count;
  };
  EXPECT_EQ(labelled(plot->XAxis(0)), 1);
  EXPECT_GE(labelled(plot->YAxis(0)), 2);
}

TEST_F(LabInWindow, AReportHasWhatIsOpen) {
  choose_sweep(tested_->lab->choice(), "size", "16,24");
  tested_->lab->choice().backends = {true, true, false};
  tested_->lab->choice().precision = 10.0;
  tested_->lab->run(tested_->workspace);
  tested_->frames_until([&] { return tested_->lab->reports().front().rows.size() == 4; });
  const testing::TemporaryFolder folder;
  const std::filesystem::path page = folder.path() / "open.html", printed = folder.path() / "open.pdf";
  tested_->lab->write_report(tested_->window(), page);
  tested_->lab->write_report(tested_->window(), printed);
  tested_->wait_for_files();
  std::ifstream file(page);
  const std::string html{std::istreambuf_iterator<char>(file), {}};
  for (const char* text : {"The input: photo.png", "The view of the result.", "<svg", "threadscape run sobel photo.png",
                           "threadscape bench sobel", "What limits it"})
    EXPECT_NE(html.find(text), std::string::npos) << text;
  EXPECT_GT(std::filesystem::file_size(printed), 1000u);
}

TEST_F(LabInWindow, ThePictureOfThePlotIsCopiedByAProgram) {
  const testing::TemporaryFolder folder;
  const std::filesystem::path taken = folder.path() / "taken.png", program = folder.path() / "xclip";
  std::ofstream(program) << "#!/bin/sh\ncat > '" << taken.string() << "'\n";
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  const char* const before = std::getenv("PATH");
  const std::string path = before != nullptr ? before : "";
  setenv("PATH", (folder.path().string() + ":" + path).c_str(), 1);
  setenv("XDG_CACHE_HOME", folder.path().c_str(), 1);
  unsetenv("WAYLAND_DISPLAY");
  tested_->frame();
  tested_->frame();
  const ImVec2 button = tested_->place_of("Copy picture").GetCenter();
  ImGuiIO& io = ImGui::GetIO();
  io.AddMousePosEvent(button.x, button.y);
  io.AddMouseButtonEvent(0, true);
  tested_->frame();
  tested_->frame();
  io.AddMouseButtonEvent(0, false);
  tested_->frame();
  tested_->frame();
  tested_->wait_for_files();
  tested_->frame();
  setenv("PATH", path.c_str(), 1);
  unsetenv("XDG_CACHE_HOME");
  EXPECT_TRUE(tested_->logged("the picture is in the clipboard"));
  const Shape shape = io::load_picture(taken).pixels.shape();
  EXPECT_GT(shape.width, 300);
  EXPECT_LT(shape.width, 1280);
}

TEST_F(LabInWindow, ThePageTakesThePlaceOfThePictureAndOfAllPanels) {
  for (int i = 0; i < 3; ++i)
    tested_->frame();
  const auto is_shown = [](const char* title) {
    const ImGuiWindow* window = ImGui::FindWindowByName(title);
    return window != nullptr && window->WasActive;
  };
  const ImGuiWindow* lab = ImGui::FindWindowByName("Lab###lab");
  ASSERT_NE(lab, nullptr);
  EXPECT_GE(lab->Size.x * lab->Size.y, 0.95f * 1280 * 720);
  EXPECT_FALSE(is_shown("View###view"));
  ImGuiIO& io = ImGui::GetIO();
  const auto press = [&](ImGuiKey key) {
    io.AddKeyEvent(ImGuiMod_Ctrl, true);
    io.AddKeyEvent(key, true);
    tested_->frame();
    io.AddKeyEvent(key, false);
    io.AddKeyEvent(ImGuiMod_Ctrl, false);
    for (int i = 0; i < 3; ++i)
      tested_->frame();
  };
  press(ImGuiKey_1);
  EXPECT_TRUE(is_shown("View###view"));
  EXPECT_FALSE(is_shown("Lab###lab"));
  press(ImGuiKey_2);
  EXPECT_TRUE(is_shown("Lab###lab"));
}

/// Each plot of every report that has one of a suite, as large as the page makes it.
TEST_F(LabInWindow, NoTextOfAPlotCoversAnother) {
  std::size_t drawn = 0;
  for (const auto& entry : std::filesystem::directory_iterator(source_dir() + "/docs/benchmarks")) {
    if (entry.path().extension() != ".json") continue;
    try {
      tested_->lab->open(entry.path());
    } catch (const UsageError&) {
      continue;  // Latencies of the window, which the lab does not plot.
    }
  }
  tested_->lab->show(LabPlot::suite);
  const std::size_t count = tested_->lab->suite_plots();
  for (std::size_t plot = 0; plot < count; ++plot) {
    tested_->lab->show_suite_plot(plot);
    for (int i = 0; i < 4; ++i)
      tested_->frame();
    EXPECT_EQ(overlapping_text(*ImGui::GetDrawData()), "") << tested_->lab->plot().title;
    drawn += tested_->lab->plot().lines.empty() ? 0 : 1;
  }
  EXPECT_GT(drawn, 10U);
}

}  // namespace
}  // namespace threadscape::app
