// The life of a device: what it is asked, what it holds, its end and its return.

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compute/core/errors.h"
#include "compute/gpu/executor.h"
#include "tests/support/compute/pretended_device.h"

namespace threadscape::gpu {
namespace {

using threadscape::testing::PretendedDevice;

Devices two_devices() {
  std::vector<std::unique_ptr<Device>> list;
  for (int ordinal = 0; ordinal < 2; ++ordinal)
    list.push_back(std::make_unique<PretendedDevice>(ordinal));
  return {std::move(list), "there are two"};
}

TEST(Devices, AreFoundByTheirNumbers) {
  Devices devices = two_devices();
  EXPECT_EQ(devices.at(1).info().name, "pretended device 1");
  EXPECT_EQ(&devices.first(), devices.all()[0].get());
  try {
    (void)devices.at(2);
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(), "device 2 does not exist: accepted are 0 (pretended device 0) | 1 (pretended device 1)");
  }
}

TEST(Devices, WithoutOneThereIsAReason) {
  Devices none({}, "no driver");
  EXPECT_EQ(none.first().obstacle(), "no driver");
  EXPECT_EQ(none.first().problem(), "no driver");
  EXPECT_EQ(none.first().free_bytes(), 0u);
  EXPECT_NE(none.first().revive(), "");
  EXPECT_THROW(none.first().require(), BackendAbsent);
  EXPECT_THROW(Executor{none.first()}, BackendAbsent);
  EXPECT_THROW((void)none.first().allocate(1), BackendAbsent);
  EXPECT_THROW((void)none.at(0), UsageError);
}

TEST(Device, RetiresAloneAndKeepsTheFirstReason) {
  Devices devices = two_devices();
  Device &first = devices.at(0), &second = devices.at(1);
  first.retire("a fault");
  first.retire("what follows from it");
  EXPECT_NE(first.problem().find("a fault"), std::string::npos);
  EXPECT_EQ(first.problem().find("follows"), std::string::npos);
  EXPECT_EQ(first.free_bytes(), 0u);
  EXPECT_THROW(first.require(), BackendAbsent);
  EXPECT_EQ(first.obstacle(), "") << "it is still the device that was found";
  EXPECT_EQ(second.problem(), "");
  EXPECT_GT(second.free_bytes(), 0u);
}

TEST(Device, RevivesWhenNothingOfItsOldContextIsLeft) {
  PretendedDevice device;
  const std::uint32_t context = device.context();
  EXPECT_EQ(device.revive(), "") << "nothing has happened to it";
  EXPECT_EQ(device.context(), context);
  {
    const Executor executor(device);
    DeviceArray memory(device);
    memory.reshape(Shape::image(Element::u8, 1, 100, 100));
    executor.fail("a fault");
    const std::string why = device.revive();
    EXPECT_NE(why.find("in use"), std::string::npos) << why;
    EXPECT_EQ(device.ended_contexts(), 0);
  }
  EXPECT_EQ(device.revive(), "");
  EXPECT_EQ(device.ended_contexts(), 1);
  EXPECT_NE(device.context(), context);
  EXPECT_EQ(device.problem(), "");
  EXPECT_NO_THROW(Executor(device).wait());
}

TEST(Device, SaysWhyTheDriverDoesNotReviveIt) {
  PretendedDevice device;
  device.refuse_revival("the driver says no");
  device.retire("a fault");
  EXPECT_NE(device.revive().find("the driver says no"), std::string::npos);
  EXPECT_NE(device.problem().find("a fault"), std::string::npos) << "the reason stays";
  device.refuse_revival("");
  EXPECT_EQ(device.revive(), "");
}

TEST(Device, AContextEndsOnce) {
  PretendedDevice device;
  device.end_context();
  EXPECT_EQ(device.ended_contexts(), 0) << "it is in use";
  device.retire("a fault");
  device.end_context();
  device.end_context();
  EXPECT_EQ(device.ended_contexts(), 1);
  EXPECT_EQ(device.revive(), "");
  EXPECT_EQ(device.ended_contexts(), 1);
}

TEST(Device, MemoryBeyondTheLimitOfTheEnvironmentIsRefused) {
  PretendedDevice device, other(1);
  setenv("TS_CUDA_MEMORY", "1000", 1);
  void* const block = device.allocate(600);
  EXPECT_THROW((void)device.allocate(500), DeviceError);
  void* const elsewhere = other.allocate(600);
  device.release(block);
  void* const again = device.allocate(1000);
  unsetenv("TS_CUDA_MEMORY");
  device.release(again);
  other.release(elsewhere);
  device.release(nullptr);
}

TEST(Executor, TurnsErrorsIntoThoseOfTheProgram) {
  PretendedDevice device;
  const Executor executor(device);
  EXPECT_THROW(executor.guarded([] { throw DeviceError("it passes", /*sticky=*/false); }), DeviceError);
  EXPECT_THROW(executor.guarded([] { throw std::bad_alloc(); }), EnvironmentError);
  EXPECT_THROW(executor.guarded([] { throw UsageError("wrong"); }), UsageError);
  EXPECT_EQ(device.problem(), "");
  EXPECT_EQ(executor.guarded([] { return 3; }), 3);
  EXPECT_THROW(executor.guarded([] { throw DeviceError("it stays", /*sticky=*/true); }), DeviceLost);
  EXPECT_NE(device.problem().find("it stays"), std::string::npos);
}

TEST(DeviceArray, MovesBetweenShapesAndOwners) {
  PretendedDevice device;
  DeviceArray memory(device);
  memory.reshape(Shape::image(Element::u8, 1, 100, 100));
  const std::size_t held = memory.capacity();
  memory.reshape(Shape::image(Element::u8, 1, 10, 10));
  EXPECT_EQ(memory.capacity(), held) << "it never shrinks";
  DeviceArray other = std::move(memory);
  EXPECT_EQ(other.capacity(), held);
  EXPECT_EQ(other.shape().width, 10);
  other.release();
  EXPECT_EQ(other.capacity(), 0u);
}

}  // namespace
}  // namespace threadscape::gpu
