// Tests of uploads of inputs: small ones at once, large ones in parts.

#include "app/live/input_slot.h"

#include <gtest/gtest.h>

#include "app/platform/platform.h"
#include "compute/core/errors.h"
#include "compute/core/synthetic.h"
#include "compute/engines/yuv/device_frames.h"
#include "tests/support/app/app_testing.h"
#include "tests/support/compute/host_arrays.h"

namespace threadscape::app {
namespace {

class InputSlotTest : public ::testing::Test {
 protected:
  void SetUp() override {
    platform_ = threadscape::testing::headless_or_skip(64, 64);
    if (!platform_) return;
  }

  static std::shared_ptr<const Source> source(std::uint64_t id, const Shape& shape) {
    Source made{.path = {}, .picture = {}, .id = id};
    made.picture.pixels = make_synthetic(InputPattern::noise, shape, id);
    return std::make_shared<const Source>(std::move(made));
  }
  static std::shared_ptr<const Source> small(std::uint64_t id) {
    return source(id, Shape::image(Element::u8, 4, 100, 50));
  }
  /// 16 MiB: several parts.
  static std::shared_ptr<const Source> large(std::uint64_t id) {
    return source(id, Shape::image(Element::u8, 4, 2048, 2048));
  }

  /// The slot displays exactly this source.
  static void expect_displayed(const InputSlot& slot, const Source& source) {
    EXPECT_EQ(slot.id(), source.id);
    ASSERT_TRUE(testing::same_pixels(slot.memory().read(), source.picture.pixels));
  }

  std::unique_ptr<Platform> platform_;
};

TEST_F(InputSlotTest, SmallInputsAreDisplayedAtOnce) {
  InputSlot slot;
  const auto first = small(1), second = small(2);
  EXPECT_TRUE(slot.replaces_memory(first));
  slot.show(first);
  EXPECT_FALSE(slot.arriving());
  expect_displayed(slot, *first);
  EXPECT_FALSE(slot.replaces_memory(second));  // the memory serves again
  slot.show(second);
  expect_displayed(slot, *second);
  EXPECT_TRUE(slot.replaces_memory(nullptr));
  slot.show(nullptr);
  EXPECT_EQ(slot.id(), 0u);
  EXPECT_TRUE(slot.memory().empty());
}

TEST_F(InputSlotTest, LargeInputsArriveInPartsWhileTheOldOneStays) {
  InputSlot slot;
  const auto first = small(1), second = large(2);
  slot.show(first);
  EXPECT_TRUE(slot.replaces_memory(second));
  slot.show(second);
  int calls = 0;
  while (slot.arriving()) {
    expect_displayed(slot, *first);
    slot.show(second);       // as every frame does; it must not begin again
    slot.upload_parts(0.0);  // one part
    ASSERT_LE(++calls, 64);
  }
  EXPECT_EQ(calls, slot.memory().write_parts());
  EXPECT_GT(calls, 1);
  expect_displayed(slot, *second);
  EXPECT_GT(slot.upload_ms(), 0.0);
  slot.upload_parts(0.0);  // nothing is left to do
  expect_displayed(slot, *second);
}

TEST_F(InputSlotTest, AFileThatIsArrivingIsNamedWithItsShare) {
  InputSlot slot;
  slot.show(small(1));
  const auto file = std::make_shared<Source>();
  file->path = "folder/photo.tif";
  file->id = 2;
  file->picture.pixels = make_synthetic(InputPattern::noise, Shape::image(Element::u8, 4, 2048, 2048), 2);
  slot.show(file);
  EXPECT_EQ(slot.arriving_text(0.0), "photo.tif: 0 %");
  EXPECT_EQ(slot.arriving_text(1e9), "") << "short uploads are not spoken of";
  slot.upload_parts(0.0);
  const std::string after_one = slot.arriving_text(0.0);
  slot.upload_parts(1e9);
  EXPECT_EQ(after_one, "photo.tif: " + std::to_string(100 / slot.memory().write_parts()) + " %");
  EXPECT_EQ(slot.arriving_text(0.0), "");
}

TEST_F(InputSlotTest, NewerInputsEndAnUpload) {
  InputSlot slot;
  const auto first = small(1), second = large(2), third = large(3), fourth = small(4);
  slot.show(first);
  slot.show(second);
  slot.upload_parts(0.0);
  slot.show(third);
  EXPECT_TRUE(slot.arriving());
  EXPECT_EQ(slot.arriving_text(0.0), "") << "what an algorithm made has no name";
  slot.upload_parts(1e9);
  EXPECT_FALSE(slot.arriving());
  expect_displayed(slot, *third);
  slot.show(second);
  slot.upload_parts(0.0);
  slot.show(third);  // which is displayed still
  EXPECT_FALSE(slot.arriving());
  expect_displayed(slot, *third);
  slot.show(second);
  slot.show(fourth);
  EXPECT_FALSE(slot.arriving());
  expect_displayed(slot, *fourth);
}

TEST_F(InputSlotTest, EverythingIsUploadedAgainOnDemand) {
  InputSlot slot;
  const auto first = small(1), second = large(2);
  slot.show(first);
  slot.show_again();
  expect_displayed(slot, *first);
  slot.show(second);
  slot.upload_parts(0.0);
  slot.show_again();
  EXPECT_TRUE(slot.arriving());
  slot.upload_parts(1e9);
  expect_displayed(slot, *second);
}

TEST_F(InputSlotTest, WhatGlCannotTakeIsThereWithoutMemory) {
  InputSlot slot;
  slot.show(small(1));
  const auto odd = source(2, Shape::image(Element::f64, 4, 16, 16));
  EXPECT_THROW(slot.show(odd), Error);
  EXPECT_EQ(slot.id(), 2u);
  EXPECT_TRUE(slot.memory().empty());
  EXPECT_NO_THROW(slot.show(odd));  // it is not tried again
}

/// A frame that claims to be on the device.
class PretendedFrame final : public cuda::DeviceFrame {
 public:
  explicit PretendedFrame(const Shape& shape) : shape_(shape) {}
  [[nodiscard]] const Shape& shape() const override { return shape_; }
  void convert(const DeviceOut&, CudaStream) override {}
  void converted(CudaStream) override {}
  [[nodiscard]] Times times() const override { return {}; }

