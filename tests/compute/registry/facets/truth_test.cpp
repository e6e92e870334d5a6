// What compute/registry/facets/truth.h promises, for every algorithm that approximates a known volume.

#include "compute/registry/facets/truth.h"

#include <gtest/gtest.h>

#include "compute/registry/diagram.h"
#include "tests/support/compute/facet_testing.h"

namespace threadscape::testing {
namespace {

/// The sum of the squares of the differences of two arrays of floats.
double squared_distance(const HostArray& a, const HostArray& b) {
  const auto count = static_cast<std::size_t>(a.shape().width * a.shape().height * a.shape().depth);
  const auto* x = reinterpret_cast<const float*>(a.data());
  const auto* y = reinterpret_cast<const float*>(b.data());
  double sum = 0.0;
  for (std::size_t i = 0; i < count; ++i)
    sum += (static_cast<double>(x[i]) - static_cast<double>(y[i])) *
           (static_cast<double>(x[i]) - static_cast<double>(y[i]));
  return sum;
}

TEST(TruthFacet, HasTheShapeOfTheResult) {
  for (const AlgorithmInfo& info : algorithms()) {
    const std::optional<TruthFacet>& facet = diagrams_of(info).truth;
    if (!facet) continue;
    for (const VerifySetting& setting : small_settings(info)) {
      SCOPED_TRACE(std::string(info.name) + " " + setting.label);
      if (!info.own_input) continue;
      const std::optional<HostArray> truth = facet->make(setting.params);
      if (!truth) continue;
      try {
        EXPECT_EQ(truth->shape(), info.output_shape(setting.params, info.own_input->shape(setting.params)));
      } catch (const UsageError&) {
        continue;  // A source inside of the object, for example.
      }
    }
  }
}

TEST(TruthFacet, IsWhatTheDefaultResultIsNearTo) {
  for (const AlgorithmInfo& info : algorithms()) {
    const std::optional<TruthFacet>& facet = diagrams_of(info).truth;
    if (!facet) continue;
    SCOPED_TRACE(info.name);
    ParamBox params = info.defaults();
    ASSERT_TRUE(make_small(params));
    const std::optional<HostArray> truth = facet->make(params);
    ASSERT_TRUE(truth);
    const HostArray result = run_serial(info, params, small_input(info, params));
    HostArray nothing(truth->shape());
    std::fill_n(nothing.data(), nothing.shape().bytes(), std::byte{0});
    EXPECT_LT(squared_distance(result, *truth), squared_distance(nothing, *truth));
  }
}

TEST(TruthFacet, SameParametersHaveTheSameTruth) {
  for (const AlgorithmInfo& info : algorithms()) {
    const std::optional<TruthFacet>& facet = diagrams_of(info).truth;
    if (!facet) continue;
    ParamBox params = info.defaults();
    ASSERT_TRUE(make_small(params));
    EXPECT_TRUE(facet->same(params, params)) << info.name;
    const std::optional<HostArray> truth = facet->make(params);
    ASSERT_TRUE(truth) << info.name;
    for (const VerifySetting& setting : small_settings(info)) {
      SCOPED_TRACE(std::string(info.name) + " " + setting.label);
      if (!facet->same(params, setting.params)) continue;
      const std::optional<HostArray> other = facet->make(setting.params);
      ASSERT_TRUE(other);
      EXPECT_EQ(difference_of(*truth, *other), "");
    }
  }
}

}  // namespace
}  // namespace threadscape::testing
