#pragma once
// Helpers for tests of filters that need scratch memory: runs on the host, and reference results of SciPy that are
// stored in tests/data.

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/support/compute/neighbourhood_testing.h"
#include "tests/support/test_paths.h"

namespace threadscape::testing {

template <class A>
HostArray run_on_scratch(Backend backend, const typename A::Params& params, const HostArray& in, int threads = 1) {
  HostArray out(A::output_shape(params, in.shape()));
  std::memset(out.data(), 0xa5, out.pitch() * static_cast<std::size_t>(in.shape().height));
  HostScratch scratch;
  scratch.reset(A::scratch_bytes(params, in.shape(), backend, 0));
  HostRun run;
  run.in = in.view();
  run.out = out.view();
  run.scratch = &scratch;
  run.threads = threads;
  if (backend == Backend::serial)
    A::serial(params, run);
  else
    A::openmp(params, run);
  return out;
}

/// Calls f(case) for the stored cases of one algorithm, or for all cases if `algorithm` is "".
template <class F>
void for_each_stored_case(const std::string& file, const std::string& algorithm, const F& f) {
  std::ifstream stream(test_dir() + "/data/" + file);
  const auto data = nlohmann::json::parse(stream);
  int found = 0;
  for (const auto& one : data.at("cases"))
    if (algorithm.empty() || one.at("algorithm") == algorithm) {
      f(one);
      ++found;
    }
  EXPECT_GT(found, 0);
}
inline Border border_of(const nlohmann::json& one) {
  const auto name = one.at("border").get<std::string>();
  return static_cast<Border>(std::ranges::find(border_names, name) - border_names.begin());
}
inline HostArray stored_image(const nlohmann::json& one, const char* which) {
  return grey_image(one.at("width"), one.at("height"), one.at(which));
}

/// Converts an 8-bit grey picture to floats from 0 to 1.
inline HostArray as_floats(const HostArray& image) {
  const auto from = image.image<std::uint8_t>();
  HostArray floats(Shape::image(Element::f32, 1, from.width, from.height));
  for (int y = 0; y < from.height; ++y)
    for (int x = 0; x < from.width; ++x)
      floats.image<float>()(x, y) = static_cast<float>(from(x, y)) / 255.0f;
  return floats;
}

/// Checks that algorithm A keeps the alpha channel, and that with Channels::luma the colour channels of a result are
/// equal.
template <class A>
void expect_alpha_kept(typename A::Params params) {
  const auto in = random_image<Rgba8>(70, 20, 9);
  for (const Backend backend : {Backend::serial, Backend::openmp})
    for (const Channels channels : {Channels::each, Channels::luma}) {
      params.channels = channels;
      const auto out = run_on_scratch<A>(backend, params, in);
      for (int y = 0; y < 20; ++y)
        for (int x = 0; x < 70; ++x) {
          const Rgba8 p = out.template image<Rgba8>()(x, y);
          ASSERT_EQ(p.a, in.image<Rgba8>()(x, y).a);
          ASSERT_TRUE(channels == Channels::each || (p.r == p.g && p.g == p.b));
        }
    }
}

}  // namespace threadscape::testing
