#pragma once
// Edges by 3x3 masks of differences; gradient_derivatives.h has larger ones. The algorithms sobel, prewitt and scharr
// are plans for this engine and differ in two weights, side and centre:
//
//   gx, changes to the right        gy, changes downwards            the eight directions of the mask (compass)
//     -side     0   side              -side   -centre  -side           5  6  7
//     -centre   0   centre             0       0        0              4  .  0
//     -side     0   side               side    centre   side           3  2  1
//
// In 8-bit pictures everything but the root of the l2 norm is integer arithmetic. In float pictures every product and
// sum is rounded once, in the order written here.

#include <cmath>
#include <cstdint>
#include <string_view>
#include <tuple>

#include "compute/core/backend.h"
#include "compute/core/border.h"
#include "compute/core/device_run.h"
#include "compute/core/fields.h"
#include "compute/core/variant.h"
#include "compute/engines/planes/edge_output.h"

namespace threadscape::gradient {

inline constexpr int radius = 1;  ///< Radius of the windows in pixels.

/// The weights of a mask, which is applied as correlation (not mirrored).
template <int side_, int centre_>
struct Mask {
  static constexpr int side = side_, centre = centre_;
};
using SobelMask = Mask<1, 2>;
using PrewittMask = Mask<1, 1>;
using ScharrMask = Mask<3, 10>;

/// The result of Directions::two. l1: |gx| + |gy|. l2: the root of gx^2 + gy^2. x, y: gx or gy alone, with its sign.
enum class Norm : int { l1, l2, x, y };
/// two: gx and gy, combined by Norm. eight: the maximum of the responses in all eight directions.
enum class Directions : int { two, eight };
/// What becomes of the result: absolute, clamp and offset are those of Output. direction: the index of the direction
/// with the maximum response, as a grey level (direction_level()). angle: the direction of the gradient (gx, gy) as a
/// float, see gradient_derivatives.h.
enum class Result : int { absolute, clamp, offset, direction, angle };

struct Params {
  Norm norm = Norm::l1;
  Border border = Border::mirror;
  Channels channels = Channels::each;
  Directions directions = Directions::two;
  Result output = Result::absolute;

  static constexpr std::array<std::string_view, 4> norm_names{"l1", "l2", "x", "y"};
  static constexpr std::array<std::string_view, 2> directions_names{"two", "eight"};
  static constexpr std::array<std::string_view, 5> result_names{"absolute", "clamp", "offset", "direction", "angle"};

  /// The fields of P, which is this struct or one derived from it.
  template <class P>
  static auto fields_of() {
    return std::tuple{
        EnumField<P, Norm>{"norm", &P::norm, norm_names, "|gx| + |gy|, the root of gx^2 + gy^2, or gx or gy alone"},
        EnumField<P, Directions>{"directions", &P::directions, directions_names,
                                 "right and down, by norm; or the largest of the mask turned in eight directions"},
        EnumField<P, Result>{
            "output", &P::output, result_names,
            "absolute values, negative ones at 0, moved up by 128 of 255; the direction of the edge, from 31 (brighter "
            "to the right) clockwise in steps of 32, 0 without an edge; or its angle in turns, clockwise from the "
            "right, "
            "as a float from 0 to 1"},
        EnumField<P, Border>{"border", &P::border, border_names, "what lies outside the picture"},
        EnumField<P, Channels>{"channels", &P::channels, channels_names,
                               "each colour by itself, or the luma for all three"}};
  }
  static auto fields() { return fields_of<Params>(); }
  bool operator==(const Params&) const = default;
};

/// The parameters of a run, passed to kernels by value.
struct Plan {
  int side = 1, centre = 2;
  Norm norm = Norm::l1;
  Directions directions = Directions::two;
  Result output = Result::absolute;
  Border border = Border::mirror;
  Channels channels = Channels::each;

