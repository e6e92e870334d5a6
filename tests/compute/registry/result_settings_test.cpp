// Tests of what results state for the parameters of the algorithm that takes them: a scan of a phantom is reconstructed
// without that its geometry is typed again.

#include "compute/registry/result_settings.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "compute/registry/file_settings.h"
#include "compute/registry/registry.h"
#include "compute/run/runner.h"
#include "tests/support/compute/host_arrays.h"

namespace threadscape {
namespace {

using Sets = std::vector<std::pair<std::string, std::string>>;

struct Made {
  const AlgorithmInfo* algorithm = nullptr;
  ParamBox params;
  HostArray input, output;
  ResultSettings settings;
};

/// Runs an algorithm on the result of another one, with the settings of that result and then `sets`.
Made run_after(const Made* before, std::string_view name, const Sets& sets) {
  Made made;
  made.algorithm = &find_algorithm(name);
  made.params = made.algorithm->defaults();
  if (before != nullptr) apply_settings(*made.algorithm, before->settings, made.params);
  for (const auto& [field, value] : sets)
    made.params.assign(field, value);
  if (before != nullptr)
    made.input = before->output.clone();
  else if (made.algorithm->own_input)
    made.input = made.algorithm->own_input->make(made.params, 1);
  made.output = Runner().run({.algorithm = made.algorithm, .params = made.params}, made.input.view()).output;
  made.settings = settings_of_result(*made.algorithm, made.params, made.input.shape(),
                                     before != nullptr ? before->settings : ResultSettings{});
  return made;
}

std::string value_of(const ParamBox& params, std::string_view name) {
  for (const FieldRef& field : params.fields())
    if (field.name == name) return to_text(field);
  return "";
}

/// The relative error that a reconstruction reports against the phantom; 1 if it reports none.
double relative_error(const Made& made) {
  const std::string text = made.algorithm->report->text(made.params, made.input.view(), made.output.view());
  const std::size_t at = text.find("relative error ");
  return at == std::string::npos ? 1.0 : std::stod(text.substr(at + 15));
}

TEST(ResultSettings, AScanIsReconstructedInItsGeometry) {
  const Sets scans[] = {
      {{"geometry", "cone"},
       {"detector_pixels", "48"},
       {"pixel_size", "1.5"},
       {"source_distance", "120"},
       {"detector_distance", "40"},
       {"arc", "360"},
       {"step", "4"}},
      {{"geometry", "parallel"},
       {"detector_pixels", "48"},
       {"pixel_size", "1"},
       {"offset_u", "0.25"},
       {"arc", "178"},
       {"step", "2"}},
  };
  for (const Sets& sets : scans) {
    SCOPED_TRACE(sets[0].second);
    const Made object = run_after(nullptr, "phantom", {{"voxels", "32"}, {"voxels_z", "24"}, {"voxel_size", "1"}});
    const Made views = run_after(&object, "projection", sets);
    const Made again = run_after(&views, "reconstruction", {});
    EXPECT_EQ(again.output.shape(), object.output.shape());
    EXPECT_EQ(value_of(again.params, "phantom"), "shepp_logan");
    for (const auto& [name, value] : sets)
      EXPECT_EQ(std::stod("0" + value_of(again.params, name)), std::stod("0" + value_of(views.params, name))) << name;
    // Typed by hand, the same geometry gives the same error.
    Sets typed = sets;
    typed.insert(typed.end(), {{"voxels", "32"}, {"voxels_z", "24"}, {"voxel_size", "1"}});
    EXPECT_NEAR(relative_error(again), relative_error(run_after(nullptr, "reconstruction", typed)), 1e-3);
    // The reconstruction can be projected again, by the same scanner.
    const Made third = run_after(&again, "projection", {});
    EXPECT_EQ(third.output.shape(), views.output.shape());
  }
}

TEST(ResultSettings, TheScannerOfTheSourceProjectIsStatedInLengths) {
  const Made views = run_after(nullptr, "projection", {{"pixels", "50"}, {"arc", "360"}, {"step", "10"}});
  const Made again = run_after(&views, "reconstruction", {});
  EXPECT_EQ(value_of(again.params, "geometry"), "cone");
  EXPECT_EQ(value_of(again.params, "pixel_size"), "85");
  EXPECT_EQ(value_of(again.params, "voxel_size"), "100");
  EXPECT_EQ(value_of(again.params, "phantom"), "cavity");
  EXPECT_EQ(again.output.shape(), views.input.shape());
  EXPECT_LT(relative_error(again), 0.6);
}

TEST(ResultSettings, APhantomStatesTheScanThatItIsMeantFor) {
  const Made object = run_after(nullptr, "phantom", {{"phantom", "cavity"}, {"pixels", "50"}});
  const Made views = run_after(&object, "projection", {});
  const Made own = run_after(nullptr, "projection", {{"pixels", "50"}});
  EXPECT_TRUE(testing::same_pixels(views.output, own.output));
}

TEST(ResultSettings, AnAlgorithmOnValuesKeepsTheGeometry) {
  const Made views = run_after(nullptr, "projection", {{"pixels", "20"}});
  const Made intensities = run_after(&views, "beer_lambert", {});
  EXPECT_EQ(intensities.settings, views.settings);
}

TEST(ResultSettings, OtherKindsStateNothing) {
  const Made terrain = run_after(nullptr, "diamond_square", {{"n", "4"}});
  EXPECT_TRUE(terrain.settings.empty());
  const Made eroded = run_after(&terrain, "thermal_erosion", {});
  EXPECT_TRUE(eroded.settings.empty());
}

}  // namespace
}  // namespace threadscape
