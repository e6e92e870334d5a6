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

/// What a picture of weights holds.
enum class Weights : int {
  visible,  ///< Alpha.
  hidden    ///< What alpha lacks to be opaque.
};

/// Makes the products and the weights of a picture, on `threads` threads.
void multiply(const HostIn& in, const HostOut& colours, const HostOut& weights, Weights what, int threads);
/// Makes the picture from the results, on `threads` threads.
void divide(const HostIn& sums, const HostIn& weights, const HostOut& out, int threads);
/// These queue both on the stream of `run`, from its input and to its sink.
void multiply(const DeviceRun& run, const DeviceOut& colours, const DeviceOut& weights, Weights what);
void divide(const DeviceIn& sums, const DeviceIn& weights, const DeviceRun& run);

/// A run from one picture to another in scratch memory.
[[nodiscard]] inline HostRun run_between(HostRun run, const HostOut& in, const HostOut& out) {
  run.in = in;
  run.out = out;
  return run;
}
[[nodiscard]] inline DeviceRun run_between(DeviceRun run, const DeviceOut& in, const DeviceOut& out) {
  run.in = in;
  run.out = {.linear = out, .surface = 0, .shape = out.shape};
  return run;
}

/// Runs an algorithm on the products and on the weights: compute_floats(run) for each. combine(colours, weights) gets
/// the results. `View` is HostOut or DeviceOut.
template <class View, class Run, class Compute, class Combine>
void run_weighted(const Run& run, Weights what, const Compute& compute_floats, const Combine& combine) {
  using sixteen_bit::take_picture;
  const auto colours = take_picture<View>(*run.scratch, colours_of(run.in.shape));
  const auto weights = take_picture<View>(*run.scratch, weights_of(run.in.shape));
  const auto colour_sums = take_picture<View>(*run.scratch, colours_of(run.out.shape));
  const auto weight_sums = take_picture<View>(*run.scratch, weights_of(run.out.shape));
  if constexpr (requires { run.threads; })
    multiply(run.in, colours, weights, what, run.threads);
  else
    multiply(run, colours, weights, what);
  compute_floats(run_between(run, colours, colour_sums));
  compute_floats(run_between(run, weights, weight_sums));
  combine(colour_sums, weight_sums);
}

/// Bytes of scratch memory for run_weighted() alone.
[[nodiscard]] inline std::size_t own_bytes(const Shape& input, const Shape& output) {
  std::size_t bytes = 0;
  for (const Shape& shape : {input, output})
    bytes += sixteen_bit::scratch_bytes(colours_of(shape)) + sixteen_bit::scratch_bytes(weights_of(shape));
  return bytes;
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
    std::size_t bytes = own_bytes(input, A::output_shape(params, input));
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
    using namespace weighted_alpha;
    run_weighted<DeviceOut>(
        run, Weights::visible, [&](const DeviceRun& floats) { A::cuda(params, floats); },
        [&](const DeviceIn& sums, const DeviceIn& weights) { divide(sums, weights, run); });
  }

 private:
  /// Calls compute_floats with `run`, or with runs of floats if pixels count by their alpha.
  template <class Compute>
  static void compute(const Params& params, const HostRun& run, const Compute& compute_floats) {
    if (!is_weighted(params, run.in.shape)) return compute_floats(run);
    using namespace weighted_alpha;
    run_weighted<HostOut>(run, Weights::visible, compute_floats, [&](const HostIn& sums, const HostIn& weights) {
      divide(sums, weights, run.out, run.threads);
    });
  }
};

}  // namespace threadscape
