#pragma once
// Border::crop: results only where the whole mask lies inside of the picture, so that the result is smaller than the
// input by the radius of the mask on each side.
//
//     . . . . . .       A mask of 3 x 3 has radius 1: a picture of 6 x 4 pixels gives a result of 4 x 2.
//     . r r r r .
//     . r r r r .
//     . . . . . .
//
// Filters compute the whole picture into scratch memory, with zeros outside and by the same code as for other borders,
// and then copy its inner part. So the result is to the bit the inner part of that of every other border.

#include <string>
#include <string_view>

#include "compute/core/border.h"
#include "compute/core/errors.h"
#include "compute/core/run.h"

namespace threadscape {

/// The rows of the picture in scratch memory start at multiples of so many bytes, as those of arrays on the GPU do.
inline constexpr std::size_t crop_row_alignment = 256;

/// The shape of the result of a filter with a mask of this radius: smaller than `input` for Border::crop. Throws
/// UsageError if no pixel is left then.
[[nodiscard]] inline Shape cropped_shape(std::string_view algorithm, const Shape& input, Border border, int radius) {
  if (border != Border::crop) return input;
  const int size = 2 * radius + 1;
  if (input.width < size || input.height < size) {
    const std::string side = std::to_string(size);
    throw UsageError(std::string(algorithm) + ": border=crop leaves nothing of " + to_string(input) +
                     ", because the mask has " + side + " x " + side +
                     " pixels; take a larger picture, a smaller mask or another border, such as shrink");
  }
  Shape shape = input;
  shape.width -= 2 * radius;
  shape.height -= 2 * radius;
  return shape;
}

/// Bytes of scratch memory that with_crop() takes itself, on every backend.
[[nodiscard]] inline std::size_t crop_bytes(const Shape& input, Border border) {
  return border == Border::crop ? HostScratch::padded(array_bytes(input, crop_row_alignment)) : 0;
}

/// The part of a picture that is smaller by `radius` pixels on each side.
template <class View>
[[nodiscard]] View inner_part(const View& whole, const Shape& part, int radius) {
  const auto distance = static_cast<std::size_t>(radius);
  return {whole.data + distance * (whole.pitch + part.pixel_bytes()), part, whole.pitch};
}

/// Copies a picture to the sink of a run; crop_cuda.cu.
void copy_to_sink(const DeviceIn& from, const DeviceRun& run);

/// Calls compute(plan, run); for Border::crop, with zeros outside and a picture in scratch memory, whose inner part is
/// then copied to where the run writes. Plans have a member `border`.
template <class Plan, class Compute>
void with_crop(const Plan& plan, int radius, const HostRun& run, const Compute& compute) {
  if (plan.border != Border::crop) return compute(plan, run);
  const Shape& input = run.in.shape;
  Plan zeros = plan;
  zeros.border = Border::zero;
  HostRun whole = run;
  whole.out = {run.scratch->take<std::byte>(array_bytes(input, crop_row_alignment)).data(), input,
               row_bytes(input, crop_row_alignment)};
  compute(zeros, whole);
  if (!run.stop.stop_requested()) copy(inner_part<HostIn>(whole.out, run.out.shape, radius), run.out);
}
template <class Plan, class Compute>
void with_crop(const Plan& plan, int radius, const DeviceRun& run, const Compute& compute) {
  if (plan.border != Border::crop) return compute(plan, run);
  const Shape& input = run.in.shape;
  Plan zeros = plan;
  zeros.border = Border::zero;
  DeviceRun whole = run;
  whole.out = {.linear = {run.scratch->take<std::byte>(array_bytes(input, crop_row_alignment)).data(), input,
                          row_bytes(input, crop_row_alignment)},
               .surface = 0,
               .shape = input};
  compute(zeros, whole);
  copy_to_sink(inner_part<DeviceIn>(whole.out.linear, run.out.shape, radius), run);
}

}  // namespace threadscape
