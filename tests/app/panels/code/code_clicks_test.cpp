// The mouse beside the text of a sketch, and keys that save it.

#include <algorithm>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#include "app/lab/lab_tab.h"
#include "tests/support/app/sketch_window.h"

namespace threadscape::app {
namespace {

class CodeClicksTest : public SketchSessionTest {
 protected:
  /// The field of the text, which is a window inside the panel; null before it was drawn.
  [[nodiscard]] static ImGuiWindow* field() {
    for (ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
      if (window->WasActive && std::string_view(window->Name).find("##code_") != std::string_view::npos) return window;
    return nullptr;
  }
  void click(ImVec2 at) {
    ImGuiIO& io = ImGui::GetIO();
    io.AddMousePosEvent(at.x, at.y);
    tested_->frame();
    io.AddMouseButtonEvent(ImGuiMouseButton_Left, true);
    tested_->frame();
    io.AddMouseButtonEvent(ImGuiMouseButton_Left, false);
    tested_->frame();
    tested_->frame();
  }
  /// Clicks the number of a line beside the text.
  void click_number(int line) {
    const ImGuiWindow* const text = field();
    ASSERT_NE(text, nullptr);
    const float height = ImGui::GetFontSize();
    click({text->Pos.x - 3.0f, text->Pos.y + ImGui::GetStyle().FramePadding.y +
                                   (static_cast<float>(line) - 0.5f) * height - text->Scroll.y});
  }
  /// The line of the text in which a character that is typed now appears, from 1 on; 0 if it appears nowhere.
  [[nodiscard]] int line_of_typing() {
    ImGui::GetIO().AddInputCharacter('@');
    tested_->frame();
    tested_->frame();
    const std::string& text = sketch().text();
    const std::size_t at = text.find('@');
    if (at == std::string::npos) return 0;
    const auto line =
        1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    sketch().text().erase(at, 1);
    tested_->frame();
    return line;
  }
};

TEST_P(CodeClicksTest, WhatIsTypedTogetherWithAClickBesideALineReachesThatLine) {
  tested_->frame();
  tested_->frame();
  finish();
  const ImGuiWindow* const text = field();
  ASSERT_NE(text, nullptr);
  ImGuiIO& io = ImGui::GetIO();
  io.AddMousePosEvent(text->Pos.x - 3.0f, text->Pos.y + ImGui::GetStyle().FramePadding.y + 4.5f * ImGui::GetFontSize());
  io.AddMouseButtonEvent(ImGuiMouseButton_Left, true);
  io.AddMouseButtonEvent(ImGuiMouseButton_Left, false);
  for (const unsigned typed : {'@', '#', '%'})
    io.AddInputCharacter(typed);
  for (int i = 0; i < 12; ++i)
    tested_->frame();
  const std::size_t at = sketch().text().find("@#%");
  ASSERT_NE(at, std::string::npos) << "a character was lost";
  EXPECT_EQ(std::count(sketch().text().begin(), sketch().text().begin() + static_cast<std::ptrdiff_t>(at), '\n'), 4);
}

TEST_P(CodeClicksTest, AClickBesideALineGoesThere) {
  // The panel has its place after the first frames.
  tested_->frame();
  tested_->frame();
  click_number(7);
  EXPECT_EQ(line_of_typing(), 7) << "in the first frames";
  finish();
  for (const int line : {1, 11, 4}) {
    click_number(line);
    EXPECT_EQ(line_of_typing(), line);
  }
  // The numbers move with the text.
  std::string longer;
  for (int line = 1; line <= 200; ++line)
    longer += "// " + std::to_string(line) + "\n";
  sketch().text() = longer;
  tested_->frame();
  tested_->press(ImGuiKey_End, ImGuiMod_Ctrl);
  tested_->frame();
  ASSERT_GT(field()->Scroll.y, 0.0f);
  click_number(195);
  EXPECT_EQ(line_of_typing(), 195);
  // With figures beside the lines the numbers keep their places.
  sketch().text() = limited;
  run();
  ASSERT_FALSE(sketch().counts().empty()) << sketch().trouble();
  click_number(9);
  EXPECT_EQ(line_of_typing(), 9);
}

TEST_P(CodeClicksTest, ControlSSavesAndRuns) {
  tested_->frame();
  tested_->frame();
  click_number(11);
  replace("most = 255", "most = 254");
  tested_->frame();
  EXPECT_TRUE(sketch().changed());
  tested_->press(ImGuiKey_S, ImGuiMod_Ctrl);
  EXPECT_FALSE(sketch().changed());
  std::ifstream file(file_);
  const std::string saved{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  EXPECT_EQ(saved, sketch().text());
  EXPECT_NE(sketch().text().find("most = 254"), std::string::npos);
  finish();
  EXPECT_EQ(sketch().tries().size(), 1U) << sketch().trouble();
}

TEST_P(CodeClicksTest, AClickOnALineThatTheLabCitesShowsItsCode) {
  run();
  ASSERT_EQ(sketch().trouble(), "");
  auto tab = std::make_unique<LabTab>([] {}, lab_machine());
  LabTab& lab = *tab;
  tested_->window_.add_panel(LabTab::type, std::move(tab));
  tested_->window_.show_panel("lab");
  tested_->frames_until([&] { return !lab.cited().lines.empty(); });
  tested_->frame();
  const KernelLine cited = lab.cited().lines.front().place;
  const ImGuiWindow* sentences = nullptr;
  for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
    if (window->WasActive && std::string_view(window->Name).find("/why_") != std::string_view::npos) sentences = window;
  ASSERT_NE(sentences, nullptr);
  EXPECT_EQ(cited.line, 11) << "the line with most instructions";
  const auto figure = [&](std::string_view name) {
    const auto figures = tested_->window_.scene().figures();
    const auto found = std::ranges::find(figures, name, [](const auto& one) { return one.first; });
    return found == figures.end() ? -1.0 : found->second;
  };
  ASSERT_EQ(figure("line"), -1.0) << "the scene is 2-D";
  // The first line that is a link shows its place.
  for (float y = 2; y < sentences->Size.y && figure("line") < 0; y += 4) {
    click({sentences->Pos.x + 10, sentences->Pos.y + y});
    finish();
  }
  ASSERT_GT(figure("line"), 0.0) << "the scene is Kernel";
  EXPECT_GT(figure("columns"), 0.0) << "and lists code";
  // It stands where the warp executes the cited line first, which is the place that the setting of the scene names.
  ParamBox& view = *tested_->window_.scene().settings();
  const auto step = [&] {
    for (const FieldRef& field : view.fields())
      if (field.name == "step") return to_text(field);
    return std::string();
  };
  const std::string shown = step();
  EXPECT_NE(shown, "0");
  view.assign("step", "0");
  finish();
  EXPECT_EQ(step(), "0");
  view.assign("line", std::to_string(cited.line));
  finish();
  EXPECT_EQ(step(), shown);
}

INSTANTIATE_TEST_SUITE_P(Places, CodeClicksTest, ::testing::Values(Where::headless), name_of_place);

}  // namespace
}  // namespace threadscape::app
