// Runs that are divided among several devices: bits, memory, and what happens when one of the devices fails.

#include "compute/run/device_group.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "compute/core/synthetic.h"
#include "compute/registry/registry.h"
#include "compute/run/runner.h"
#include "compute/run/verify.h"
#include "tests/support/compute/pretended_device.h"

namespace threadscape {
namespace {

using testing::PretendedDevice;

class DeviceGroupTest : public ::testing::Test {
 protected:
  void use(int count, std::size_t free_bytes = std::size_t{1} << 30) {
    devices_.clear();
    for (int ordinal = 0; ordinal < count; ++ordinal)
      devices_.push_back(std::make_unique<PretendedDevice>(ordinal, free_bytes));
  }
  RunRequest divided(const char* name) {
    const AlgorithmInfo& algorithm = find_algorithm(name);
    RunRequest request{.algorithm = &algorithm, .params = algorithm.defaults(), .backend = Backend::cuda};
    request.device = devices_.front().get();
    for (const auto& device : devices_)
      request.devices.push_back(device.get());
    return request;
  }
  /// The first difference between the divided run and serial code; "" if there is none.
  static std::string difference(Runner& runner, const RunRequest& request, const HostArray& input) {
    RunRequest serial = request;
    serial.backend = Backend::serial;
    serial.devices.clear();
    const RunResult expected = runner.run(serial, input.view()), found = runner.run(request, input.view());
    return expected.output.shape() != found.output.shape()                                        ? "another shape"
           : compare(expected.output.view(), found.output.view(), Tolerance::exact()).has_value() ? "other values"
                                                                                                  : "";
  }

