#pragma once

#include <gtest/gtest.h>
#include <imgui.h>
#include <implot.h>

namespace threadscape::app {

/// Contexts of ImGui and ImPlot for a test that draws plots without a window.
class PlotContextsTest : public ::testing::Test {
 protected:
  explicit PlotContextsTest(ImVec2 size) {
    ImGui::SetCurrentContext(gui_);
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = size;
    io.IniFilename = nullptr;
    io.BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
  }
  void TearDown() override {
    ImPlot::DestroyContext(plots_);
    ImGui::DestroyContext(gui_);
    ImGui::SetCurrentContext(before_);
    ImPlot::SetCurrentContext(plots_before_);
  }

 private:
  ImGuiContext* before_ = ImGui::GetCurrentContext();
  ImPlotContext* plots_before_ = ImPlot::GetCurrentContext();
  ImGuiContext* gui_ = ImGui::CreateContext();
  ImPlotContext* plots_ = ImPlot::CreateContext();
};

}  // namespace threadscape::app
