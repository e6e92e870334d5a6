// Routes: whichever way a run is computed, the bits are those of the serial backend.

#include "compute/core/route.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "compute/core/synthetic.h"
#include "compute/gpu/device.h"
#include "compute/registry/registry.h"
#include "compute/run/runner.h"
#include "compute/run/verify.h"

namespace threadscape {
namespace {

using Sets = std::vector<std::pair<std::string, std::string>>;

/// The request of an algorithm with those parameters that it has, as far as it accepts their values.
RunRequest request_of(const AlgorithmInfo& algorithm, Backend backend, const Sets& sets = {}) {
  RunRequest request{.algorithm = &algorithm, .params = algorithm.defaults(), .backend = backend};
  for (const auto& [name, value] : sets)
    try {
      request.params.assign(name, value);
    } catch (const UsageError&) {  // Another algorithm has the parameter, or a border that this one lacks.
    }
  return request;
}

HostArray result_of(const RunRequest& request, const HostArray& in) {
  Runner runner;
  return runner.run(request, in.view()).output;
}

/// Sets of parameters that reach every route of the algorithms that have some.
const std::vector<Sets> parameter_sets{{{"size", "3"}},
                                       {{"size", "5"}, {"border", "zero"}},
                                       {{"size", "9"}, {"channels", "luma"}},
                                       {{"size", "13"}, {"preset", "gaussian"}},
                                       {{"size", "13"}, {"preset", "edge"}, {"border", "shrink"}},
                                       {{"size", "31"}, {"percentile", "20"}, {"preset", "box"}, {"sigma", "6"}}};

TEST(Routes, AllOfThemGiveTheBitsOfTheSerialBackend) {
  // The runs by route. Algorithms of an engine share its routes, and need not reach all of them each.
  std::map<std::string, int> computed;
  for (const AlgorithmInfo& algorithm : algorithms())
    for (const Backend backend : {Backend::openmp, Backend::cuda}) {
      if (backend == Backend::cuda && (!algorithm.cuda || !gpu::devices().first().usable())) continue;
      for (const Route& route : algorithm.routes_of(backend)) {
        int& count = computed[std::string(route.name) + ", " + std::string(route.method)];
        for (const auto& sets : parameter_sets)
          for (const Shape& shape : {Shape::image(Element::u8, 1, 96, 67), Shape::image(Element::u8, 4, 160, 64),
                                     Shape::image(Element::f32, 1, 131, 70), Shape::image(Element::u8, 1, 13, 9)}) {
            RunRequest request = request_of(algorithm, backend, sets);
            const HostArray in = make_synthetic(InputPattern::noise, shape, 7);
            request.route = route.name;
            try {
              const HostArray out = result_of(request, in);
              request.route.clear();
              request.backend = Backend::serial;
              const HostArray expected = result_of(request, in);
              const auto mismatch = compare(expected.view(), out.view(), Tolerance::exact());
              std::string values;
              for (const auto& [name, value] : sets)
                values += " " + name + "=" + value;
              EXPECT_FALSE(mismatch) << algorithm.name << " " << name_of(backend) << " " << route.name << " "
                                     << to_string(shape) << values;
              ++count;
            } catch (const RouteUnfit&) {  // Not all routes compute all runs.
            }
          }
      }
    }
  EXPECT_FALSE(computed.empty());
  for (const auto& [route, count] : computed)
    EXPECT_GT(count, 0) << route << " computes none of the cases";
}

TEST(Routes, OneThatCannotComputeTheRunSaysSo) {
  RunRequest request = request_of(find_algorithm("convolution"), Backend::openmp, {{"size", "3"}});
  request.route = "any_size";
  const HostArray in = make_synthetic(InputPattern::noise, Shape::image(Element::u8, 1, 40, 30), 1);
  try {
    (void)result_of(request, in);
    FAIL() << "no error";
  } catch (const RouteUnfit& error) {
    EXPECT_STREQ(error.what(), "route 'any_size' cannot compute this run");
  }
}

TEST(Routes, UnknownOnesAreRefusedWithTheListOfThoseThatExist) {
  const auto refusal = [](const char* algorithm, int variant) -> std::string {
    RunRequest request = request_of(find_algorithm(algorithm), Backend::openmp);
    request.route = "nonsense";
    request.variant = variant;
    try {
      check(request);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal("median", 0), "route 'nonsense': median on openmp has networks | histograms | places");
  EXPECT_EQ(refusal("sorting", 0), "route: sorting on openmp has one way of computing a run");
}

}  // namespace
}  // namespace threadscape
