#include "compute/algorithms/tomography/beer_lambert/beer_lambert.h"

#include <algorithm>
#include <charconv>
#include <cstdio>

#include "compute/algorithms/tomography/projection/projection.h"
#include "compute/core/machine.h"
#include "compute/registry/algorithm_info.h"

namespace threadscape {

namespace {

/// Parses pairs of a relative attenuation and a weight, as in 0.6:1,1:2.
beer_lambert::Spectrum spectrum_of(const std::string& text) {
  beer_lambert::Spectrum spectrum;
  if (text.empty()) return spectrum;
  spectrum.count = 0;
  double sum = 0.0;
  constexpr std::string_view between = ", ;\t\r\n";
  for (std::size_t at = 0; (at = text.find_first_not_of(between, at)) != std::string::npos;) {
    const std::string word = text.substr(at, text.find_first_of(between, at) - at);
    const char *begin = word.data(), *end = begin + word.size();
    double factor = 0.0, weight = 0.0;
    const auto first = std::from_chars(begin, end, factor);
    const bool pair = first.ec == std::errc{} && first.ptr != end && *first.ptr == ':';
    const auto second = pair ? std::from_chars(first.ptr + 1, end, weight) : first;
    if (!pair || second.ec != std::errc{} || second.ptr != end || !(factor >= 1e-3 && factor <= 1e3) ||
        !(weight > 0.0 && weight <= 1e9))
      throw UsageError("spectrum: '" + word +
                       "' is no energy; its attenuation, 0.001..1000 times `attenuation`, and its weight above 0 are "
                       "written as 1.5:2");
    if (spectrum.count == beer_lambert::max_energies)
      throw UsageError("spectrum: more than " + std::to_string(beer_lambert::max_energies) + " energies");
    spectrum.factor[spectrum.count] = factor;
    spectrum.weight[spectrum.count++] = weight;
    sum += weight;
    at += word.size();
  }
  if (spectrum.count == 0) throw UsageError("spectrum: there is no energy in '" + text + "'");
  for (int i = 0; i < spectrum.count; ++i)
    spectrum.weight[i] /= sum;
  return spectrum;
}

}  // namespace

std::string BeerLambert::Params::problem() const {
  try {
    (void)spectrum_of(spectrum);
  } catch (const UsageError& error) {
    return error.what();
  }
  return {};
}

beer_lambert::Plan BeerLambert::Params::plan(std::uint64_t seed) const {
  return {output, static_cast<double>(initial), static_cast<double>(attenuation), static_cast<double>(photons),
          seed,   spectrum_of(spectrum)};
}

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
  return a.output == beer_lambert::Output::intensity ||
         (a.initial == b.initial && a.attenuation == b.attenuation && a.spectrum == b.spectrum);
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
