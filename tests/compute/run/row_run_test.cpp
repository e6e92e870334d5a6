// Runs on pictures whose rows are read and written one after another.

#include "compute/run/row_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "compute/core/region.h"
#include "compute/run/similarity.h"
#include "tests/support/compute/facet_testing.h"

namespace threadscape::testing {
namespace {

/// Rows of a picture in memory, which are read once and in order.
class RowsOf final : public RowReader {
 public:
  explicit RowsOf(HostArray picture) : picture_(std::move(picture)) {}
  [[nodiscard]] const Shape& shape() const override { return picture_.shape(); }
  [[nodiscard]] std::size_t held_bytes() const override { return 0; }
  void read(const HostOut& rows) override {
    most = std::max(most, rows.shape.height);
    copy_region(std::as_const(picture_).view(), {0, next_, 0, rows.shape.width, rows.shape.height, 1}, rows, {});
    next_ += rows.shape.height;
  }

  std::int64_t most = 0;  ///< The largest number of rows of a call.

 private:
  HostArray picture_;
  std::int64_t next_ = 0;
};

/// Takes rows, in multiples of `together` but at the end.
class RowsTo final : public RowWriter {
 public:
  RowsTo(const Shape& shape, std::int64_t together) : picture(shape), together_(together) {}
  [[nodiscard]] std::int64_t rows_together() const override { return together_; }
  [[nodiscard]] std::size_t held_bytes(std::int64_t /*rows*/) const override { return 0; }
  void write(const HostIn& rows) override {
    EXPECT_TRUE(rows.shape.height % together_ == 0 || next_ + rows.shape.height == picture.shape().height);
    copy_region(rows, {0, 0, 0, rows.shape.width, rows.shape.height, 1}, picture.view(), {0, next_, 0});
    next_ += rows.shape.height;
  }

  HostArray picture;

 private:
  std::int64_t together_, next_ = 0;
};

RunRequest request_with(std::string_view name, const std::vector<std::pair<std::string, std::string>>& sets) {
  const AlgorithmInfo& algorithm = find_algorithm(name);
  RunRequest request{.algorithm = &algorithm, .params = algorithm.defaults(), .backend = Backend::openmp, .threads = 2};
  for (const auto& [set, value] : sets)
    request.params.assign(set, value);
  return request;
}

struct Case {
  std::string_view name;
  std::vector<std::pair<std::string, std::string>> sets;
};

class RowRunTest : public ::testing::TestWithParam<Case> {};

TEST_P(RowRunTest, EqualsARunOnTheWholeHoweverThickTheStripsAre) {
  const RunRequest request = request_with(GetParam().name, GetParam().sets);
  const HostArray input = make_synthetic(InputPattern::photo, Shape::image(Element::u8, 1, 60, 90), 1);
  Runner runner;
  const HostArray whole = runner.run(request, input.view()).output;
  for (const std::int64_t together : {1, 3, 8}) {
    const auto beside = [](std::int64_t) { return std::size_t{0}; };
    const RowPlan roomy = plan_rows(request, input.shape(), together, beside, std::size_t{1} << 40);
    EXPECT_EQ(roomy.strips, 1);
    // With each smaller memory the strips become thinner, to the thinnest that there are.
    for (std::size_t memory = roomy.bytes;;) {
      const RowPlan plan = plan_rows(request, input.shape(), together, beside, memory);
      EXPECT_LE(plan.bytes, memory);
      RowsOf from(input.clone());
      RowsTo to(whole.shape(), together);
      run_rows(runner, request, plan, from, to);
      EXPECT_LE(from.most, plan.input_rows);
      ASSERT_EQ(measure_similarity(std::as_const(to.picture).view(), whole.view()).different, 0)
          << plan.strips << " strips";
      if (plan.rows <= together) break;
      memory = plan.bytes - 1;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Algorithms, RowRunTest,
                         ::testing::Values(Case{"median", {{"size", "5"}}},
                                           Case{"median", {{"size", "25"}, {"border", "reflect"}}},
                                           Case{"morphology", {{"operation", "open"}, {"size", "9"}}},
                                           Case{"convolution", {{"size", "5"}, {"border", "valid"}}},
                                           Case{"convolution", {{"size", "5"}, {"border", "crop"}}}, Case{"sobel", {}},
                                           Case{"chain", {}}),
                         [](const auto& info) { return std::string(info.param.name) + std::to_string(info.index); });

TEST(RowPlan, WhatCannotBeCutSaysSo) {
  const Shape shape = Shape::image(Element::u8, 1, 60, 90);
  const auto beside = [](std::int64_t) { return std::size_t{0}; };
  const auto message = [&](const RunRequest& request, std::size_t memory) {
    try {
      (void)plan_rows(request, shape, 1, beside, memory);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  constexpr std::size_t plenty = std::size_t{1} << 40;
  EXPECT_NE(message(request_with("noise", {}), plenty).find("can depend on all of its input"), std::string::npos);
  EXPECT_NE(message(request_with("median", {{"border", "wrap"}}), plenty).find("all rows of the picture"),
            std::string::npos);
  EXPECT_NE(message(request_with("median", {}), 1000).find("bytes of memory for strips of 1 rows"), std::string::npos);
}

}  // namespace
}  // namespace threadscape::testing
