#include "compute/core/mesh_teapot.h"

namespace threadscape {

namespace {

/// A control point of a surface of revolution: its quadrant has the control points (radius, 0), (radius, inner),
/// (inner, radius) and (0, radius) at this height.
struct Ring {
  double radius, inner, height;
};
using Profile = std::array<Ring, 4>;

constexpr std::array<Profile, 6> profiles{{
    // The rim, from inside to outside.
    {{{1.4, 0.784, 2.4}, {1.3375, 0.749, 2.53125}, {1.4375, 0.805, 2.53125}, {1.5, 0.84, 2.4}}},
    // The body.
    {{{1.5, 0.84, 2.4}, {1.75, 0.98, 1.875}, {2.0, 1.12, 1.35}, {2.0, 1.12, 0.9}}},
    {{{2.0, 1.12, 0.9}, {2.0, 1.12, 0.45}, {1.5, 0.84, 0.225}, {1.5, 0.84, 0.15}}},
    // The lid, from the top of its knob.
    {{{0.0, 0.0, 3.15}, {0.8, 0.45, 3.15}, {0.0, 0.0, 2.85}, {0.2, 0.112, 2.7}}},
    {{{0.2, 0.112, 2.7}, {0.4, 0.224, 2.55}, {1.3, 0.728, 2.55}, {1.3, 0.728, 2.4}}},
    // The bottom, which was added to Newell's 28 patches later.
    {{{1.5, 0.84, 0.15}, {1.5, 0.84, 0.075}, {1.425, 0.798, 0.0}, {0.0, 0.0, 0.0}}},
}};

/// Half of a patch of the handle or the spout: its rows lie in planes across the tube, and each goes from y = 0 over
/// two points at distance `half_width` from the plane y = 0 to y = 0 again.
struct TubeRow {
  double half_width;
  double x0, z0;  ///< The first two points: on the inner side of the handle, on the upper side of the spout.
  double x1, z1;  ///< The last two points.
};
using TubeHalf = std::array<TubeRow, 4>;

constexpr std::array<TubeHalf, 2> handle{{
    {{{0.3, -1.6, 2.025, -1.5, 2.25},
      {0.3, -2.3, 2.025, -2.5, 2.25},
      {0.3, -2.7, 2.025, -3.0, 2.25},
      {0.3, -2.7, 1.8, -3.0, 1.8}}},
    {{{0.3, -2.7, 1.8, -3.0, 1.8},
      {0.3, -2.7, 1.575, -3.0, 1.35},
      {0.3, -2.5, 1.125, -2.65, 0.9375},
      {0.3, -2.0, 0.9, -1.9, 0.6}}},
}};

constexpr std::array<TubeHalf, 2> spout{{
    {{{0.66, 1.7, 1.425, 1.7, 0.6},
      {0.66, 2.6, 1.425, 3.1, 0.825},
      {0.25, 2.3, 2.1, 2.4, 2.025},
      {0.25, 2.7, 2.4, 3.3, 2.4}}},
    {{{0.25, 2.7, 2.4, 3.3, 2.4},
      {0.25, 2.8, 2.475, 3.525, 2.49375},
      {0.15, 2.9, 2.475, 3.45, 2.5125},
      {0.15, 2.8, 2.4, 3.2, 2.4}}},
}};

BezierPatch quadrant_of(const Profile& profile, int quadrant) {
  BezierPatch patch;
  for (std::size_t row = 0; row < 4; ++row) {
    const Ring& ring = profile[row];
    const std::array<double, 4> along{ring.radius, ring.radius, ring.inner, 0.0};
    for (std::size_t i = 0; i < 4; ++i) {
      const double x = along[i], y = along[3 - i];
      const std::array<PatchPoint, 4> turned{
          {{x, y, ring.height}, {-y, x, ring.height}, {-x, -y, ring.height}, {y, -x, ring.height}}};
      patch[4 * row + i] = turned[static_cast<std::size_t>(quadrant)];
    }
  }
  return patch;
}

/// One half of a tube; `side` is 1 for the half with y > 0 and -1 for the other one. `reversed` turns the surface
/// inside out.
BezierPatch half_of(const TubeHalf& half, double side, bool reversed) {
  BezierPatch patch;
  for (std::size_t row = 0; row < 4; ++row) {
    const TubeRow& r = half[row];
    const std::array<PatchPoint, 4> points{
        {{r.x0, 0.0, r.z0}, {r.x0, side * r.half_width, r.z0}, {r.x1, side * r.half_width, r.z1}, {r.x1, 0.0, r.z1}}};
    for (std::size_t i = 0; i < 4; ++i)
      patch[4 * row + i] = points[reversed ? 3 - i : i];
  }
  return patch;
}

struct Basis {
  std::array<double, 4> value, slope;
};

/// The cubic Bernstein polynomials at t = step / steps. With step replaced by steps - step, the values are the same
/// bits in reverse order.
Basis bernstein(int step, int steps) {
  const double t = static_cast<double>(step) / steps, s = static_cast<double>(steps - step) / steps;
  return {{s * s * s, 3.0 * (s * s * t), 3.0 * (t * t * s), t * t * t},
          {-3.0 * s * s, 3.0 * s * s - 6.0 * (s * t), 6.0 * (s * t) - 3.0 * t * t, 3.0 * t * t}};
}

/// The sum of four terms, in an order that makes it equal to the bit if the terms are reversed.
double sum_of(const std::array<double, 4>& weights, double a, double b, double c, double d) {
  return (weights[0] * a + weights[3] * d) + (weights[1] * b + weights[2] * c);
}

PatchPoint blend(const std::array<double, 4>& weights, const PatchPoint& a, const PatchPoint& b, const PatchPoint& c,
                 const PatchPoint& d) {
  return {sum_of(weights, a.x, b.x, c.x, d.x), sum_of(weights, a.y, b.y, c.y, d.y),
          sum_of(weights, a.z, b.z, c.z, d.z)};
}

PatchPoint surface(const BezierPatch& p, const std::array<double, 4>& u, const std::array<double, 4>& v) {
  std::array<PatchPoint, 4> rows;
  for (std::size_t row = 0; row < 4; ++row)
    rows[row] = blend(u, p[4 * row], p[4 * row + 1], p[4 * row + 2], p[4 * row + 3]);
  return blend(v, rows[0], rows[1], rows[2], rows[3]);
}

}  // namespace

std::vector<BezierPatch> teapot_patches() {
  std::vector<BezierPatch> patches;
  patches.reserve(32);
  for (const Profile& profile : profiles)
    for (int quadrant = 0; quadrant < 4; ++quadrant)
      patches.push_back(quadrant_of(profile, quadrant));
  for (const TubeHalf& half : handle) {
    patches.push_back(half_of(half, 1.0, false));
    patches.push_back(half_of(half, -1.0, true));
  }
  for (const TubeHalf& half : spout) {
    patches.push_back(half_of(half, 1.0, false));
    patches.push_back(half_of(half, -1.0, true));
  }
  return patches;
}

PatchSample sample_patch(const BezierPatch& patch, int column, int row, int steps) {
  const Basis u = bernstein(column, steps), v = bernstein(row, steps);
  const PatchPoint along = surface(patch, u.slope, v.value), down = surface(patch, u.value, v.slope);
  // Downwards times counter-clockwise points away from the axis.
  return {
      surface(patch, u.value, v.value),
      {down.y * along.z - down.z * along.y, down.z * along.x - down.x * along.z, down.x * along.y - down.y * along.x}};
}

}  // namespace threadscape