 private:
  Shape shape_;
};

TEST_F(InputSlotTest, FramesOnTheDeviceAwaitItsCopyUnlessTheHostUploadsThem) {
  const auto frame = [](std::uint64_t id, const Shape& shape) {
    Source made{.path = {}, .picture = {}, .id = id, .stream = 1};
    made.picture.pixels = make_synthetic(InputPattern::noise, shape, id);
    made.on_device = std::make_shared<PretendedFrame>(shape);
    return std::make_shared<const Source>(std::move(made));
  };
  const Shape shape = Shape::image(Element::u8, 4, 100, 50), other = Shape::image(Element::u8, 4, 60, 50);
  InputSlot slot;
  const auto first = frame(1, shape), second = frame(2, shape), third = frame(3, shape), larger = frame(4, other);
  using ByDevice = InputSlot::ByDevice;
  slot.show(first, ByDevice::into_old_memory);  // There is no memory yet that the device could write.
  EXPECT_FALSE(slot.awaits_device());
  expect_displayed(slot, *first);
  slot.show(second, ByDevice::into_old_memory);
  EXPECT_TRUE(slot.awaits_device());
  EXPECT_EQ(slot.id(), 2u);
  EXPECT_EQ(slot.source(), second);
  slot.written_by_device();
  EXPECT_FALSE(slot.awaits_device());
  slot.show(third, ByDevice::into_old_memory);
  slot.write_instead_of_device();
  EXPECT_FALSE(slot.awaits_device());
  expect_displayed(slot, *third);
  slot.show(second, ByDevice::into_old_memory);
  slot.show(third, ByDevice::no);
  EXPECT_FALSE(slot.awaits_device());
  expect_displayed(slot, *third);
  slot.show(larger, ByDevice::into_old_memory);
  EXPECT_FALSE(slot.awaits_device()) << "memory of another size is made and written by the host";
  expect_displayed(slot, *larger);
  EXPECT_TRUE(slot.replaces_memory(first));
  slot.show(first, ByDevice::into_any_memory);
  EXPECT_TRUE(slot.awaits_device());
  EXPECT_EQ(slot.memory().shape(), shape);
  slot.write_instead_of_device();
  expect_displayed(slot, *first);
  slot.show(second, ByDevice::into_any_memory);
  slot.show(nullptr);
  EXPECT_FALSE(slot.awaits_device());
  slot.write_instead_of_device();
}

}  // namespace
}  // namespace threadscape::app
