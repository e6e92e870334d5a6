#include "compute/algorithms/tomography/beer_lambert/beer_lambert.h"

#include <algorithm>
#include <cstdio>

#include "compute/algorithms/tomography/projection/projection.h"
#include "compute/core/machine.h"
#include "compute/registry/algorithm_info.h"

namespace threadscape {

Shape BeerLambert::output_shape(const Params&, const Shape& input) {
  if (input.element != Element::f32) throw UsageError("beer_lambert takes a volume of floats, not " + to_string(input));
  return input;
}

std::size_t BeerLambert::scratch_bytes(const Params&, const Shape&, Backend, int) {
  return 0;
}

Shape BeerLambert::input_shape(const Params&) {
  const Projection::Params scan;
  return Projection::output_shape(scan, Projection::input_shape(scan));
}

HostArray BeerLambert::make_input(const Params& params, std::uint64_t seed) {
  const Projection::Params scan;
  const HostArray volume = Projection::make_input(scan, seed);
  HostArray views(input_shape(params));
  HostScratch scratch;
  scratch.reset(Projection::scratch_bytes(scan, volume.shape(), Backend::openmp, 0));
  HostRun run;
  run.in = volume.view();
  run.out = views.view();
  run.scratch = &scratch;
  run.threads = hardware_threads();
  Projection::openmp(scan, run);
  if (params.output == beer_lambert::Output::intensity) return views;
  Params there = params;
  there.output = beer_lambert::Output::intensity;
  there.photons = 0;
  run.in = std::as_const(views).view();
  serial(there, run);
  return views;
}

bool BeerLambert::same_input(const Params& a, const Params& b) {
  if (a.output != b.output) return false;
  return a.output == beer_lambert::Output::intensity || (a.initial == b.initial && a.attenuation == b.attenuation);
}

std::string BeerLambert::report(const Params& params, const HostIn&, const HostIn& result) {
  const auto* values = reinterpret_cast<const float*>(result.data);
  const auto [low, high] = std::minmax_element(values, values + result.shape.items());
  char text[128];
  std::snprintf(text, sizeof text, "%s from %.6g to %.6g\n",
                params.output == beer_lambert::Output::intensity ? "intensities" : "line integrals",
                static_cast<double>(*low), static_cast<double>(*high));
  return text;
}

AlgorithmInfo describe_beer_lambert() {
  return describe<BeerLambert>("beer_lambert");
}

}  // namespace threadscape
