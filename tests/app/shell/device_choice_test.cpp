// The choice among several devices in the window, and the return of one that has failed.

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <memory>
#include <utility>
#include <vector>

#include "app/panels/parameters/parameter_panel.h"
#include "tests/support/app/tested_window.h"
#include "tests/support/compute/host_arrays.h"
#include "tests/support/compute/pretended_device.h"

namespace threadscape::app {
namespace {

using threadscape::testing::PretendedDevice;

/// They outlive the window of every test.
gpu::Devices& devices_to_choose_from() {
  static gpu::Devices devices = [] {
    std::vector<std::unique_ptr<gpu::Device>> list;
    for (int ordinal = 0; ordinal < 2; ++ordinal)
      list.push_back(std::make_unique<PretendedDevice>(ordinal));
    return gpu::Devices(std::move(list), "");
  }();
  return devices;
}

class DeviceChoiceTest : public TestedWindowTest {
 protected:
  void SetUp() override {
    TestedWindowTest::SetUp();
    if (IsSkipped()) return;
    tested_->workspace.choose_from(devices_to_choose_from());
    tested_->workspace.choose_device(devices_to_choose_from().at(0));
    tested_->workspace.choose_backend(Backend::cuda);
    tested_->settle();
  }
  /// Presses a widget of a panel, as Tab and Enter would.
  void activate(const char* panel, const char* widget) {
    ImGuiWindow* window = ImGui::FindWindowByName(panel);
    ASSERT_NE(window, nullptr);
    ImGui::FocusWindow(window);
    tested_->frame();
    ImGui::ActivateItemByID(window->GetID(widget));
    tested_->frame();
    tested_->frame();
  }
};

TEST_P(DeviceChoiceTest, AnotherDeviceIsChosenFromTheList) {
  EXPECT_EQ(&tested_->workspace.device(), &devices_to_choose_from().at(0));
  activate("Parameters###parameters", "##gpu");
  tested_->press(ImGuiKey_DownArrow);
  tested_->press(ImGuiKey_Enter);
  tested_->settle();
  EXPECT_EQ(&tested_->workspace.device(), &devices_to_choose_from().at(1));
  ASSERT_NE(tested_->live_.shown(), nullptr);
  EXPECT_EQ(tested_->live_.shown()->device, &devices_to_choose_from().at(1));
}

TEST_P(DeviceChoiceTest, AllDevicesTogetherMakeTheShownPicture) {
  const auto runs = [](int ordinal) {
    return dynamic_cast<PretendedDevice&>(devices_to_choose_from().at(ordinal)).runs();
  };
  const int before[2] = {runs(0), runs(1)};
  activate("Parameters###parameters", "##gpu");
  tested_->press(ImGuiKey_End);
  tested_->press(ImGuiKey_Enter);
  tested_->settle();
  EXPECT_EQ(tested_->workspace.work().devices.size(), 2U);
  ASSERT_NE(tested_->live_.shown(), nullptr);
  EXPECT_TRUE(tested_->live_.shown()->is_divided());
  EXPECT_GT(runs(0), before[0]);
  EXPECT_GT(runs(1), before[1]);
  RunRequest serial = tested_->live_.shown()->request();
  serial.backend = Backend::serial;
  serial.variant = 0;
  serial.devices.clear();
  const HostArray expected = Runner().run(serial, tested_->live_.source()->picture.pixels.view()).output;
  EXPECT_TRUE(threadscape::testing::same_pixels(tested_->live_.output()->read(), expected));

  tested_->choose("noise", {});  // It needs all of its input, and runs on the first of them.
  const int second = runs(1);
  tested_->workspace.choose_seed(7);
  tested_->settle();
  ASSERT_NE(tested_->live_.shown(), nullptr);
  EXPECT_EQ(tested_->live_.shown()->backend, Backend::cuda);
  EXPECT_FALSE(tested_->live_.shown()->is_divided());
  EXPECT_EQ(runs(1), second);
}

TEST_P(DeviceChoiceTest, RunsGoOnOnTheFirstDeviceWhenAnotherFails) {
  gpu::Device &first = devices_to_choose_from().at(0), &second = devices_to_choose_from().at(1);
  tested_->workspace.choose_devices({&first, &second});
  tested_->settle();
  second.retire("a fault");
  tested_->settle();
  EXPECT_TRUE(tested_->workspace.work().devices.empty());
  ASSERT_NE(tested_->live_.shown(), nullptr);
  EXPECT_EQ(tested_->live_.shown()->backend, Backend::cuda);
  EXPECT_EQ(tested_->live_.shown()->device, &first);
  tested_->workspace.choose_backend(Backend::serial);  // The worker gives back what it keeps of the lost one.
  tested_->settle();
  EXPECT_EQ(second.revive(), "");
}

TEST_P(DeviceChoiceTest, AButtonBringsAFailedDeviceBack) {
  tested_->workspace.device().retire("a fault");
  tested_->settle();
  EXPECT_EQ(tested_->workspace.work().backend, Backend::openmp);
  tested_->window_.show_panel("device");
  tested_->settle();
  activate("Device###device", "Use it again");
  tested_->settle();
  EXPECT_EQ(tested_->workspace.device().problem(), "");
  tested_->workspace.choose_backend(Backend::cuda);
  tested_->settle();
  ASSERT_NE(tested_->live_.shown(), nullptr);
  EXPECT_EQ(tested_->live_.shown()->backend, Backend::cuda);
}

TEST_P(DeviceChoiceTest, ACardSaysWhyItsBackendCannotRunAndWhatHelps) {
  // The height of the part of the panel that is the card of this backend.
  const auto height_of_card = [this](Backend backend) {
    const ImGuiWindow* panel = ImGui::FindWindowByName("Parameters###parameters");
    const int number = static_cast<int>(backend);
    const ImGuiID card = ImHashStr("card", 0, ImHashData(&number, sizeof(number), panel->ID));
    const ImRect all = panel->InnerRect;
    constexpr int step = 8;  // A frame is drawn for each place of the mouse.
    int height = 0;
    for (int row = 0; row < static_cast<int>(all.GetHeight()); row += step) {
      const float y = all.Min.y + static_cast<float>(row);
      tested_->mouse({all.Max.x - 3 * ImGui::GetStyle().ScrollbarSize, y}, false);
      if (ImGui::GetCurrentContext()->HoveredId == card) height += step;
    }
    return static_cast<float>(height);
  };
  const float line = ImGui::GetStyle().FontSizeBase * ImGui::GetStyle().FontScaleDpi;
  EXPECT_EQ(absence_text(tested_->workspace, Backend::cuda), "");
  EXPECT_LE(height_of_card(Backend::cuda), 5 * line) << "it has figures, or says that it has none";
  tested_->workspace.device().retire("a fault of memory that no kernel survives");
  tested_->settle();
  EXPECT_EQ(absence_text(tested_->workspace, Backend::cuda),
            "It failed and is switched off: a fault of memory that no kernel survives; \"Use it again\" in the panel "
            "Device opens it anew.");
  EXPECT_EQ(absence_text(tested_->workspace, Backend::serial), "");
  EXPECT_GE(height_of_card(Backend::cuda), 5 * line) << "a title and a sentence of several lines";
  EXPECT_EQ(tested_->workspace.device().revive(), "");
}

INSTANTIATE_TEST_SUITE_P(Once, DeviceChoiceTest, ::testing::Values(Where::headless));

}  // namespace
}  // namespace threadscape::app
