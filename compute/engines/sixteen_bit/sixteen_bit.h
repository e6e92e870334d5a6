#pragma once
// 16-bit pictures for algorithms whose arithmetic is written for bytes and floats. The picture is converted to floats,
// in which 65535 is 1.0, the algorithm computes with floats, and the result is multiplied by 65535, rounded to nearest
// and limited to 0..65535. Floats hold all 16-bit integers apart, so an algorithm that only selects pixels, as the
// median does, gives the exact result. `describe<SixteenBit<A>>(name)` registers an algorithm A in this way.

#include "compute/core/backend.h"
#include "compute/core/run.h"
#include "compute/core/variant.h"

namespace threadscape {

namespace sixteen_bit {

/// Rows of the pictures of floats start at multiples of this, in bytes, as those of a run's own pictures on the GPU do.
inline constexpr std::size_t row_alignment = 256;

/// Returns whether a picture of this shape is converted.
[[nodiscard]] bool is_converted(const Shape& shape);
/// The shape of the picture that the algorithm computes with: floats if it is converted, otherwise `shape` itself.
[[nodiscard]] Shape as_floats(Shape shape);
/// Bytes of scratch memory for a picture of floats of this shape.
[[nodiscard]] std::size_t scratch_bytes(const Shape& floats);

/// Converts a 16-bit picture to floats in 0..1 on `threads` threads.
void to_floats(const HostIn& in, const HostOut& floats, int threads);
/// Rounds floats to a 16-bit picture on `threads` threads. NaN becomes 0.
void from_floats(const HostIn& floats, const HostOut& out, int threads);
/// These queue the conversions on the stream of `run`, from its input and to its sink.
void to_floats(const DeviceRun& run, const DeviceOut& floats);
void from_floats(const DeviceIn& floats, const DeviceRun& run);

/// Takes a picture of this shape from scratch memory. `View` is HostOut or DeviceOut.
template <class View, class Memory>
[[nodiscard]] View take_picture(Memory& scratch, const Shape& shape) {
  const std::size_t pitch = row_bytes(shape, row_alignment);
  return {scratch.template take<std::byte>(array_bytes(shape, row_alignment)).data(), shape, pitch};
}

}  // namespace sixteen_bit

/// Algorithm A, which takes pictures of bytes and floats, for 16-bit pictures as well.
template <class A>
struct SixteenBit : A {
  using Params = typename A::Params;
  static constexpr bool sixteen_bit_as_floats = true;

  static Shape output_shape(const Params& params, const Shape& input) {
    static_assert(
        A::tolerance.is_exact() && !requires { &A::tolerance_of; }, "a tolerance is one of floats");
    Shape output = A::output_shape(params, sixteen_bit::as_floats(input));
    if (!sixteen_bit::is_converted(input)) return output;
    // A result that has floats for every type of picture, such as an angle, keeps them.
    Shape bytes = input;
    bytes.element = Element::u8;
    if (A::output_shape(params, bytes).element == Element::u8) output.element = Element::u16;
    return output;
  }

  static std::size_t scratch_bytes(const Params& params, const Shape& input, Backend backend, int variant) {
    const Shape floats = sixteen_bit::as_floats(input);
    const std::size_t own = A::scratch_bytes(params, floats, backend, variant);
    if (!sixteen_bit::is_converted(input)) return own;
    return own + sixteen_bit::scratch_bytes(floats) + sixteen_bit::scratch_bytes(A::output_shape(params, floats));
  }

  static void serial(const Params& params, const HostRun& run) {
    compute(run, [&](const HostRun& floats) { A::serial(params, floats); });
  }
  static void openmp(const Params& params, const HostRun& run) {
    compute(run, [&](const HostRun& floats) { A::openmp(params, floats); });
  }
  static void cuda(const Params& params, const DeviceRun& run) {
    if (!sixteen_bit::is_converted(run.in.shape)) return A::cuda(params, run);
    using namespace sixteen_bit;
    const auto in = take_picture<DeviceOut>(*run.scratch, as_floats(run.in.shape));
    to_floats(run, in);
    DeviceRun floats = run;
    floats.in = in;
    if (!is_converted(run.out.shape)) return A::cuda(params, floats);
    const auto out = take_picture<DeviceOut>(*run.scratch, as_floats(run.out.shape));
    floats.out = {.linear = out, .surface = 0, .shape = out.shape};
    A::cuda(params, floats);
    from_floats(out, run);
  }

 private:
  /// Calls compute_floats with `run`, or with a run of floats if its input is converted.
  template <class Compute>
  static void compute(const HostRun& run, const Compute& compute_floats) {
    if (!sixteen_bit::is_converted(run.in.shape)) return compute_floats(run);
    using namespace sixteen_bit;
    const auto in = take_picture<HostOut>(*run.scratch, as_floats(run.in.shape));
    to_floats(run.in, in, run.threads);
    HostRun floats = run;
    floats.in = in;
    if (!is_converted(run.out.shape)) return compute_floats(floats);
    const auto out = take_picture<HostOut>(*run.scratch, as_floats(run.out.shape));
    floats.out = out;
    compute_floats(floats);
    from_floats(out, run.out, run.threads);
  }
};

}  // namespace threadscape
