#pragma once
// What a run of the rasteriser draws and how: the choices of the user, and the camera as matrices. All backends take
// the same plan, which is made on the host, so no sine or tangent is computed twice.

#include "compute/kernel/mesh_view.h"

namespace threadscape::rasterize {

/// How the nearest surface of a pixel is found. All but painter make the same picture: painter sorts whole triangles by
/// their farthest point, so it errs where triangles overlap in depth. depth_sort tests the order after that, exchanges
/// triangles, and splits those that overlap cyclically.
enum class Visibility : int { z_buffer, painter, scan_line, warnock, depth_sort };
/// Where lighting is computed: nowhere (constant), once per triangle, at vertices (Gouraud 1971), or at every pixel
/// with an interpolated normal (Phong 1975).
enum class Shading : int { constant, flat, gouraud, phong };
/// What a highlight depends on: the angle between the eye and the reflected ray (Phong 1975), or between the normal and
/// the vector halfway between the eye and the light (Blinn 1977).
enum class Lighting : int { phong, blinn_phong };
enum class Projection : int { perspective, orthographic };
enum class Culling : int { none, back, front };
/// nearest and bilinear read level 0; mipmapped reads the nearest level bilinearly, trilinear mixes two levels.
enum class Filter : int { nearest, bilinear, mipmapped, trilinear };
enum class Wrap : int { clamp, repeat, mirror };
enum class Blend : int { over, additive, multiply };
/// The order in which transparent fragments are blended: that of the mesh, whole triangles from far to near by their
/// farthest point, or the fragments of each pixel from far to near, or from near to far.
enum class Order : int { given, sorted, peeled, front_to_back };
enum class DepthBits : int { float32, fixed24, fixed16, fixed8, fixed4 };
enum class ClipLines : int { cohen_sutherland, liang_barsky, plain };
enum class Interpolation : int { perspective, affine };
/// When a fragment is tested: before or after it gets its colour, or before that in blocks (rasterize_blocks.h).
enum class DepthTest : int { early, late, hierarchical };
/// Built-in pictures of what is around the mesh.
enum class Surroundings : int { none, sky, room };
enum class Output : int { picture, depth, overdraw };

/// A matrix of 4 x 4 values, row by row, that multiplies column vectors from the left.
struct Matrix {
  float m[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
};

/// The camera as matrices. clip = projection * view * model is the one that vertices are multiplied with.
struct Camera {
  Matrix model, view, projection, clip;
  float normal[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};  ///< Inverse transpose of the upper left 3 x 3 of `model`, by rows.
  Float3 eye;                                     ///< In world space; unused if the projection is orthographic.
  Float3 towards_eye;                             ///< Unit vector from the scene to the eye, if it is orthographic.
};

/// What surrounds the mesh, and how the mesh shows it (rasterize_environment.h). A map has six faces of a cube as it is
/// seen from its centre, in the order of OpenGL: east, west, up, down, south, north (+x, -x, +y, -y, +z, -z). A face
/// has (side + 2)^2 texels, row by row, red in the lowest byte: its border of one texel continues it in its plane, so
/// that a filter of two by two texels meets no seam.
struct Environment {
  const std::uint32_t* texels = nullptr;  ///< In the memory of the backend; null if there is no map.
  int side = 0;
  std::uint64_t version = 0;  ///< Differs for each map that this process makes.
  float reflection = 0.0f, refraction = 0.0f;
  float eta = 1.0f;       ///< 1 / index of refraction.
  float straight = 0.0f;  ///< The share of light that is reflected straight back, by Fresnel's formulas.
  bool fresnel = false;
};

/// The arguments of a run. Kernels take it by value.
struct Plan {
  int width = 1, height = 1;
  std::uint32_t vertices = 0, triangles = 0;  ///< Parts of triangles if these are divided.
  int division = 0;                           ///< Levels of division (rasterize_division.h).
  Camera camera;
  Float3 light{0, 0, 1};  ///< Unit vector towards the light, in world space.
  Visibility visibility = Visibility::z_buffer;
  Shading shading = Shading::phong;
  Lighting lighting = Lighting::blinn_phong;
  Projection projection = Projection::perspective;
  Culling culling = Culling::back;
  Filter filter = Filter::trilinear;
  Wrap wrap = Wrap::repeat;
  Blend blend = Blend::over;
  Order order = Order::peeled;
  DepthBits depth_bits = DepthBits::float32;
  ClipLines clip_lines = ClipLines::cohen_sutherland;
  Interpolation interpolation = Interpolation::perspective;
  DepthTest depth_test = DepthTest::early;
  Output output = Output::picture;
  float blend_factor = 1.0f;  ///< Of the opacity of what is blended.
  float min_opacity = 0.0f;   ///< Triangles of a material with less opacity are left out.
  /// Triangles with a smaller doubled area (doubled_area()) are left out, unless they are clipped.
  std::int64_t min_doubled_area = 0;
  bool occlusion = false;  ///< Leave out objects that are hidden as a whole (rasterize_objects.h).
  bool wireframe = false;
  bool guard_band = true;  ///< Clip against the sides of the view only what reaches beyond twice its size.
  bool emission = true, ambient = true, diffuse = true, specular = true;
  bool textures = true;
  bool transparent = false;  ///< Some material of the mesh is transparent.
  bool one_material = true;  ///< All triangles have material 0, so the light at vertices can be computed once.
  std::uint32_t background = 0xff000000u;  ///< RGBA8, red in the lowest byte.
  Environment environment;
};

/// Returns true if the surroundings are seen in the mesh.
TS_HD inline bool shows_environment(const Plan& plan) {
  return plan.environment.texels != nullptr;
}

/// Returns true if opaque fragments get their colour before the depth test.
[[nodiscard]] TS_HD inline bool shades_first(const Plan& plan) {
  return plan.depth_test == DepthTest::late && plan.output == Output::picture && !plan.wireframe &&
         (plan.visibility == Visibility::z_buffer || plan.visibility == Visibility::painter);
}

}  // namespace threadscape::rasterize
