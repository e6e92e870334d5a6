// Tests of the rules by which parameters have no effect: the algorithm is run with several values of the parameter. The
// results have to be equal where the rule says so, and to differ somewhere where it does not.

#include "compute/registry/effects.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "compute/io/pictures/image_file.h"
#include "tests/support/compute/facet_testing.h"
#include "tests/support/test_paths.h"

namespace threadscape {
namespace {

using ViewSets = std::vector<std::pair<std::string_view, std::string_view>>;

/// Settings with which the parameters of an algorithm can have an effect at all. A rule has to hold with all of them.
std::vector<ViewSets> bases_of(std::string_view algorithm) {
  if (algorithm == "morphology")
    return {{{"operation", "erode"}, {"size", "5"}, {"flat", "false"}},
            {{"operation", "open"}, {"shape", "ellipse"}, {"size", "5"}}};
  if (algorithm == "seam_carving")
    return {{{"seams", "0"}, {"width", "16"}, {"height", "12"}}, {{"seams", "0"}, {"width", "20"}, {"path", "greedy"}}};
  if (algorithm == "reconstruction") return {{}, {{"method", "sirt"}}};  // fdk takes no spirals.
  if (algorithm != "rasterize") return {{}};
  const ViewSets small{{"width", "48"}, {"height", "36"}, {"shading", "phong"}};
  std::vector<ViewSets> bases;
  for (const ViewSets& more :
       {ViewSets{{"mesh", "sphere"}, {"subdivision", "6"}},
        ViewSets{{"mesh", "sphere"}, {"subdivision", "6"}, {"environment", "sky"}, {"reflection", "0.5"}},
        ViewSets{{"mesh", "sphere"}, {"subdivision", "16"}, {"distance", "1.1"}},
        ViewSets{{"mesh", "sphere"}, {"subdivision", "6"}, {"distance", "1.1"}, {"output", "depth"}},
        ViewSets{{"mesh", "glass"}, {"subdivision", "2"}}}) {
    bases.push_back(small);
    bases.back().insert(bases.back().end(), more.begin(), more.end());
  }
  return bases;
}

/// The files that parameters name, in a folder of the running test.
struct Files {
  std::filesystem::path folder = make_folder();
  std::filesystem::path surroundings = folder / "surroundings.png", order = folder / "order.png";

  Files() {
    const Shape wide = Shape::image(Element::u8, 4, 16, 8);
    io::save_picture(surroundings, make_synthetic(InputPattern::photo, wide, 7).view(), io::FileColour{});
    const AlgorithmInfo& info = find_algorithm("seam_carving");
    ParamBox params = info.defaults();
    params.assign("width", "16");
    params.assign("output", "order");
    const HostArray seams = testing::run_serial(info, params, testing::small_input(info, params));
    io::save_picture(order, seams.view(), io::FileColour{});
  }

