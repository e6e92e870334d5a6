// The choice among several devices in the window, and the return of one that has failed.

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <memory>
#include <utility>
#include <vector>

#include "tests/support/app/desk.h"
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

class DeviceChoiceTest : public DeskTest {
 protected:
  void SetUp() override {
    DeskTest::SetUp();
    if (IsSkipped()) return;
    desk_->workspace.choose_from(devices_to_choose_from());
    desk_->workspace.choose_device(devices_to_choose_from().at(0));
    desk_->workspace.choose_backend(Backend::cuda);
    desk_->settle();
  }
  /// Presses a widget of a panel, as Tab and Enter would.
  void activate(const char* panel, const char* widget) {
    ImGuiWindow* window = ImGui::FindWindowByName(panel);
    ASSERT_NE(window, nullptr);
    ImGui::FocusWindow(window);
    desk_->frame();
    ImGui::ActivateItemByID(window->GetID(widget));
    desk_->frame();
    desk_->frame();
  }
};

TEST_P(DeviceChoiceTest, AnotherDeviceIsChosenFromTheList) {
  EXPECT_EQ(&desk_->workspace.device(), &devices_to_choose_from().at(0));
  activate("Parameters###parameters", "##gpu");
  desk_->press(ImGuiKey_DownArrow);
  desk_->press(ImGuiKey_Enter);
  desk_->settle();
  EXPECT_EQ(&desk_->workspace.device(), &devices_to_choose_from().at(1));
  ASSERT_NE(desk_->live_.shown(), nullptr);
  EXPECT_EQ(desk_->live_.shown()->device, &devices_to_choose_from().at(1));
}

TEST_P(DeviceChoiceTest, AButtonBringsAFailedDeviceBack) {
  desk_->workspace.device().retire("a fault");
  desk_->settle();
  EXPECT_EQ(desk_->workspace.work().backend, Backend::openmp);
  desk_->window_.show_panel("Device");
  desk_->settle();
  activate("Device###device", "Use it again");
  desk_->settle();
  EXPECT_EQ(desk_->workspace.device().problem(), "");
  desk_->workspace.choose_backend(Backend::cuda);
  desk_->settle();
  ASSERT_NE(desk_->live_.shown(), nullptr);
  EXPECT_EQ(desk_->live_.shown()->backend, Backend::cuda);
}

INSTANTIATE_TEST_SUITE_P(Once, DeviceChoiceTest, ::testing::Values(Where::headless));

}  // namespace
}  // namespace threadscape::app
