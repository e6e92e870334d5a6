// Tests of spiral scans, in which source and detector move along z while they turn, and of the number of voxels on a
// ray.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "compute/algorithms/tomography/reconstruction/reconstruction.h"
#include "compute/core/errors.h"
#include "compute/registry/registry.h"
#include "compute/run/runner.h"
#include "tests/support/compute/host_arrays.h"

namespace threadscape {
namespace spiral_testing {
namespace {

using Settings = std::vector<std::pair<std::string, std::string>>;

RunRequest request_of(const char* name, Backend backend, const Settings& settings) {
  RunRequest request{.algorithm = &find_algorithm(name), .params = {}, .backend = backend, .threads = 2, .seed = 1};
  request.params = request.algorithm->defaults();
  for (const auto& [field, value] : settings)
    request.params.assign(field, value);
  return request;
}

Settings with(Settings settings, const Settings& more) {
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

const float* values_of(const HostArray& array) {
  return reinterpret_cast<const float*>(array.data());
}

// ---- Spirals

/// A volume of 9 x 7 x 40 voxels of different values, of which those of z from 16 to 23, moved by `up`, are not 0.
HostArray object_moved(int up) {
  HostArray object(Shape{Kind::volume, Element::f32, 1, 9, 40, 7});
  auto* values = reinterpret_cast<float*>(object.data());
  for (int y = 0; y < 7; ++y)
    for (int z = 0; z < 40; ++z)
      for (int x = 0; x < 9; ++x) {
        const int own = z - up;
        values[(static_cast<std::ptrdiff_t>(y) * 40 + z) * 9 + x] =
            16 <= own && own < 24 ? 1.0f + static_cast<float>((x * 7 + y * 5 + own * 3) % 11) : 0.0f;
      }
  return object;
}

/// A source that stands k voxels higher sees what it sees of an object that lies k voxels lower.
TEST(Spiral, AViewIsThatOfACircleAroundAnObjectMovedTheOtherWay) {
  for (const char* geometry : {"cone", "parallel"})
    for (const char* method : {"siddon", "incremental", "joseph"})
      for (const char* reverse : {"false", "true"}) {
        const Settings circle{
            {"phantom", "file"},     {"geometry", geometry}, {"method", method}, {"detector_pixels", "23"},
            {"detector_rows", "37"}, {"pixel_size", "1.3"},  {"arc", "360"},     {"step", "30"},
            {"reverse", reverse},    {"offset_v", "0.37"}};
        for (const Backend backend : {Backend::serial, Backend::openmp}) {
          Runner runner;
          const RunRequest spiral = request_of("projection", backend, with(circle, {{"feed", "12"}}));
          const HostArray views = runner.run(spiral, object_moved(0).view()).output;
          ASSERT_EQ(views.shape().depth, 12);
          const auto pixels = static_cast<std::size_t>(views.shape().width * views.shape().height);
          double difference = 0, largest = 0;
          for (int view = 0; view < 12; ++view) {  // View 6 stands at height 0.
            const RunRequest round = request_of("projection", backend, circle);
            const HostArray expected = runner.run(round, object_moved(6 - view).view()).output;
            for (std::size_t i = pixels * static_cast<std::size_t>(view), k = 0; k < pixels; ++i, ++k) {
              difference =
                  std::max(difference, std::abs(static_cast<double>(values_of(views)[i] - values_of(expected)[i])));
              largest = std::max(largest, static_cast<double>(values_of(views)[i]));
            }
          }
          EXPECT_GT(largest, 20.0);
          EXPECT_LT(difference, 2e-4) << geometry << " " << method << " " << name_of(backend);
        }
      }
}

TEST(Spiral, TurnsFollowEachOther) {
  Projection::Params params;
  params.geometry = Projection::Setup::cone;
  params.arc = 360;
  params.step = 10;
  params.feed = 20;
  params.turns = 3;
  EXPECT_EQ(params.problem(), "");
  const projection::Geometry g = params.scanner();
  ASSERT_EQ(g.views, 108);
  EXPECT_NEAR(g.position(0).z, -30, 1e-9);
  EXPECT_NEAR(g.position(36).z - g.position(0).z, 20, 1e-9);
  EXPECT_NEAR(g.position(36).sine, g.position(0).sine, 1e-12);
  EXPECT_NEAR(g.position(54).z, 0, 1e-9);
  EXPECT_EQ(g.source(g.position(54)).z, g.position(54).z);
  params.feed = 0;
  EXPECT_NE(params.problem(), "");
  params.feed = 20;
  params.arc = 180;
  EXPECT_NE(params.problem(), "");
}

/// What the views of a spiral state about themselves leads to the same positions.
TEST(Spiral, ViewsStateTheirSpiral) {
  for (const char* geometry : {"cone", "parallel"})
    for (const char* reverse : {"false", "true"}) {
      const Settings scan{{"geometry", geometry}, {"voxels", "20"},    {"detector_pixels", "12"},
                          {"detector_rows", "5"}, {"arc", "360"},      {"step", "40"},
                          {"feed", "6"},          {"turns", "2"},      {"turn", "11"},
                          {"offset_v", "2"},      {"reverse", reverse}};
      const auto given = request_of("projection", Backend::serial, scan).params.as<Projection::Params>();
      const Shape views = Projection::output_shape(given, given.grid().shape());
      ParamBox told = find_algorithm("reconstruction").defaults();
      told.assign("method", "sirt");
      for (const auto& [name, value] : Projection::result_settings(given, given.grid().shape()))
        if (const auto dot = name.find("views."); dot == 0 || name.find('.') == std::string::npos)
          told.assign(dot == 0 ? name.substr(6) : name, value);
      const projection::Geometry expected = given.scanner(), actual = told.as<Reconstruction::Params>().scanner(views);
      ASSERT_EQ(actual.views, expected.views);
      for (int view = 0; view < expected.views; ++view) {
        const auto a = expected.position(view), b = actual.position(view);
        const projection::Point from = expected.start(a, 3, 4), again = actual.start(b, 3, 4);
        EXPECT_NEAR(std::hypot(from.x - again.x, from.y - again.y, from.z - again.z), 0, 1e-4) << geometry << view;
        const projection::Point to = expected.pixel_centre(a, 3, 4), there = actual.pixel_centre(b, 3, 4);
        EXPECT_NEAR(std::hypot(to.x - there.x, to.y - there.y, to.z - there.z), 0, 1e-4) << geometry << view;
      }
    }
}

/// A detector of few rows sees the ends of a long object only if it moves along it.
TEST(Spiral, SirtFindsAnObjectThatIsLongerThanTheDetector) {
  const Settings scan{{"phantom", "cube"},
                      {"geometry", "cone"},
                      {"voxels", "12"},
                      {"voxels_z", "36"},
                      {"detector_pixels", "20"},
                      {"detector_rows", "10"},
                      {"pixel_size", "1.5"},
                      {"arc", "360"},
                      {"step", "20"},
                      {"source_distance", "60"},
                      {"detector_distance", "30"}};
  const Settings spiral{{"feed", "9"}, {"turns", "4"}};
  HostArray object(Shape{Kind::volume, Element::f32, 1, 12, 36, 12});
  auto* values = reinterpret_cast<float*>(object.data());
  for (int y = 0; y < 12; ++y)
    for (int z = 0; z < 36; ++z)
      for (int x = 0; x < 12; ++x)
        values[(y * 36 + z) * 12 + x] =
            std::hypot(x - 5.5, y - 5.5) < 5 ? 1.0f + 0.5f * static_cast<float>(z / 6 % 2) : 0;
  const auto error = [&](const Settings& settings, Backend backend) {
    Runner runner;
    const HostArray views = runner.run(request_of("projection", backend, settings), object.view()).output;
    const RunRequest back =
        request_of("reconstruction", backend, with(settings, {{"method", "sirt"}, {"iterations", "30"}}));
    return Reconstruction::errors(object.view(), runner.run(back, views.view()).output.view()).relative;
  };
  const double round = error(scan, Backend::openmp), turned = error(with(scan, spiral), Backend::openmp);
  EXPECT_LT(turned, 0.12);
  EXPECT_GT(round, 3 * turned);
  EXPECT_NEAR(error(with(scan, spiral), Backend::serial), turned, 1e-4);
}

TEST(Spiral, FdkSaysThatItTakesACircle) {
  Reconstruction::Params params;
  params.feed = 10;
  EXPECT_NE(params.problem().find("method=sirt"), std::string::npos);
  params.method = Reconstruction::Method::sirt;
  EXPECT_EQ(params.problem(), "");
}

// ---- The number of voxels on a ray

/// Between its entry and its exit a ray enters a new voxel at each plane that it crosses.
TEST(VoxelsOfARay, AreOneMoreThanThePlanesBetweenEntryAndExit) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> at(-9, 20);
  const projection::Box box{11, 0, 6, 8};
  int hits = 0;
  for (int i = 0; i < 20000; ++i) {
    const double from[3]{at(random), -5, at(random)}, to[3]{at(random), 13, at(random)};
    const int count[3]{11, 6, 8};
    double in = 0, out = 1;
    for (int axis = 0; axis < 3; ++axis) {
      const double a = (0 - from[axis]) / (to[axis] - from[axis]),
                   b = (count[axis] - from[axis]) / (to[axis] - from[axis]);
      in = std::max(in, std::min(a, b));
      out = std::min(out, std::max(a, b));
    }
    int expected = 0;
    if (in < out) {
      expected = 1;
      for (int axis = 0; axis < 3; ++axis)
        for (int plane = 1; plane < count[axis]; ++plane) {
          const double alpha = (plane - from[axis]) / (to[axis] - from[axis]);
          expected += in < alpha && alpha < out ? 1 : 0;
        }
    }
    const projection::Ray ray{projection::axis_between(from[0], to[0], 1.0, 0),
                              projection::axis_between(from[1], to[1], 1.0, 0),
                              projection::axis_between(from[2], to[2], 1.0, 0), 1.0};
    ASSERT_EQ(projection::voxels_on(box, ray), expected) << i;
    hits += expected > 0 ? 1 : 0;
  }
  EXPECT_GT(hits, 1000);
}

TEST(VoxelsOfARay, AreAPictureThatIsTheSameOnAllBackends) {
  const Settings scan{{"phantom", "cube"},       {"output", "voxels"},    {"voxels", "31"},     {"voxels_y", "17"},
                      {"detector_pixels", "40"}, {"detector_rows", "33"}, {"pixel_size", "1.4"}};
  for (const char* geometry : {"source", "cone", "parallel"}) {
    Runner runner;
    const RunRequest serial =
        request_of("projection", Backend::serial, with(scan, {{"geometry", geometry}, {"pixels", "60"}}));
    const HostArray object = Projection::make_input(serial.params.as<Projection::Params>(), 1);
    const HostArray expected = runner.run(serial, object.view()).output;
    for (const char* slab : {"0", "4"}) {
      RunRequest openmp = request_of("projection", Backend::openmp,
                                     with(scan, {{"geometry", geometry}, {"pixels", "60"}, {"slab", slab}}));
      const HostArray actual = runner.run(openmp, object.view()).output;
      EXPECT_TRUE(testing::same_pixels(actual, expected)) << geometry << slab;
    }
  }
  // Rays along y pass through all 17 layers, and those beside the volume through none.
  const RunRequest along =
      request_of("projection", Backend::openmp, with(scan, {{"geometry", "parallel"}, {"arc", "0"}}));
  Runner runner;
  const HostArray object = Projection::make_input(along.params.as<Projection::Params>(), 1);
  const HostArray views = runner.run(along, object.view()).output;
  EXPECT_EQ(values_of(views)[16 * 40 + 20], 17.0f);
  EXPECT_EQ(values_of(views)[16 * 40], 0.0f);
}

}  // namespace
}  // namespace spiral_testing
}  // namespace threadscape