  static std::filesystem::path make_folder() {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    auto made = std::filesystem::path(test_output_dir()) / test->test_suite_name() / test->name();
    std::filesystem::create_directories(made);
    return made;
  }
};

/// Some values of a parameter as text.
std::vector<std::string> values_of(const FieldRef& field, const Files& files) {
  if (field.name == "element") return {"3x3:010/111/010", "3x3:111/111/111"};
  if (field.name == "angles") return {"", "0,30,75"};
  if (field.name == "view_matrix") return {"", "1,0,0,0,0,1,0,0,0,0,1,-3,0,0,0,1"};
  if (field.name == "projection_matrix") return {"", "1,0,0,0,0,1,0,0,0,0,-1.1,-2.1,0,0,-1,0"};
  if (field.name == "environment_map") return {"", files.surroundings};
  if (field.name == "map" && std::holds_alternative<TextValue>(field.value)) return {"", files.order};
  std::vector<std::string> values{to_text(field)};
  if (const auto* number = std::get_if<IntValue>(&field.value))
    for (const int wanted : {*number->value + 3 * number->step, 2 * *number->value + 1, 0})
      values.push_back(std::to_string(number->lo + (std::clamp(wanted, number->lo, number->hi) - number->lo) /
                                                       number->step * number->step));
  if (const auto* number = std::get_if<FloatValue>(&field.value))
    for (const float wanted : {*number->value * 1.5f + 0.2f, *number->value + 40.0f, number->lo})
      values.push_back(std::to_string(std::clamp(wanted, number->lo, number->hi)));
  if (std::holds_alternative<BoolValue>(field.value)) values = {"false", "true"};
  if (const auto* choice = std::get_if<ChoiceValue>(&field.value))
    values.assign(choice->choices.begin(), choice->choices.end());
  return values;
}

FieldRef field_of(const ParamBox& params, std::string_view name) {
  for (const FieldRef& field : params.fields())
    if (field.name == name) return field;
  throw UsageError("no parameter " + std::string(name));
}

/// Results of the serial backend for several values of a parameter. Values that are not accepted are left out.
std::vector<HostArray> results_for(const AlgorithmInfo& info, const ParamBox& params, std::string_view name,
                                   const Files& files) {
  std::vector<HostArray> results;
  for (const std::string& value : values_of(field_of(params, name), files)) {
    ParamBox changed = params;
    try {
      changed.assign(name, value);
    } catch (const UsageError&) {
      continue;
    }
    if (!changed.problem().empty()) continue;
    if (const auto input = testing::suitable_input(info, changed))
      results.push_back(testing::run_serial(info, changed, *input));
  }
  return results;
}

bool all_equal(const std::vector<HostArray>& results) {
  return std::ranges::all_of(results,
                             [&](const HostArray& other) { return testing::difference_of(results[0], other).empty(); });
}

/// Settings of an algorithm for the test of a rule.
std::vector<ParamBox> settings_for(const AlgorithmInfo& info, const EffectRule& rule) {
  std::vector<ParamBox> settings;
  for (const ViewSets& sets : bases_of(info.name)) {
    ParamBox params = info.defaults();
    testing::make_small(params);
    for (const auto& [name, value] : sets)
      params.assign(name, value);
    // A shape that is not the file's may need none.
    if (rule.only.parameter == "shape") params.assign("element", "3x3:010/111/010");
    settings.push_back(std::move(params));
  }
  return settings;
}

class EffectRules : public ::testing::TestWithParam<std::pair<std::string_view, EffectRule>> {};

TEST_P(EffectRules, AreWhatTheAlgorithmDoes) {
  const auto& [algorithm, rule] = GetParam();
  const AlgorithmInfo& info = find_algorithm(algorithm);
  const Files files;
  bool idle = false, effective = false;
  for (const ParamBox& base : settings_for(info, rule))
    for (const std::string& value : values_of(field_of(base, rule.only.parameter), files)) {
      ParamBox params = base;
      params.assign(rule.only.parameter, value);
      const std::vector<HostArray> results = results_for(info, params, rule.field, files);
      if (rule.holds(params)) {
        effective = effective || !all_equal(results);
      } else {
        EXPECT_NE(rule_against(info, params, rule.field), nullptr);
        idle = idle || results.size() > 1;
        EXPECT_TRUE(all_equal(results)) << rule.field << " has an effect with " << rule.only.parameter << "=" << value;
      }
    }
  EXPECT_TRUE(idle) << "no value of " << rule.only.parameter << " takes the effect away";
  EXPECT_TRUE(effective) << rule.field << " never has an effect";
}

auto tested_rules() {
  std::vector<std::pair<std::string_view, EffectRule>> rules;
  for (const AlgorithmInfo& info : algorithms())
    for (const EffectRule& rule : info.effects)
      if (!rule.is_of_own_input()) rules.emplace_back(info.name, rule);
  return rules;
}

INSTANTIATE_TEST_SUITE_P(All, EffectRules, ::testing::ValuesIn(tested_rules()), [](const auto& test) {
  return std::string(test.param.first) + "_" + std::string(test.param.second.field) + "_by_" +
         std::string(test.param.second.only.parameter);
});

TEST(Effects, ParametersOfTheOwnInputMakeOtherInputsAndNothingElse) {
  int found = 0;
  for (const AlgorithmInfo& info : algorithms())
    for (const EffectRule& rule : info.effects) {
      if (!rule.is_of_own_input()) continue;
      ++found;
      ASSERT_TRUE(info.own_input) << info.name << " " << rule.field;
      ParamBox params = info.defaults();
      testing::make_small(params);
      const HostArray input = testing::small_input(info, params);
      EXPECT_EQ(rule_against(info, params, rule.field), nullptr);
      EXPECT_EQ(rule_against(info, params, rule.field, true)->field, rule.field);
      // With one input, as if from a file, every value of the parameter gives the same result.
      std::vector<HostArray> results;
      bool other_inputs = false;
      for (const std::string& value : values_of(field_of(params, rule.field), Files{})) {
        if (value == "file") continue;
        ParamBox changed = params;
        changed.assign(rule.field, value);
        results.push_back(testing::run_serial(info, changed, input));
        other_inputs = other_inputs || !testing::difference_of(input, testing::small_input(info, changed)).empty();
      }
      EXPECT_TRUE(all_equal(results)) << info.name << " " << rule.field;
      EXPECT_TRUE(other_inputs) << info.name << " " << rule.field;
    }
  EXPECT_GE(found, 9);
}

TEST(Effects, ASecondConditionIsEnough) {
  const AlgorithmInfo& info = find_algorithm("rasterize");
  ParamBox params = info.defaults();
  EXPECT_NE(rule_against(find_algorithm("rasterize"), params, "reflection"), nullptr);
  params.assign("environment_map", "room.exr");
  EXPECT_EQ(rule_against(find_algorithm("rasterize"), params, "reflection"), nullptr);
}

TEST(Effects, VoxelsAndLengthsFollow) {
  const AlgorithmInfo& projection = find_algorithm("projection");
  ParamBox params = projection.defaults();
  params.assign("pixels", "100");
  const Shape volume = projection.own_input->shape(params);
  EXPECT_EQ(derived_value(projection, params, "voxels", volume), "42");  // 0.42 times the pixels, as the source has it.
  EXPECT_EQ(derived_value(projection, params, "voxels_z", volume), "42");
  EXPECT_FALSE(derived_value(projection, params, "voxel_size", volume));
  // A file of 3 x 4 voxels in each of 5 slices, which follow each other along y.
  const Shape file{Kind::volume, Element::f32, 1, 3, 4, 5};
  EXPECT_EQ(derived_value(projection, params, "voxels_y", file), "5");
  EXPECT_EQ(derived_value(projection, params, "voxels_z", file), "4");
  const AlgorithmInfo& phantom = find_algorithm("phantom");
  ParamBox made = phantom.defaults();
  made.assign("pixels", "100");
  EXPECT_EQ(derived_value(phantom, made, "voxels_y", {}), "42");
  const AlgorithmInfo& sorting = find_algorithm("sorting");
  const Shape numbers{Kind::sequence, Element::i32, 1, 77, 1, 1};
  EXPECT_EQ(derived_value(sorting, sorting.defaults(), "count", numbers), "77");
}

}  // namespace
}  // namespace threadscape
