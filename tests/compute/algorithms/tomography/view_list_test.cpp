// Tests of scans whose views have any angles: a list of equal steps is the scan of these steps, and views that are
// crowded together count less.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "compute/algorithms/tomography/reconstruction/reconstruction.h"
#include "compute/algorithms/tomography/view_list.h"
#include "compute/core/errors.h"
#include "compute/registry/registry.h"
#include "compute/run/runner.h"
#include "tests/support/compute/host_arrays.h"

namespace threadscape {
namespace {

using Settings = std::vector<std::pair<std::string, std::string>>;

std::string text_of(const std::vector<double>& angles) {
  std::string text;
  for (const double angle : angles)
    text += (text.empty() ? "" : ",") + std::to_string(angle);
  return text;
}

RunRequest request_of(const char* name, Backend backend, const Settings& settings) {
  RunRequest request{.algorithm = &find_algorithm(name), .params = {}, .backend = backend, .threads = 2, .seed = 1};
  request.params = request.algorithm->defaults();
  for (const auto& [field, value] : settings)
    request.params.assign(field, value);
  return request;
}

const Settings beam{{"geometry", "parallel"},  {"phantom", "shepp_logan"}, {"voxels", "48"},   {"voxels_z", "1"},
                    {"detector_pixels", "72"}, {"detector_rows", "1"},     {"pixel_size", "1"}};

Settings with(Settings settings, const Settings& more) {
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

/// The error of a reconstruction from a projection with these settings.
double error_of(const Settings& scan, Backend backend) {
  const RunRequest projection = request_of("projection", backend, scan);
  Runner runner;
  const HostArray object = Projection::make_input(projection.params.as<Projection::Params>(), 1);
  const HostArray views = runner.run(projection, object.view()).output;
  const RunRequest reconstruction = request_of("reconstruction", backend, scan);
  return Reconstruction::errors(object.view(), runner.run(reconstruction, views.view()).output.view()).rmse;
}

TEST(ViewList, OfEqualStepsIsTheScanOfTheseSteps) {
  const Settings steps = with(beam, {{"arc", "90"}, {"step", "15"}}),
                 list = with(beam, {{"angles", "-45 -30,-15;0,15,30,45"}});
  for (const Backend backend : {Backend::serial, Backend::openmp}) {
    const RunRequest first = request_of("projection", backend, steps), second = request_of("projection", backend, list);
    const HostArray object = Projection::make_input(first.params.as<Projection::Params>(), 1);
    Runner runner;
    const HostArray a = runner.run(first, object.view()).output, b = runner.run(second, object.view()).output;
    EXPECT_TRUE(testing::same_pixels(b, a));
  }
}

TEST(ViewList, ViewsCountByTheAnglesBetweenThem) {
  std::vector<double> regular, shuffled, crowded, turn;
  for (int i = 0; i < 90; ++i) {
    regular.push_back(2 * i - 89);
    shuffled.push_back(2 * (37 * i % 90) - 89);
    turn.push_back(4 * i + (i < 45 ? 0 : 2));
  }
  // Half of the views lie in a quarter of the directions.
  for (int i = 0; i < 60; ++i) {
    crowded.push_back(0.75 * i);
    crowded.push_back(45 + 2.25 * i);
  }
  for (const Backend backend : {Backend::serial, Backend::openmp}) {
    const auto error = [&](const std::vector<double>& angles) {
      return error_of(with(beam, {{"angles", text_of(angles)}}), backend);
    };
    const double steps = error_of(with(beam, {{"arc", "178"}, {"step", "2"}}), backend);
    EXPECT_NEAR(error(regular), steps, 1e-4);
    EXPECT_NEAR(error(shuffled), steps, 1e-4);
    EXPECT_LT(error(crowded), 1.15 * steps);
    EXPECT_LT(error(turn), 1.15 * steps);
  }
}

// A short scan with a cone: 180 degrees and the fan of about 44, in which some lines are measured twice. A list gets
// Parker's weights by the place of each view, whatever their order and direction.
TEST(ViewList, ShortScansOfAConeShareWhatIsMeasuredTwice) {
  const Settings cone{{"geometry", "cone"}, {"phantom", "shepp_logan"}, {"voxels", "48"},
                      {"voxels_z", "1"},    {"detector_pixels", "96"},  {"detector_rows", "1"},
                      {"pixel_size", "1"},  {"source_distance", "100"}, {"detector_distance", "40"}};
  std::vector<double> regular, shuffled, unequal;
  for (int i = 0; i < 120; ++i) {
    regular.push_back(2 * i - 119);
    shuffled.push_back(2 * (37 * i % 120) - 119 + 360);
    unequal.push_back(2 * i - 119 + (i % 3 - 1) * 0.6);
  }
  for (const Backend backend : {Backend::serial, Backend::openmp}) {
    const auto error = [&](const Settings& scan) { return error_of(with(cone, scan), backend); };
    const double steps = error({{"arc", "238"}, {"step", "2"}});
    const double unweighted = error({{"arc", "100"}, {"step", "2"}});
    EXPECT_LT(steps, 0.7 * unweighted) << "the scan of reference is whole";
    EXPECT_NEAR(error({{"angles", text_of(regular)}}), steps, 1e-5);
    EXPECT_NEAR(error({{"angles", text_of(shuffled)}}), steps, 1e-5);
    EXPECT_LT(error({{"angles", text_of(unequal)}}), 1.2 * steps) << "gaps are up to 1.3 times as long";
    const double backwards = error({{"arc", "238"}, {"step", "2"}, {"reverse", "true"}});
    EXPECT_NEAR(error({{"angles", text_of(regular)}, {"reverse", "true"}}), backwards, 1e-5);
  }
}

TEST(ViewList, PlacesBeginBehindTheLongestGap) {
  const projection::ViewCover& cover = projection::view_list("20, 350, 0, 10").turn;
  EXPECT_FALSE(cover.closed);
  const std::vector<double> wanted{35, 5, 15, 25};
  for (std::size_t i = 0; i < wanted.size(); ++i)
    EXPECT_NEAR(cover.places[i], wanted[i], 1e-12);
  EXPECT_NEAR(cover.covered, 40, 1e-12);
  EXPECT_NEAR(projection::view_list("0, 90, 180, 300").turn.covered, 360, 1e-12);
}

TEST(ViewList, ShareOfAViewIsHalfOfBothGaps) {
  const projection::ViewList& list = projection::view_list("0, 90, 180, 300");
  EXPECT_TRUE(list.turn.closed);
  EXPECT_DOUBLE_EQ(list.turn.step, 90);
  const std::vector<double> wanted{75.0 / 90, 1.0, 105.0 / 90, 1.0};
  for (std::size_t i = 0; i < wanted.size(); ++i)
    EXPECT_NEAR(list.turn.shares[i], wanted[i], 1e-12);
  const projection::ViewList& limited = projection::view_list("0, 10, 30");
  EXPECT_FALSE(limited.turn.closed);
  EXPECT_DOUBLE_EQ(limited.turn.step, 15);
  EXPECT_NEAR(limited.turn.shares[0], 10.0 / 15, 1e-12) << "the ends reach as far outwards as inwards";
  EXPECT_EQ(&list, &projection::view_list("0, 90, 180, 300"));
}

TEST(ViewList, RefusesWhatIsNoListAndAnotherNumberOfViews) {
  const Settings list = with(beam, {{"angles", "0,10,x"}});
  EXPECT_NE(request_of("projection", Backend::serial, list).params.problem().find("'x' is no angle"),
            std::string::npos);
  const RunRequest three = request_of("reconstruction", Backend::serial, with(beam, {{"angles", "0,60,120"}}));
  EXPECT_THROW((void)three.algorithm->output_shape(three.params, Shape{Kind::volume, Element::f32, 1, 72, 1, 4}),
               UsageError);
}

}  // namespace
}  // namespace threadscape
