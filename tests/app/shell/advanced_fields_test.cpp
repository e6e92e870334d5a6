// The parameters that the panel folds away: they exist, are few against the others, and show themselves when needed.

#include "app/shell/advanced_fields.h"

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <algorithm>

#include "compute/registry/registry.h"
#include "tests/support/app/tested_window.h"

namespace threadscape::app {
namespace {

TEST(AdvancedFields, EveryNameIsAParameterAndTheFirstOnesAreBasic) {
  std::size_t with_sections = 0;
  for (const AlgorithmInfo& algorithm : algorithms()) {
    const ParamBox params = algorithm.defaults();
    const std::vector<FieldRef> fields = params.fields();
    const AdvancedFields advanced(algorithm.name, params, [](const FieldRef&) { return false; });
    if (!advanced.any()) continue;
    ++with_sections;
    EXPECT_FALSE(advanced.has(fields[0])) << algorithm.name;
    EXPECT_FALSE(advanced.has(fields[1])) << algorithm.name;
    const auto folded = std::ranges::count_if(fields, [&](const FieldRef& field) { return advanced.has(field); });
    EXPECT_GE(folded, 3) << algorithm.name << " gains nothing by a section";
    if (algorithm.name == "projection" || algorithm.name == "reconstruction") continue;  // They share a list.
    EXPECT_EQ(static_cast<std::size_t>(folded), advanced_names(algorithm.name).size())
        << algorithm.name << " lacks a parameter that is listed";
  }
  EXPECT_EQ(with_sections, 8U);
}

TEST(AdvancedFields, TheTitleCountsWhatIsChanged) {
  const AlgorithmInfo& algorithm = find_algorithm("convolution");
  ParamBox params = algorithm.defaults();
  bool is_needed = false;
  const AdvancedFields advanced("convolution", algorithm.defaults(), [&](const FieldRef&) { return is_needed; });
  EXPECT_EQ(advanced.title(params.fields()), "Advanced");
  params.assign("size", "5");
  EXPECT_EQ(advanced.title(params.fields()), "Advanced") << "a basic one";
  params.assign("bias", "3");
  params.assign("border", "zero");
  EXPECT_EQ(advanced.title(params.fields()), "Advanced (2 changed)");
  EXPECT_FALSE(advanced.needed(params.fields()));
  is_needed = true;
  EXPECT_TRUE(advanced.needed(params.fields()));
}

class AdvancedFieldsInWindow : public TestedWindowTest {
 protected:
  /// Returns whether the widget of a parameter is drawn.
  [[nodiscard]] bool is_drawn(const char* field) {
    ImGuiWindow* panel = ImGui::FindWindowByName("Parameters###parameters");
    const ImGuiID id = ImHashStr("##value", 0, panel->GetID(field));
    ImGui::ActivateItemByID(id);
    for (int i = 0; i < 3; ++i)
      tested_->frame();
    const bool drawn = ImGui::GetCurrentContext()->NavId == id || ImGui::GetActiveID() == id;
    ImGui::ClearActiveID();
    tested_->frame();
    return drawn;
  }
};

TEST_P(AdvancedFieldsInWindow, AreFoldedUntilTheirLineIsPressed) {
  tested_->choose("seam_carving", {});
  EXPECT_TRUE(is_drawn("width"));
  EXPECT_FALSE(is_drawn("seams_per_pass"));
  ImGuiWindow* panel = ImGui::FindWindowByName("Parameters###parameters");
  ImGui::FocusWindow(panel);
  tested_->frame();
  ImGui::ActivateItemByID(panel->GetID("###advanced"));
  for (int i = 0; i < 3; ++i)
    tested_->frame();
  EXPECT_TRUE(is_drawn("seams_per_pass"));
}

INSTANTIATE_TEST_SUITE_P(Platforms, AdvancedFieldsInWindow, ::testing::Values(Where::headless), name_of_place);

}  // namespace
}  // namespace threadscape::app
