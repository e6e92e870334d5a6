// Tests of borders: border_index(), and the convolution and Sobel filters against stored results of SciPy.

#include "compute/core/border.h"

#include <fstream>
#include <nlohmann/json.hpp>

#include "compute/algorithms/edges/sobel/sobel.h"
#include "compute/algorithms/filters/convolution/convolution.h"
#include "tests/support/compute/neighbourhood_testing.h"
#include "tests/support/test_paths.h"

namespace threadscape::testing {
namespace {

TEST(BorderIndex, AgreesWithTheRowWrittenOut) {
  for (int n = 1; n <= 9; ++n) {
    std::vector<int> row;
    for (int i = 0; i < n; ++i)
      row.push_back(10 + i);
    for (const Border border : borders)
      for (int i = -40; i < 40; ++i) {
        const int index = border_index(i, n, border);
        ASSERT_LT(index, n);
        ASSERT_GE(index, border == Border::zero ? -1 : 0);
        EXPECT_EQ(index < 0 ? 0 : row[static_cast<std::size_t>(index)], value_at(row, i, border))
            << "i " << i << " n " << n << " border " << border_names[static_cast<std::size_t>(border)];
      }
  }
}

TEST(BorderIndex, FoldsForPlacesBesideThePictureAgree) {
  for (int mode = 0; mode < border_modes; ++mode)
    for (int n = 1; n <= 9; ++n) {
      const auto border = static_cast<Border>(mode);
      const BorderLines lines = BorderLines::of(n, border);
      for (int i = 1 - n; i < 2 * n - 1; ++i) {
        EXPECT_EQ(index_beside(i, n, border), border_index(i, n, border)) << i << " of " << n << ", mode " << mode;
        EXPECT_EQ(lines.index(i, n), border_index(i, n, border)) << i << " of " << n << ", mode " << mode;
      }
    }
}

nlohmann::json stored_cases() {
  std::ifstream file(test_dir() + "/data/neighbourhood.json");
  if (!file) throw std::runtime_error("tests/data/neighbourhood.json is missing");
  return nlohmann::json::parse(file).at("cases");
}

Border border_named(const std::string& name) {
  for (std::size_t i = 0; i < border_names.size(); ++i)
    if (border_names[i] == name) return static_cast<Border>(i);
  throw std::runtime_error("unknown border " + name);
}

TEST(SciPy, StoredCases) {
  int count = 0;
  for (const auto& test : stored_cases()) {
    SCOPED_TRACE(test.at("algorithm").get<std::string>() + " " + test.at("border").get<std::string>() + " case " +
                 std::to_string(count++));
    const int width = test.at("width"), height = test.at("height");
    const auto in = grey_image(width, height, test.at("input").get<std::vector<int>>());
    const auto expected = grey_image(width, height, test.at("output").get<std::vector<int>>());
    for (const Backend backend : {Backend::serial, Backend::openmp}) {
      if (test.at("algorithm") == "convolution") {
        Convolution::Params params;
        params.size = test.at("size");
        params.mask = test.at("mask").get<std::vector<float>>();
        params.preset = Convolution::Preset::custom;
        params.divisor = test.at("divisor");
        params.bias = test.at("bias");
        params.absolute = test.at("absolute");
        params.border = border_named(test.at("border"));
        EXPECT_EQ(difference(run_on<Convolution>(backend, params, in), expected), "");
      } else {
        Sobel::Params params;
        params.norm = test.at("norm") == "l1" ? Sobel::Norm::l1 : Sobel::Norm::l2;
        params.border = border_named(test.at("border"));
        EXPECT_EQ(difference(run_on<Sobel>(backend, params, in), expected), "");
      }
    }
  }
  EXPECT_EQ(count, 30);
}

}  // namespace
}  // namespace threadscape::testing
