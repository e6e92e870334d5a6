// What a sketch is compared with.

#include "app/session/sketch_file.h"

#include <gtest/gtest.h>

#include <array>

#include "app/session/sketch_comparison.h"
#include "app/session/sketch_reference.h"
#include "compute/core/errors.h"
#include "compute/core/synthetic.h"
#include "compute/io/file_writer.h"
#include "compute/registry/registry.h"
#include "compute/run/verify.h"
#include "compute/sketch/sketch_algorithm.h"
#include "tests/support/app/app_testing.h"

namespace threadscape::app {
namespace {

class SketchFile : public ::testing::Test {
 protected:
  /// Writes a sketch with these lines in its head.
  std::filesystem::path write(const std::string& name, const std::string& lines) {
    std::filesystem::path file = folder_.path() / name;
    io::save_bytes(file, "// sketch: compared\n// reads: picture gray u8    makes: picture gray u8\n" + lines +
                             "\nvoid compared();\n");
    return file;
  }
  threadscape::testing::TemporaryFolder folder_;
};

TEST_F(SketchFile, ATwinThatIsComparedWithIsOneRow) {
  write("twin.cpp", "");
  const AlgorithmInfo& row = open_sketch(write("kernel.cu", "// check: twin.cpp\n"));
  const AlgorithmInfo* const other = paired(row, {}).algorithm;
  const std::size_t rows = algorithms().size();
  EXPECT_EQ(paired(row, {}).algorithm, other);
  EXPECT_EQ(paired(row, {.algorithm = (folder_.path() / "twin.cpp").string()}).algorithm, other);
  write("twin.cpp", "// param: size = 3 (1..9)\n");
  EXPECT_EQ(paired(row, {}).algorithm, other);
  EXPECT_EQ(sketch::sketch_of(*other)->sketch().head.parameters.size(), 1u) << "the file was read again";
  EXPECT_EQ(algorithms().size(), rows);
}

TEST_F(SketchFile, BothHaveTheParametersThatTheHeadStates) {
  const AlgorithmInfo& row =
      open_sketch(write("kernel.cu", "// param: radius = 2 (1..9)\n// check: mean size=(2 * radius + 1)\n"));
  const auto value_of = [](const ParamBox& params, std::string_view name) {
    for (const FieldRef& field : params.fields())
      if (field.name == name) return to_text(field);
    return std::string();
  };
  EXPECT_EQ(value_of(paired(row, {}).other, "size"), "5");
  const SketchPair pair = paired(row, {.algorithm = {}, .sets = {{"radius", "3"}, {"border", "wrap"}}});
  EXPECT_EQ(pair.algorithm->name, "mean");
  EXPECT_EQ(value_of(pair.own, "radius"), "3");
  EXPECT_EQ(value_of(pair.other, "size"), "7");
  EXPECT_EQ(value_of(pair.other, "border"), "wrap");
  EXPECT_THROW((void)paired(row, {.algorithm = {}, .sets = {{"nothing", "3"}}}), UsageError);
  EXPECT_THROW((void)paired(find_algorithm("mean"), {}), UsageError);
}

TEST_F(SketchFile, WhatASketchIsToEqualIsMadeOfTheInputThatItReads) {
  const AlgorithmInfo& row = open_sketch(write("kernel.cu", "// check: mean size=3 border=wrap\n"));
  const std::optional<RunRequest> reference = converted_reference_run(row, row.defaults());
  ASSERT_TRUE(reference.has_value());
  const HostArray photo = make_synthetic(InputPattern::photo, Shape::image(Element::u8, 4, 21, 9), 1);
  HostArray grey(Shape::image(Element::u8, 1, 21, 9));
  sketch::copy_input(photo.view(), grey.view());
  RunRequest mean{
      .algorithm = &find_algorithm("mean"), .params = find_algorithm("mean").defaults(), .backend = Backend::serial};
  mean.params.assign("border", "wrap");
  const HostArray expected = Runner().run(mean, grey.view()).output;
  for (const HostArray* input : std::array<const HostArray*, 2>{&photo, &grey}) {
    const HostArray found = Runner().run(*reference, std::as_const(*input).view()).output;
    ASSERT_EQ(found.shape(), expected.shape());
    EXPECT_FALSE(compare(found.view(), expected.view(), Tolerance{}).has_value()) << input->shape().channels;
  }
  const std::optional<RunRequest> again = converted_reference_run(row, row.defaults());
  EXPECT_EQ(again->algorithm, reference->algorithm);
  EXPECT_EQ(again->params, reference->params) << "an equal work is not computed again";
  const AlgorithmInfo& other = open_sketch(write("other.cu", ""));
  EXPECT_FALSE(converted_reference_run(other, other.defaults()).has_value());
}

TEST_F(SketchFile, ATwinHasNoKernelsToCompare) {
  write("twin.cpp", "");
  ComparisonRequest request;
  request.row = &open_sketch(write("kernel.cu", "// check: twin.cpp\n"));
  request.input = shape_for(sketch::sketch_of(*request.row)->sketch().head.reads, 40, 30);
  EXPECT_EQ(to_string(request.input), "40x30 8-bit grey image");
  EXPECT_THROW((void)compare_kernels(request), UsageError);
}

}  // namespace
}  // namespace threadscape::app
