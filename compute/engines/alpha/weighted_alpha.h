#pragma once
// Means of pictures with alpha in which a pixel counts as much as it is visible, so that colours that nobody sees do
// not bleed into their neighbours. The colours are multiplied by alpha, the algorithm runs on the products and on
// alpha, both in floats, and the one result is divided by the other. Alpha itself stays as it is.
//
//   r g b a  --->  ar ag ab a  ---A--->  sums     ---  / --->  r g b a
//            --->  a           ---A--->  weights  ---'
//
// Every step is written once for all backends, and a mean in floats has the same bits on all of them, so results have,
// too. `describe<WeightedAlpha<A>>(name)` registers an algorithm A in this way whose result is linear in the values of
// the picture, without a constant, and whose parameters have a member `alpha`.

#include <array>
#include <string_view>

#include "compute/core/backend.h"
#include "compute/core/fields.h"
#include "compute/core/run.h"
#include "compute/engines/sixteen_bit/sixteen_bit.h"

namespace threadscape {

/// How much the pixels of a picture with alpha count in a mean.
enum class Alpha : int { ignored, weighted };
inline constexpr std::array<std::string_view, 2> alpha_names{"ignored", "weighted"};
inline constexpr std::string_view alpha_help =
    "ignored: hidden colours count like all others; weighted: pixels count by their alpha, in floats; a file with "
    "transparent pixels states weighted";

namespace weighted_alpha {

/// The shapes of the products and of alpha alone.
[[nodiscard]] inline Shape colours_of(const Shape& picture) {
  return Shape::image(Element::f32, 4, picture.width, picture.height);
}
[[nodiscard]] inline Shape weights_of(const Shape& picture) {
  return Shape::image(Element::f32, 1, picture.width, picture.height);
}

/// Makes the products and alpha alone of a picture, on `threads` threads.
void multiply(const HostIn& in, const HostOut& colours, const HostOut& weights, int threads);
/// Makes the picture from the results, on `threads` threads.
void divide(const HostIn& sums, const HostIn& weights, const HostOut& out, int threads);
/// These queue both on the stream of `run`, from its input and to its sink.
void multiply(const DeviceRun& run, const DeviceOut& colours, const DeviceOut& weights);
void divide(const DeviceIn& sums, const DeviceIn& weights, const DeviceRun& run);

/// Runs an algorithm on the products and on alpha. `View` is HostOut or DeviceOut, `compute_floats(in, out)` runs it.
template <class View, class Run, class Compute>
void run_weighted(const Run& run, const Compute& compute_floats) {
  using sixteen_bit::take_picture;
  const auto colours = take_picture<View>(*run.scratch, colours_of(run.in.shape));
  const auto weights = take_picture<View>(*run.scratch, weights_of(run.in.shape));
  const auto colour_sums = take_picture<View>(*run.scratch, colours_of(run.out.shape));
  const auto weight_sums = take_picture<View>(*run.scratch, weights_of(run.out.shape));
  if constexpr (requires { run.threads; })
    multiply(run.in, colours, weights, run.threads);
  else
    multiply(run, colours, weights);
  compute_floats(colours, colour_sums);
  compute_floats(weights, weight_sums);
  if constexpr (requires { run.threads; })
    divide(colour_sums, weight_sums, run.out, run.threads);
  else
    divide(colour_sums, weight_sums, run);
}

}  // namespace weighted_alpha

/// Algorithm A with a parameter `alpha`.
template <class A>
struct WeightedAlpha : A {
  using Params = typename A::Params;

  static bool is_weighted(const Params& params, const Shape& input) {
    return params.alpha == Alpha::weighted && input.channels == 4;
  }
  static std::size_t scratch_bytes(const Params& params, const Shape& input, Backend backend, int variant) {
    if (!is_weighted(params, input)) return A::scratch_bytes(params, input, backend, variant);
    using namespace weighted_alpha;
    const Shape output = A::output_shape(params, input);
    std::size_t bytes = 0;
    for (const Shape& shape : {input, output})
      bytes += sixteen_bit::scratch_bytes(colours_of(shape)) + sixteen_bit::scratch_bytes(weights_of(shape));
    for (const Shape& shape : {colours_of(input), weights_of(input)})
      bytes += A::scratch_bytes(params, shape, backend, variant);
    return bytes;
  }
  static void serial(const Params& params, const HostRun& run) {
    compute(params, run, [&](const HostRun& floats) { A::serial(params, floats); });
  }
  static void openmp(const Params& params, const HostRun& run) {
    compute(params, run, [&](const HostRun& floats) { A::openmp(params, floats); });
  }
  static void cuda(const Params& params, const DeviceRun& run) {
    if (!is_weighted(params, run.in.shape)) return A::cuda(params, run);
    weighted_alpha::run_weighted<DeviceOut>(run, [&](const DeviceOut& in, const DeviceOut& out) {
      DeviceRun floats = run;
      floats.in = in;
      floats.out = {.linear = out, .surface = 0, .shape = out.shape};
      A::cuda(params, floats);
    });
  }

 private:
  /// Calls compute_floats with `run`, or with runs of floats if pixels count by their alpha.
  template <class Compute>
  static void compute(const Params& params, const HostRun& run, const Compute& compute_floats) {
    if (!is_weighted(params, run.in.shape)) return compute_floats(run);
    weighted_alpha::run_weighted<HostOut>(run, [&](const HostOut& in, const HostOut& out) {
      HostRun floats = run;
      floats.in = in;
      floats.out = out;
      compute_floats(floats);
    });
  }
};

}  // namespace threadscape
