// Tests of the names, tips and texts of parameters in the window.

#include "app/shell/field_names.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "compute/registry/registry.h"

namespace threadscape::app {
namespace {

FieldRef field_of(const ParamBox& params, std::string_view name) {
  for (const FieldRef& field : params.fields())
    if (field.name == name) return field;
  throw UsageError("no such field");
}

TEST(FieldNamesTest, ATipHasRangeUnitAndTheNameForScripts) {
  const ParamBox params = find_algorithm("convolution").defaults();
  const std::string tip = tip_of(field_of(params, "size"));
  EXPECT_NE(tip.find("pixels"), std::string::npos) << tip;
  EXPECT_NE(tip.find("--set size=3"), std::string::npos) << tip;
  EXPECT_EQ(script_text(field_of(params, "size")), "size=3");
}

TEST(FieldNamesTest, NoTwoParametersOfAnAlgorithmHaveOneName) {
  for (const AlgorithmInfo& algorithm : algorithms()) {
    const ParamBox params = algorithm.defaults();
    std::set<std::string> names;
    for (const FieldRef& field : params.fields())
      EXPECT_TRUE(names.insert(title_of(field)).second) << algorithm.name << " " << field.name;
  }
}

TEST(FieldNamesTest, ReasonsAreSentencesWithTheNamesForPeople) {
  EXPECT_EQ(reason_of({"divisor", {"divide_by", "divisor"}}, {}), "Without effect now: only with Divide by = divisor.");
  EXPECT_EQ(reason_of({"b", {"kind", "one|two|three"}}, {}), "Without effect now: only with Kind = one, two or three.");
  EXPECT_EQ(reason_of({"b", {"wireframe", "true"}}, {}), "Without effect now: only with \"Wireframe\".");
  EXPECT_EQ(reason_of({"b", {"view_matrix", ""}}, {}), "Without effect now: only without \"View matrix\".");
  EXPECT_EQ(reason_of({"b", {"environment", "!none"}, {"environment_map", "!"}}, {}),
            "Without effect now: only with Environment other than none, or with \"Environment map\".");
  EXPECT_EQ(reason_of({"b", {"voxels_y", "0"}}, find_algorithm("phantom").defaults()),
            "Without effect now: only with Voxels in y = 0.");
  EXPECT_EQ(reason_of({"count"}, {}),
            "Without effect now: it is for the input that the algorithm makes itself, and a file is open.");
}

}  // namespace
}  // namespace threadscape::app
