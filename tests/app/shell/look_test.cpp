// What the window looks like: how much of it is the picture, what Tab hides, and that no text covers another one.

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "app/scenes/image/image_scene.h"
#include "app/session/timing_figures.h"
#include "app/ui/value_names.h"
#include "tests/support/app/tested_window.h"
#include "tests/support/app/text_rectangles.h"

namespace threadscape::app {
namespace {

class LookTest : public TestedWindowTest {
 protected:
  void SetUp() override {
    TestedWindowTest::SetUp();
    if (!tested_) return;
    tested_->platform_->resize(1280, 720);
    tested_->settle();
  }
  /// The share of the window that is the view of the picture.
  [[nodiscard]] double picture_share() const {
    const auto& [low, high] = tested_->window_.picture();
    return static_cast<double>(high.x - low.x) * static_cast<double>(high.y - low.y) / (1280.0 * 720.0);
  }
  static bool is_shown(const char* title) {
    const ImGuiWindow* window = ImGui::FindWindowByName(title);
    return window != nullptr && window->WasActive;
  }
  static bool is_in_front(const char* title) {
    const ImGuiWindow* window = ImGui::FindWindowByName(title);
    return window != nullptr && window->WasActive && window->DockTabIsVisible;
  }
  void click(ImVec2 at) {
    tested_->mouse(at, true);
    tested_->mouse(at, false);
  }
};

TEST_P(LookTest, ThePictureHasThreeFifthsOfTheWindowAndNearlyAllWithoutPanels) {
  EXPECT_GE(picture_share(), 0.60);
  EXPECT_FALSE(is_shown("Timings###timings")) << "three figures stand for it until it is opened";
  tested_->press(ImGuiKey_Tab);
  tested_->frame();
  EXPECT_GE(picture_share(), 0.95);
  for (const char* panel : {"Algorithms###algorithms", "Parameters###parameters", "Pixel###pixel", "##status"})
    EXPECT_FALSE(is_shown(panel)) << panel;
  tested_->press(ImGuiKey_Tab);
  tested_->settle();
  EXPECT_GE(picture_share(), 0.60);
  for (const char* panel : {"Algorithms###algorithms", "Parameters###parameters", "Pixel###pixel", "##status"})
    EXPECT_TRUE(is_shown(panel)) << panel;
}

TEST_P(LookTest, TheLowerPanelIsOpenedByItsNameAndByAKey) {
  tested_->press(ImGuiKey_F9);
  tested_->settle();
  EXPECT_TRUE(is_shown("Timings###timings"));
  EXPECT_TRUE(is_in_front("Timings###timings")) << "it is the first of the panels";
  EXPECT_LT(picture_share(), 0.60);
  tested_->press(ImGuiKey_F9);
  tested_->settle();
  EXPECT_FALSE(is_shown("Timings###timings"));
  tested_->window_.show_panel("log");
  for (int i = 0; i < 8; ++i)
    tested_->frame();
  EXPECT_TRUE(is_shown("Log###log"));
  for (int i = 0; i < 2; ++i) {
    tested_->press(ImGuiKey_F9);
    tested_->settle();
  }
  EXPECT_TRUE(is_in_front("Log###log")) << "it was in front before";
}

TEST_P(LookTest, PanelsWriteInThreeSizes) {
  tested_->workspace.set_parameter("size", "9");  // The numbers of a mask of nine columns are small.
  tested_->window_.show_panel("timings");
  tested_->window_.show_panel("source");
  tested_->settle();
  std::set<float> allowed, found;
  for (const TypeSize size : {TypeSize::small, TypeSize::normal, TypeSize::large})
    allowed.insert(pixels_of(size));
  ASSERT_EQ(allowed.size(), 3u);
  ImStableVector<ImFontBaked, 32>& drawn = ImGui::GetIO().Fonts->Builder->BakedPool;
  for (int i = 0; i < drawn.Size; ++i)
    if (drawn[i].LastUsedFrame == ImGui::GetFrameCount()) found.insert(drawn[i].Size);
  EXPECT_TRUE(found.contains(pixels_of(TypeSize::normal)));
  EXPECT_TRUE(found.contains(pixels_of(TypeSize::small)));
  for (const float size : found)
    EXPECT_TRUE(allowed.contains(size)) << size << " pixels";
}

TEST_P(LookTest, AllDigitsHaveOneAdvance) {
  for (ImFont* const font : ImGui::GetIO().Fonts->Fonts)
    for (const TypeSize size : {TypeSize::small, TypeSize::normal, TypeSize::large})
      for (const float scale : {1.0f, 1.5f, 2.0f}) {
        ImFontBaked* const baked = font->GetFontBaked(scale * pixels_of(size));
        for (ImWchar digit = '1'; digit <= '9'; ++digit)
          EXPECT_EQ(baked->GetCharAdvance(digit), baked->GetCharAdvance('0'))
              << font->GetDebugName() << " at " << baked->Size << ", " << static_cast<char>(digit);
      }
}

TEST_P(LookTest, SpacingIsARhythmOfEightPixelsOrTheirHalf) {
  apply_theme(Theme::dark, 1.0f);
  const ImGuiStyle& style = ImGui::GetStyle();
  for (const ImVec2& spacing :
       {style.WindowPadding, style.FramePadding, style.ItemSpacing, style.ItemInnerSpacing, style.CellPadding})
    for (const float pixels : {spacing.x, spacing.y}) {
      EXPECT_EQ(std::fmod(pixels, 4.0f), 0.0f) << pixels;
      EXPECT_GE(pixels, 4.0f);
    }
  EXPECT_EQ(style.WindowPadding.y, 8.0f);
  EXPECT_EQ(style.ItemSpacing.y, 8.0f);
}

TEST_P(LookTest, TabBelongsToATextThatIsEdited) {
  ImGuiWindow* panel = ImGui::FindWindowByName("Algorithms###algorithms");
  ASSERT_NE(panel, nullptr);
  ImGui::FocusWindow(panel);
  ImGui::ActivateItemByID(panel->GetID("##search"));
  for (int i = 0; i < 3; ++i)
    tested_->frame();
  ASSERT_TRUE(ImGui::GetIO().WantTextInput);
  tested_->press(ImGuiKey_Tab);
  EXPECT_TRUE(is_shown("Algorithms###algorithms"));
}

TEST_P(LookTest, TheToolbarIsOneRow) {
  for (const char* algorithm : {"sobel", "seam_carving", "diamond_square", "rasterize", "projection", "sorting",
                                "reduction", "reconstruction", "memory_access"}) {
    SCOPED_TRACE(algorithm);
    tested_->choose(algorithm, {});
    // The comparison with a phantom has further tools once it is there.
    if (std::string_view(algorithm) == "reconstruction")
      tested_->frames_until([this] { return !tested_->window_.scene().animating(); });
    const ImGuiWindow* view = ImGui::FindWindowByName("View###view");
    // The results on the way to this one have a row of their own.
    const float rows = tested_->workspace.intermediates().size() < 2 ? 1.8f : 3.1f;
    EXPECT_LT(tested_->window_.picture()[0].y - view->Pos.y, rows * ImGui::GetFrameHeight());
  }
}

TEST_P(LookTest, NoTextCoversAnother) {
  std::string found;
  tested_->after_frame = [&found] { found = overlapping_text(*ImGui::GetDrawData()); };
  for (const auto& [width, height] : {std::pair{1280, 720}, {700, 420}, {1600, 900}}) {
    tested_->platform_->resize(width, height);
    for (const char* algorithm : {"sobel", "seam_carving", "diamond_square", "rasterize", "projection", "sorting",
                                  "reduction", "morphology", "convolution"}) {
      SCOPED_TRACE(std::string(algorithm) + " at " + std::to_string(width));
      tested_->choose(algorithm, {});
      EXPECT_EQ(found, "");
    }
  }
  tested_->window_.show_panel("timings");
  tested_->settle();
  EXPECT_EQ(found, "");
  tested_->after_frame = {};
}

TEST_P(LookTest, NoEdgeCutsText) {
  std::string found;
  tested_->after_frame = [&found] { found = cut_text(*ImGui::GetDrawData()); };
  for (const char* algorithm : {"sobel", "seam_carving", "diamond_square", "rasterize", "projection", "reconstruction",
                                "sorting", "reduction", "morphology", "convolution", "phantom", "temporal_mean"}) {
    SCOPED_TRACE(algorithm);
    tested_->choose(algorithm, {});
    // These times stand in place of those of this machine, so that the texts are the same everywhere.
    tested_->window_.scene().use_fixture_times();
    TimingBook& book = tested_->workspace.timings;
    book.clear();
    for (int run = 0; run < 4; ++run)
      for (const auto& [backend, ms] : {std::pair{Backend::serial, 1234.5}, std::pair{Backend::openmp, 0.0123}})
        book.push(
            {.backend = backend, .variant = 0, .threads = 1, .times = {.compute_ms = ms + 0.001 * run}, .items = 1});
    tested_->frame();
    tested_->frame();
    EXPECT_EQ(found, "");
  }
  tested_->after_frame = {};
}

TEST_P(LookTest, NoEdgeCutsLargeText) {
  std::string found;
  tested_->after_frame = [&found] { found = cut_text(*ImGui::GetDrawData()); };
  for (int press = 0; press < 9; ++press)  // 1.1^9 is 2.4.
    tested_->press(ImGuiKey_Equal, ImGuiMod_Ctrl);
  for (const auto& [width, height] : {std::pair{1280, 720}, {1920, 1080}})
    for (const char* algorithm : {"sobel", "seam_carving", "diamond_square", "reduction"}) {
      SCOPED_TRACE(std::string(algorithm) + " at " + std::to_string(width));
      tested_->platform_->resize(width, height);
      tested_->choose(algorithm, {});
      tested_->workspace.timings.clear();
      for (int frame = 0; frame < 10; ++frame)
        tested_->frame();
      EXPECT_EQ(found, "");
    }
  tested_->after_frame = {};
}

TEST_P(LookTest, ColumnsGrowAndShrinkWithTheirText) {
  tested_->platform_->resize(1920, 1080);
  tested_->settle();
  const auto widths = [&] {
    return std::pair{ImGui::FindWindowByName("Algorithms###algorithms")->Size.x,
                     ImGui::FindWindowByName("Parameters###parameters")->Size.x};
  };
  const auto before = widths();
  for (int press = 0; press < 6; ++press)
    tested_->press(ImGuiKey_Equal, ImGuiMod_Ctrl);
  tested_->settle();
  EXPECT_GE(widths().first, 9.9f * ImGui::GetFontSize());
  EXPECT_GE(widths().second, 14.4f * ImGui::GetFontSize());
  tested_->press(ImGuiKey_0, ImGuiMod_Ctrl);
  tested_->settle();
  EXPECT_NEAR(widths().first, before.first, 0.05f * before.first);
  EXPECT_NEAR(widths().second, before.second, 0.05f * before.second);
}

TEST_P(LookTest, ColumnsComeBackFromTheLayoutOfANarrowWindow) {
  const auto widths = [] {
    return std::pair{ImGui::FindWindowByName("Algorithms###algorithms")->Size.x,
                     ImGui::FindWindowByName("Parameters###parameters")->Size.x};
  };
  const auto before = widths();
  for (int press = 0; press < 6; ++press)
    tested_->press(ImGuiKey_Equal, ImGuiMod_Ctrl);
  tested_->settle();
  EXPECT_NEAR(widths().first, widths().second, 1.0f) << "they are tabs of one column";
  tested_->press(ImGuiKey_0, ImGuiMod_Ctrl);
  tested_->settle();
  EXPECT_NEAR(widths().first, before.first, 0.05f * before.first);
  EXPECT_NEAR(widths().second, before.second, 0.05f * before.second);
}

TEST_P(LookTest, TimesStandBesideTheNamesOfBackendsInANarrowColumn) {
  std::string found;
  tested_->platform_->resize(270, 700);
  tested_->settle();
  tested_->after_frame = [&found] { found = overlapping_text(*ImGui::GetDrawData()); };
  for (int frame = 0; frame < 4; ++frame)
    tested_->frame();
  EXPECT_LT(ImGui::FindWindowByName("Parameters###parameters")->Size.x, 9.5f * ImGui::GetFontSize());
  EXPECT_EQ(found, "");
  tested_->after_frame = {};
}

TEST_P(LookTest, AStarMarksAFavourite) {
  tested_->window_.search("sobel");
  tested_->settle();
  ImGuiWindow* const list = ImGui::FindWindowByName("Algorithms###algorithms");
  ASSERT_NE(list, nullptr);
  const ImGuiWindow* rows = nullptr;
  for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
    if (window->ParentWindow == list && std::string_view(window->Name).find("/list") != std::string_view::npos)
      rows = window;
  ASSERT_NE(rows, nullptr);
  const ImRect row = rows->WorkRect;
  click({row.Max.x - ImGui::GetTextLineHeight() / 2, row.Min.y + ImGui::GetTextLineHeight() * 1.05f});
  EXPECT_EQ(tested_->window_.marks().favourites, std::vector<std::string>{"sobel"});
  EXPECT_EQ(tested_->workspace.algorithm().name, "convolution") << "the star does not choose the row";
}

TEST_P(LookTest, ANumberIsTypedAndSteppedInItsField) {
  tested_->choose("seam_carving", {{"width", "100"}});
  const ImVec2 middle = tested_->place_of_field("width");
  ImGuiWindow* panel = ImGui::FindWindowByName("Parameters###parameters");
  const ImRect field = ImGui::WindowRectRelToAbs(panel, panel->NavRectRel[ImGuiNavLayer_Main]);
  const float side = field.GetHeight() * 0.6f;
  click({field.Min.x + 1.5f * side, middle.y});
  EXPECT_EQ(tested_->parameter("width"), "101");
  click({field.Min.x + 0.5f * side, middle.y});
  click({field.Min.x + 0.5f * side, middle.y});
  EXPECT_EQ(tested_->parameter("width"), "99");
  // While the number is typed at the left edge, there are no arrows, and a click there only places the cursor.
  ImGui::GetIO().AddKeyEvent(ImGuiMod_Ctrl, true);
  click(middle);
  ImGui::GetIO().AddKeyEvent(ImGuiMod_Ctrl, false);
  tested_->frame();
  ASSERT_TRUE(ImGui::GetIO().WantTextInput);
  click({field.Min.x + 1.5f * side, middle.y});
  EXPECT_TRUE(ImGui::GetIO().WantTextInput);
  EXPECT_EQ(tested_->parameter("width"), "99");
}

TEST_P(LookTest, TheTimeOnACardIsTheMedianThatItsFactorIsComputedFrom) {
  TimingBook& book = tested_->workspace.timings;
  book.clear();
  EXPECT_EQ(shown_ms(book, Backend::serial), 0.0);
  const auto ran = [&book](Backend backend, double ms) {
    book.push({.backend = backend, .variant = 0, .threads = 1, .times = {.compute_ms = ms}, .items = 1});
  };
  ran(Backend::serial, 900);
  EXPECT_EQ(shown_ms(book, Backend::serial), 900.0) << "a warm-up counts while nothing else was measured";
  EXPECT_EQ(factor_to_serial(book, Backend::serial), 0.0);
  for (const double ms : {60.0, 50.0, 52.0})
    ran(Backend::serial, ms);
  for (const double ms : {30.0, 2.0, 2.0, 9.0})
    ran(Backend::openmp, ms);
  EXPECT_EQ(shown_ms(book, Backend::serial), 52.0);
  EXPECT_EQ(shown_ms(book, Backend::openmp), 2.0) << "and not the last time, 9 ms";
  EXPECT_EQ(factor_to_serial(book, Backend::openmp), 26.0);
}

TEST_P(LookTest, TheInputUnderTheMouseIsThePlaceThatWasCutOut) {
  tested_->choose("crop", {{"left", "20"}, {"top", "10"}, {"width", "40"}, {"height", "30"}});
  auto& scene = dynamic_cast<ImageScene&>(tested_->window_.scene());
  const auto& [low, high] = tested_->window_.picture();
  tested_->mouse({(low.x + high.x) / 2, (low.y + high.y) / 2}, false);
  tested_->frames_until([&] { return scene.value_of(0) && scene.value_of(1) && !scene.animating(); });
  EXPECT_EQ(scene.value_of(0)->x, scene.value_of(1)->x + 20);
  EXPECT_EQ(scene.value_of(0)->y, scene.value_of(1)->y + 10);
  for (int channel = 0; channel < scene.value_of(1)->channels(); ++channel)
    EXPECT_EQ(scene.value_of(0)->value(0, 0, channel), scene.value_of(1)->value(0, 0, channel));
  tested_->choose("rotate", {{"turn", "right"}});
  tested_->frames_until([&] { return scene.value_of(1) && !scene.animating(); });
  EXPECT_FALSE(scene.value_of(0)) << "a turned picture has its pixels at other places";
}

TEST_P(LookTest, TheMouseMeasuresALineAndARegion) {
  tested_->choose("sobel", {});
  auto& scene = dynamic_cast<ImageScene&>(tested_->window_.scene());
  tested_->press(ImGuiKey_I);  // The input, whose values are known.
  tested_->press(ImGuiKey_X);
  ASSERT_EQ(scene.measure().kind(), MeasureKind::line);
  const auto& [low, high] = tested_->window_.picture();
  const ImVec2 middle{(low.x + high.x) / 2, (low.y + high.y) / 2};
  const auto drag = [&] {
    ImGuiIO& io = ImGui::GetIO();
    io.AddMousePosEvent(middle.x - 60, middle.y);
    tested_->frame();
    io.AddMouseButtonEvent(0, true);
    tested_->frame();
    io.AddMousePosEvent(middle.x + 60, middle.y);
    tested_->frame();
    io.AddMouseButtonEvent(0, false);
    tested_->frame();
    tested_->frames_until([&] { return !scene.measure().pending(); });
  };
  drag();
  const auto* const line = std::get_if<LineProfile>(&scene.measure().found());
  ASSERT_NE(line, nullptr);
  EXPECT_GT(line->length, 1.0);
  EXPECT_NEAR(line->degrees, 0.0, 1e-3);
  EXPECT_EQ(line->values.size(), line->at.size() * 4);
  tested_->press(ImGuiKey_X);
  drag();
  const auto* const region = std::get_if<RegionStatistics>(&scene.measure().found());
  ASSERT_NE(region, nullptr);
  EXPECT_GE(region->width, 1);
  EXPECT_LE(region->minimum[0], region->mean[0]);
  EXPECT_LE(region->mean[0], region->maximum[0]);
  tested_->press(ImGuiKey_X);
  EXPECT_EQ(scene.measure().kind(), MeasureKind::none);
}

TEST_P(LookTest, TextThatCoversAnotherIsFound) {
  const auto found = [](ImVec2 second) {
    ImDrawList list(ImGui::GetDrawListSharedData());
    list._ResetForNewFrame();
    list.PushTexture(ImGui::GetIO().Fonts->TexRef);
    list.PushClipRect({0, 0}, {400, 300});
    list.AddRectFilled({0, 0}, {200, 200}, IM_COL32(90, 90, 90, 255));
    list.AddText(nullptr, 15.0f, {20, 20}, IM_COL32_WHITE, "the first text");
    list.AddText(nullptr, 15.0f, second, IM_COL32_WHITE, "the second text");
    ImDrawData data;
    data.Valid = true;
    data.AddDrawList(&list);
    return overlapping_text(data);
  };
  EXPECT_EQ(found({20, 60}), "");
  EXPECT_EQ(found({220, 20}), "");
  EXPECT_NE(found({40, 25}), "");
  EXPECT_NE(found({20, 26}), "");
}

TEST(StoredLayout, OfAWideWindowGivesWayInANarrowOne) {
  std::string stored;
  const auto columns_of = [&stored](int width, int height) {
    auto platform = threadscape::testing::headless_or_skip(width, height);
    if (!platform) return 0;
    TestedWindow tested(std::move(platform));
    if (!stored.empty()) ImGui::LoadIniSettingsFromMemory(stored.c_str());
    for (int i = 0; i < 8; ++i)
      tested.frame();
    stored = ImGui::SaveIniSettingsToMemory();
    const ImGuiWindow* const list = ImGui::FindWindowByName("Algorithms###algorithms");
    const ImGuiWindow* const parameters = ImGui::FindWindowByName("Parameters###parameters");
    if (list == nullptr || parameters == nullptr) return 0;
    return list->DockId == parameters->DockId ? 1 : 2;
  };
  if (columns_of(1280, 800) == 0) GTEST_SKIP() << "no OpenGL";
  EXPECT_EQ(columns_of(1280, 800), 2) << "a window of the same size keeps it";
  EXPECT_EQ(columns_of(700, 420), 1);
  EXPECT_EQ(columns_of(700, 420), 1) << "that of a narrow window is kept";
}

INSTANTIATE_TEST_SUITE_P(Platforms, LookTest, ::testing::Values(Where::window, Where::headless), name_of_place);

TEST(AlgorithmMarks, TheBestComesFirst) {
  const auto first = [](std::string_view wanted) { return std::string(ranked_algorithms(wanted).front()->name); };
  EXPECT_EQ(first("Sob"), "sobel");
  EXPECT_EQ(first("gaus"), "gaussian") << "a title that begins with it is before the Laplacian of Gaussian";
  EXPECT_EQ(first("carv"), "seam_carving");
  EXPECT_TRUE(ranked_algorithms("nothing has this name").empty());
  EXPECT_EQ(ranked_algorithms("").size(), algorithms().size());
}

TEST(AlgorithmMarks, RecentOnesAreFewAndDifferent) {
  AlgorithmMarks marks;
  for (const char* name : {"a", "b", "a", "c", "d", "e"})
    marks.note(name);
  EXPECT_EQ(marks.recent, (std::vector<std::string>{"e", "d", "c", "a"}));
  AlgorithmMarks::toggle(marks.favourites, "sobel");
  EXPECT_TRUE(AlgorithmMarks::has(marks.favourites, "sobel"));
  AlgorithmMarks::toggle(marks.favourites, "sobel");
  EXPECT_TRUE(marks.favourites.empty());
}

TEST(ValueNames, AreWrittenAsTheFieldWritesThem) {
  EXPECT_EQ(value_title("blinn_phong"), "Blinn-Phong");
  EXPECT_EQ(value_title("blinn-phong"), "Blinn-Phong");
  EXPECT_EQ(value_title("z_buffer"), "Z-buffer");
  EXPECT_EQ(value_title("simd"), "SIMD");
  EXPECT_EQ(value_title("unroll_warp"), "Unroll warp");
  EXPECT_EQ(value_title("8"), "8");
  // No two values of a parameter get the same name.
  for (const AlgorithmInfo& algorithm : algorithms()) {
    ParamBox params = algorithm.defaults();
    for (const FieldRef& field : params.fields()) {
      const auto* const choice = std::get_if<ChoiceValue>(&field.value);
      if (choice == nullptr) continue;
      std::vector<std::string> names;
      for (const std::string_view name : choice->choices)
        names.push_back(value_title(name));
      std::ranges::sort(names);
      EXPECT_EQ(std::ranges::adjacent_find(names), names.end()) << algorithm.name << " " << field.name;
    }
  }
}

}  // namespace
}  // namespace threadscape::app