  /// Returns whether the result is the strength of an edge, |gx| + |gy| or the root of gx^2 + gy^2: all that the fast
  /// kernels compute.
  [[nodiscard]] bool plain() const {
    return directions == Directions::two && norm <= Norm::l2 && output <= Result::clamp;
  }
};
/// The plan for a run with the mask M.
template <class M>
[[nodiscard]] constexpr Plan plan_of(const Params& p) {
  return {M::side, M::centre, p.norm, p.directions, p.output, p.border, p.channels};
}

/// Throws std::logic_error, with what is wrong, unless all backends compute the plan: the fast ones know three masks,
/// and angles have an engine of their own (gradient_derivatives.h). serial(), openmp() and cuda() call it.
void check(const Plan& plan);

/// The strength of an edge in an 8-bit picture, saturated to 0..255: |gx| + |gy|, or the root of gx^2 + gy^2 rounded to
/// nearest.
///
/// The root is never half-way between integers: (k + 1/2)^2 is a quarter away from any integer, so for k <= 255 the
/// root of an integer is at least 0.25 / 512 away from k + 1/2. Any root with a relative error below 2^-20 rounds the
/// same. Squares from 2^24 on are not exact in float, but their roots are far above 255.
TS_HD inline std::uint8_t strength(int gx, int gy, Norm norm) {
  const int x = gx < 0 ? -gx : gx, y = gy < 0 ? -gy : gy;
  if (norm == Norm::l1) return static_cast<std::uint8_t>(x + y > 255 ? 255 : x + y);
  const float root = sqrtf(static_cast<float>(x * x + y * y)) + 0.5f;
  return static_cast<std::uint8_t>(root > 255.0f ? 255.0f : root);
}
/// The strength of an edge in a float picture.
TS_HD inline float strength(float gx, float gy, Norm norm) {
  return norm == Norm::l1 ? __builtin_fabsf(gx) + __builtin_fabsf(gy) : sqrtf(gx * gx + gy * gy);
}

/// Responses of the mask rotated clockwise by 0, 45, 90 and 135 degrees; those of the other four directions are the
/// same with a minus sign. result[0] is gx, result[2] is gy.
template <class Sum>
struct CompassResponses {
  Sum result[4];
};
/// The responses at a pixel; value(dx, dy) returns its neighbour at that offset as a Sum.
template <class Sum, class Value>
TS_HD CompassResponses<Sum> compass_responses(const Plan& plan, const Value& value) {
  const Sum side = static_cast<Sum>(plan.side), centre = static_cast<Sum>(plan.centre);
  // Differences across the pixel: the right, lower right, lower and lower left neighbour less the opposite one.
  const Sum d0 = value(1, 0) - value(-1, 0), d1 = value(1, 1) - value(-1, -1);
  const Sum d2 = value(0, 1) - value(0, -1), d3 = value(-1, 1) - value(1, -1);
  return {{centre * d0 + side * (d1 - d3), centre * d1 + side * (d2 + d0), centre * d2 + side * (d3 + d1),
           centre * d3 + side * (d2 - d0)}};
}

/// The grey level for direction `turn`, 0..7 clockwise from the right: 31, 63, ..., 255; in float pictures 1/8, ..., 1.
template <class Value>
TS_HD Value direction_level(int turn) {
  if constexpr (std::is_same_v<Value, float>)
    return static_cast<float>(turn + 1) * 0.125f;
  else
    return static_cast<Value>(32 * turn + 31);
}

/// The result for a pixel with these responses. Of directions with equal responses the first one wins.
template <class Value, class Sum>
TS_HD Value edge_of(const Plan& plan, const CompassResponses<Sum>& responses) {
  Sum largest = 0;
  int turn = -1;
  if (plan.directions == Directions::eight || plan.output == Result::direction)
    for (int i = 0; i < 8; ++i)
      if (const Sum result = i < 4 ? responses.result[i] : -responses.result[i - 4]; result > largest) {
        largest = result;
        turn = i;
      }
  if (plan.output == Result::direction) return turn < 0 ? Value{0} : direction_level<Value>(turn);
  Sum value = largest;
  if (plan.directions == Directions::two)
    value = plan.norm == Norm::x   ? responses.result[0]
            : plan.norm == Norm::y ? responses.result[2]
                                   : static_cast<Sum>(strength(responses.result[0], responses.result[2], plan.norm));
  return edge_pixel(value, static_cast<Output>(plan.output));
}

/// The shape of the result, which is that of the input. Throws UsageError, with the name of the algorithm, for inputs
/// other than 8-bit and float pictures.
[[nodiscard]] Shape output_shape(std::string_view algorithm, const Shape& input);

void serial(const Plan& plan, const HostRun& run);
/// Computes rows y0 .. y1 - 1 as the serial backend does.
void find_edges_of_rows(const Plan& plan, const HostRun& run, int y0, int y1);
void openmp(const Plan& plan, const HostRun& run);
void cuda(const Plan& plan, const DeviceRun& run);
inline constexpr std::array cuda_variants{
    Variant{"tiled", "every thread computes a patch of pixels from registers, two per instruction"},
    Variant{"global", "picture in global memory, one thread per pixel"},
    Variant{"shared", "tile with halo in shared memory"}};

}  // namespace threadscape::gradient