  std::vector<std::unique_ptr<PretendedDevice>> devices_;
};

HostArray group_picture(int width, int height) {
  return make_synthetic(InputPattern::noise, Shape::image(Element::u8, 1, width, height));
}

TEST_F(DeviceGroupTest, EveryAlgorithmThatReadsAroundAPlaceHasTheBitsOfOneDevice) {
  int tried = 0;
  for (const AlgorithmInfo& algorithm : algorithms()) {
    if (!algorithm.halo || algorithm.input != Kind::image || algorithm.check_input) continue;
    for (const int count : {2, 3}) {
      use(count);
      Runner runner;
      const RunRequest request = divided(std::string(algorithm.name).c_str());
      if (needs_preparation(request)) continue;
      EXPECT_EQ(difference(runner, request, group_picture(37, 61)), "") << algorithm.name << " on " << count;
      EXPECT_EQ(difference(runner, request, group_picture(19, 1)), "") << algorithm.name << " on " << count;
      ++tried;
    }
  }
  EXPECT_GT(tried, 20);
}

TEST_F(DeviceGroupTest, AllDevicesComputeAndHalosReachBeyondThem) {
  use(3);
  Runner runner;
  RunRequest request = divided("median");
  for (const char* border : {"reflect", "wrap", "zero", "valid"})
    for (const char* size : {"3", "25"}) {
      request.params.assign("size", size);
      request.params.assign("border", border);
      EXPECT_EQ(difference(runner, request, group_picture(40, 64)), "") << size << " " << border;
    }
  for (const auto& device : devices_)
    EXPECT_GE(device->runs(), 8) << "a piece of each run at least";
  request = divided("morphology");
  request.params.assign("operation", "open");
  request.params.assign("size", "31");
  EXPECT_EQ(difference(runner, request, group_picture(50, 90)), "");
}

TEST_F(DeviceGroupTest, VolumesAreDividedByLayers) {
  use(2);
  Runner runner;
  HostArray volume(Shape{.kind = Kind::volume, .element = Element::f32, .width = 6, .height = 5, .depth = 7});
  for (std::int64_t i = 0; i < volume.shape().items(); ++i)
    reinterpret_cast<float*>(volume.data())[i] = static_cast<float>(i % 13);
  EXPECT_EQ(difference(runner, divided("beer_lambert"), volume), "");
}

TEST_F(DeviceGroupTest, ProjectionIsDividedByViewsAndBackprojectionByLayers) {
  use(3);
  Runner runner;
  RunRequest request = divided("projection");
  request.params.assign("voxels", "12");
  EXPECT_EQ(difference(runner, request, request.algorithm->own_input->make(request.params, 0)), "");
  for (const auto& device : devices_)
    EXPECT_EQ(device->runs(), 1);
  request = divided("reconstruction");
  request.params.assign("voxels", "12");
  const HostArray views = request.algorithm->own_input->make(request.params, 0);
  EXPECT_EQ(difference(runner, request, views), "");
  for (const auto& device : devices_)
    EXPECT_EQ(device->runs(), 2);
  request.params.assign("method", "sirt");
  EXPECT_THROW((void)runner.run(request, views.view()), UsageError);
}

TEST_F(DeviceGroupTest, LayersOfAVolumeThatDoesNotFitAreMadeInParts) {
  RunRequest request{.algorithm = &find_algorithm("reconstruction"), .backend = Backend::cuda};
  request.params = request.algorithm->defaults();
  for (const auto& [name, value] : {std::pair{"voxels", "12"}, {"detector_pixels", "16"}, {"step", "30"}})
    request.params.assign(name, value);
  const HostArray views = request.algorithm->own_input->make(request.params, 0);
  const MemoryPlan need = plan_memory(request, views.shape());
  const auto runs = [&](std::size_t free_bytes, int count) {
    use(count, free_bytes);
    request.device = devices_.front().get();
    request.devices.clear();
    for (const auto& device : devices_)
      if (count > 1) request.devices.push_back(device.get());
    Runner runner;
    EXPECT_EQ(difference(runner, request, views), "") << free_bytes << " on " << count;
    const int made = devices_.front()->runs();
    EXPECT_EQ(difference(runner, request, views), "") << "the second time";
    return made;
  };
  EXPECT_EQ(runs(need.device_bytes(), 1), 1);
  EXPECT_EQ(runs(need.device_bytes() - need.device_output / 2, 1), 2);
  EXPECT_EQ(runs(need.device_bytes() - need.device_output / 12 * 11, 1), 12);
  EXPECT_EQ(runs(need.device_bytes() - need.device_output / 2, 2), 1) << "each has half of the layers";
  EXPECT_EQ(runs(need.device_bytes() - need.device_output / 4 * 3, 2), 2);
  use(1, need.device_bytes() - need.device_output);
  request.device = devices_.front().get();
  request.devices.clear();
  Runner runner;
  EXPECT_THROW((void)runner.run(request, views.view()), EnvironmentError);
}

TEST_F(DeviceGroupTest, LayersAreMadeAloneOnEveryBackendWithTheBitsOfTheWhole) {
  use(1);
  Runner runner;
  RunRequest request = divided("reconstruction");
  request.devices.clear();
  request.params.assign("voxels", "12");
  const HostArray views = request.algorithm->own_input->make(request.params, 0);
  for (const Backend backend : backends) {
    request.backend = backend;
    const HostArray whole = runner.run(request, views.view()).output;
    const std::size_t layer = static_cast<std::size_t>(whole.shape().width * whole.shape().height) * sizeof(float);
    for (const auto& [first, count] : {std::pair{0, 1}, {3, 8}, {11, 1}, {0, 12}}) {
      Shape shape = whole.shape();
      shape.depth = count;
      HostArray part(shape);
      runner.run_part_into(request, views.view(), first, part.view());
      const HostIn expected(whole.data() + layer * static_cast<std::size_t>(first), shape, whole.view().pitch);
      EXPECT_FALSE(compare(expected, std::as_const(part).view(), Tolerance::exact()).has_value())
          << name_of(backend) << ", layers from " << first << " on";
    }
    HostArray part(Shape{Kind::volume, Element::f32, 1, 12, 12, 2});
    for (const int outside : {-1, 11})
      EXPECT_THROW(runner.run_part_into(request, views.view(), outside, part.view()), UsageError);
    request.params.assign("method", "sirt");
    EXPECT_THROW(runner.run_part_into(request, views.view(), 0, part.view()), UsageError);
    request.params.assign("method", "fdk");
  }
  EXPECT_EQ(devices_.front()->runs(), 1 + 4);
}

TEST_F(DeviceGroupTest, TerrainIsDividedByRows) {
  for (const int count : {2, 3}) {
    use(count);
    Runner runner;
    RunRequest request = divided("diamond_square");
    request.seed = 5;
    for (const char* mode : {"classic", "fractal"})
      for (const char* levels : {"1", "4", "7"}) {
        request.params.assign("mode", mode);
        request.params.assign("n", levels);
        EXPECT_EQ(difference(runner, request, {}), "") << mode << " " << levels << " on " << count;
      }
    for (const auto& device : devices_)
      EXPECT_EQ(device->runs(), 6);
  }
}

TEST_F(DeviceGroupTest, SequencesAreSortedInPartsThatAreMerged) {
  for (const int count : {2, 3}) {
    use(count);
    Runner runner;
    RunRequest request = divided("sorting");
    for (const char* type : {"int32", "uint32", "float"})
      for (const char* pairs : {"off", "on"})
        for (const char* values : {"1", "2", "5", "1000", "100003"}) {
          request.params.assign("type", type);
          request.params.assign("pairs", pairs);
          request.params.assign("count", values);
          request.params.assign("distribution", *values == '5' ? "random" : "few");
          EXPECT_EQ(difference(runner, request, request.algorithm->own_input->make(request.params, 3)), "")
              << type << ", pairs " << pairs << ", " << values << " on " << count;
        }
    for (const auto& device : devices_)
      EXPECT_GE(device->runs(), 18) << "a part of each run that is long enough";
  }
  use(2);
  RunRequest request = divided("sorting");
  request.params.assign("stages", "3");
  EXPECT_THROW(require_divisible(request), UsageError);
}

TEST_F(DeviceGroupTest, ReductionsOfPartsAreJoinedWhereOrderDoesNotMatter) {
  use(3);
  Runner runner;
  RunRequest request = divided("reduction");
  int joined = 0;
  for (const char* type : {"int32", "int64", "float", "double"})
    for (const char* operation : {"sum", "min", "max", "argmin"})
      for (const char* values : {"1", "4", "70001"}) {
        request.params.assign("type", type);
        request.params.assign("operator", operation);
        request.params.assign("count", values);
        const HostArray input = request.algorithm->own_input->make(request.params, 3);
        if (std::string(operation) == "sum" && (*type == 'f' || *type == 'd')) {
          EXPECT_THROW((void)runner.run(request, input.view()), UsageError) << "the order of a sum of floats is stated";
          continue;
        }
        EXPECT_EQ(difference(runner, request, input), "") << type << " " << operation << " " << values;
        ++joined;
      }
  EXPECT_EQ(joined, 14 * 3);
}

TEST_F(DeviceGroupTest, SequencesThatDoNotFitAreSortedInMoreParts) {
  use(2, std::size_t{64} << 10);
  Runner runner;
  RunRequest request = divided("sorting");
  request.params.assign("count", "50000");
  EXPECT_EQ(difference(runner, request, request.algorithm->own_input->make(request.params, 3)), "");
  EXPECT_GT(devices_[0]->runs() + devices_[1]->runs(), 4);
  devices_[0]->fail_at(devices_[0]->runs() + 1);
  EXPECT_THROW((void)runner.run(request, request.algorithm->own_input->make(request.params, 3).view()), DeviceLost);
}

TEST_F(DeviceGroupTest, PiecesGetSmallerUntilTheyFit) {
  use(2);
  Runner runner;
  const HostArray input = group_picture(256, 256);
  EXPECT_EQ(difference(runner, divided("median"), input), "");
  const int large = devices_[0]->runs();
  use(2, std::size_t{24} << 10);
  EXPECT_EQ(difference(runner, divided("median"), input), "");
  EXPECT_GT(devices_[0]->runs(), large);
  use(2, 700);
  EXPECT_THROW((void)runner.run(divided("median"), input.view()), EnvironmentError);
}

TEST_F(DeviceGroupTest, ADeviceThatFailsEndsTheRunAndTheOthersStayInUse) {
  use(2);
  devices_[1]->fail_at(2);
  Runner runner;
  const HostArray input = group_picture(64, 64);
  EXPECT_THROW((void)runner.run(divided("median"), input.view()), DeviceLost);
  EXPECT_EQ(devices_[0]->problem(), "");
  EXPECT_THROW((void)runner.run(divided("median"), input.view()), BackendAbsent);
  EXPECT_EQ(devices_[1]->revive(), "") << "nothing of it is kept";
  EXPECT_EQ(difference(runner, divided("median"), input), "");
}

TEST_F(DeviceGroupTest, WhatCannotBeDividedSaysSo) {
  use(2);
  Runner runner;
  const auto message = [&](const RunRequest& request) -> std::string {
    try {
      (void)runner.run(request, group_picture(20, 20).view());
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(message(divided("noise")).find("noise needs all of its input"), std::string::npos);
  EXPECT_NE(message(divided("seam_carving")).find("not divided among several"), std::string::npos);
  RunRequest serial = divided("median");
  serial.backend = Backend::serial;
  EXPECT_NE(message(serial).find("serial runs on the CPU"), std::string::npos);
}

TEST_F(DeviceGroupTest, ProgressReachesTheEndAndAStopIsObeyed) {
  use(2);
  Runner runner;
  const HostArray input = group_picture(64, 64);
  Progress progress;
  (void)runner.run(divided("sobel"), input.view(), {}, &progress);
  EXPECT_EQ(progress.done(), 1.0);
  std::stop_source stop;
  stop.request_stop();
  HostArray output(input.shape());
  DeviceGroup group(divided("sobel").devices);
  EXPECT_THROW((void)group.run(divided("sobel"), input.view(), output.view(), stop.get_token(), nullptr), Cancelled);
}

}  // namespace
}  // namespace threadscape
