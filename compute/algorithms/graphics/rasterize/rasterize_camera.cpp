// The matrices of the camera, computed in double on the host and rounded once.

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "compute/algorithms/graphics/rasterize/rasterize.h"
#include "compute/algorithms/graphics/rasterize/rasterize_camera.h"
#include "compute/algorithms/graphics/rasterize/rasterize_matrix.h"

namespace threadscape::rasterize {

namespace {

struct Vector {
  double x = 0, y = 0, z = 0;
};
Vector operator+(Vector a, Vector b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
Vector operator-(Vector a, Vector b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
Vector operator*(Vector a, double s) {
  return {a.x * s, a.y * s, a.z * s};
}
double dot(Vector a, Vector b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
Vector cross(Vector a, Vector b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
Vector unit(Vector v) {
  return v * (1.0 / std::sqrt(std::max(dot(v, v), 1e-300)));
}
Float3 rounded(Vector v) {
  return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}

Matrix rounded(const Matrix4& m) {
  Matrix result;
  for (std::size_t i = 0; i < 16; ++i)
    result.m[i] = static_cast<float>(m[i]);
  return result;
}

/// Unit vector towards a point in the sky: azimuth 0 is north (-z), 90 is east (x).
Vector direction(float azimuth, float elevation) {
  constexpr double degree = std::numbers::pi / 180.0;
  const double a = static_cast<double>(azimuth) * degree, e = static_cast<double>(elevation) * degree;
  return {std::sin(a) * std::cos(e), std::sin(e), -std::cos(a) * std::cos(e)};
}

using BoxCorners = std::array<Vector, 8>;

/// The corners of the box of the mesh after a matrix.
BoxCorners corners_after(const Matrix4& m, Float3 low, Float3 high) {
  BoxCorners corners;
  for (std::size_t i = 0; i < 8; ++i) {
    const auto x = static_cast<double>(i & 1 ? high.x : low.x), y = static_cast<double>(i & 2 ? high.y : low.y),
               z = static_cast<double>(i & 4 ? high.z : low.z);
    corners[i] = {m[0] * x + m[1] * y + m[2] * z + m[3], m[4] * x + m[5] * y + m[6] * z + m[7],
                  m[8] * x + m[9] * y + m[10] * z + m[11]};
  }
  return corners;
}

/// Directions of the camera in world space: to the right, up, and towards the eye.
struct Axes {
  Vector right, up, back;
};

/// The share of the view that a mesh fills if the camera is placed so that everything is in sight.
constexpr double fill = 0.92;

/// The distance from `target` at which all corners are in sight.
double fitting_distance(const BoxCorners& corners, const Axes& axes, Vector target, double half, double aspect,
                        bool orthographic) {
  double distance = 0;
  for (const Vector& corner : corners) {
    const Vector at = corner - target;
    const double across = std::max(std::abs(dot(at, axes.right)) / aspect, std::abs(dot(at, axes.up))) / (half * fill);
    distance = std::max(distance, orthographic ? across : across + dot(at, axes.back));
  }
  return distance;
}

/// The inverse transpose of the upper left 3 x 3 of a matrix, up to a positive factor.
void set_normal_matrix(const Matrix4& m, float* out) {
  const Vector r0{m[0], m[1], m[2]}, r1{m[4], m[5], m[6]}, r2{m[8], m[9], m[10]};
  const double determinant = dot(r0, cross(r1, r2)), sign = determinant < 0 ? -1.0 : 1.0;
  const std::array rows{cross(r1, r2), cross(r2, r0), cross(r0, r1)};
  double largest = 1e-300;
  for (const Vector& row : rows)
    largest = std::max({largest, std::abs(row.x), std::abs(row.y), std::abs(row.z)});
  for (std::size_t i = 0; i < 3; ++i) {
    const Float3 row = rounded(rows[i] * (sign / largest));
    out[3 * i] = row.x;
    out[3 * i + 1] = row.y;
    out[3 * i + 2] = row.z;
  }
}

Matrix4 perspective(double half, double aspect, double near, double far) {
  return {1 / (half * aspect),           0, 0, 0,  0, 1 / half, 0, 0, 0, 0, (far + near) / (near - far),
          2 * far * near / (near - far), 0, 0, -1, 0};
}
Matrix4 orthographic(double half_height, double aspect, double near, double far) {
  return {1 / (half_height * aspect),   0, 0, 0, 0, 1 / half_height, 0, 0, 0, 0, -2 / (far - near),
          -(far + near) / (far - near), 0, 0, 0, 1};
}

/// The matrix that a text states instead of `own`. Numbers that are those of `own` after rounding to floats stand for
/// `own` itself, so that stating the matrix of the camera changes nothing.
Matrix4 stated_matrix(const std::string& text, const Matrix4& own) {
  const auto stated = is_blank(text) ? std::nullopt : parse_matrix(text);
  if (!stated) return own;
  const Matrix nearest = rounded(own);
  for (std::size_t i = 0; i < 16; ++i)
    if (static_cast<double>(nearest.m[i]) != (*stated)[i]) return *stated;
  return own;
}

/// The range of the distances of the corners along the view.
struct DepthRange {
  double closest = 1e300, farthest = -1e300;
};
template <class Depth>
DepthRange depth_range(const BoxCorners& corners, const Depth& depth_of) {
  DepthRange range;
  for (const Vector& corner : corners) {
    const double depth = depth_of(corner);
    range.closest = std::min(range.closest, depth);
    range.farthest = std::max(range.farthest, depth);
  }
  return range;
}

/// Sets the eye, or the direction towards it, to where the lines of sight of the matrices meet.
void find_eye(const Matrix4& projection, const Matrix4& view, Camera& camera) {
  const auto centre = centre_of_projection(product(projection, view));
  const Vector at{centre[0], centre[1], centre[2]};
  if (is_parallel(projection))
    camera.towards_eye = rounded(unit(at) * -1.0);  // Depth grows along `at`.
  else
    camera.eye = rounded(at * (1.0 / centre[3]));
}

}  // namespace

Projection projection_of(const Rasterize::Params& params) {
  const auto stated = is_blank(params.projection_matrix) ? std::nullopt : parse_matrix(params.projection_matrix);
  if (!stated) return params.projection;
  return is_parallel(*stated) ? Projection::orthographic : Projection::perspective;
}

Float3 light_direction(const Rasterize::Params& params) {
  return rounded(direction(params.light_azimuth, params.light_elevation));
}

Camera make_camera(const Rasterize::Params& params, Float3 low, Float3 high) {
  Matrix4 model{};
  for (std::size_t i = 0; i < 16; ++i)
    model[i] = i < params.model.size() ? static_cast<double>(params.model[i]) : 0.0;
  // The camera is placed around the mesh as it is before `model`. If it followed the mesh, moving or scaling the mesh
  // by `model` would not change the picture.
  const Matrix4 unmoved{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  const BoxCorners framed = corners_after(unmoved, low, high), corners = corners_after(model, low, high);
  const Vector lowest = framed.front(), highest = framed.back();
  const Vector diagonal = highest - lowest;
  const double radius = std::max(0.5 * std::sqrt(dot(diagonal, diagonal)), 1e-6);
  const Vector target =
      (lowest + highest) * 0.5 + Vector{static_cast<double>(params.target_x), static_cast<double>(params.target_y),
                                        static_cast<double>(params.target_z)} *
                                     radius;
  Axes axes;
  axes.back = direction(params.azimuth, params.elevation);
  axes.right = unit(cross({0, 1, 0}, axes.back));
  axes.up = cross(axes.back, axes.right);

  const double half = std::tan(static_cast<double>(params.fov) * std::numbers::pi / 360.0);
  const double aspect = static_cast<double>(params.width) / params.height;
  const bool parallel = params.projection == Projection::orthographic;
  const double distance = params.distance > 0.0f
                              ? static_cast<double>(params.distance) * radius
                              : std::max(fitting_distance(framed, axes, target, half, aspect, parallel), 1e-6);
  const Vector eye = target + axes.back * distance;

  const auto row = [&](Vector v) { return std::array{v.x, v.y, v.z, -dot(v, eye)}; };
  const auto x = row(axes.right), y = row(axes.up), z = row(axes.back);
  const Matrix4 own_view{x[0], x[1], x[2], x[3], y[0], y[1], y[2], y[3], z[0], z[1], z[2], z[3], 0, 0, 0, 1};
  const Matrix4 view = stated_matrix(params.view_matrix, own_view);
  const bool viewed_as_set = view == own_view;
  const DepthRange range = depth_range(corners, [&](Vector v) {
    return viewed_as_set ? dot(eye - v, axes.back) : -(view[8] * v.x + view[9] * v.y + view[10] * v.z + view[11]);
  });
  const double margin = 0.01 * radius;
  // Inside of the box the near plane depends on the distance of the target, the scale of what is looked at.
  double near =
      parallel ? range.closest - margin : std::max(range.closest - margin, std::min(distance * 0.02, 0.01 * radius));
  if (params.near_plane > 0.0f) near = static_cast<double>(params.near_plane) * radius;
  double far = std::max(range.farthest, 0.0) + margin;
  if (params.far_plane > 0.0f) far = static_cast<double>(params.far_plane) * radius;
  far = std::max(far, near + margin);

  const Matrix4 own_projection =
      parallel ? orthographic(half * distance, aspect, near, far) : perspective(half, aspect, near, far);
  const Matrix4 projection = stated_matrix(params.projection_matrix, own_projection);
  Camera camera{.model = rounded(model),
                .view = rounded(view),
                .projection = rounded(projection),
                .clip = rounded(product(projection, product(view, model))),
                .eye = rounded(eye),
                .towards_eye = rounded(axes.back)};
  if (!viewed_as_set || projection != own_projection) find_eye(projection, view, camera);
  set_normal_matrix(model, camera.normal);
  return camera;
}

}  // namespace threadscape::rasterize
