#pragma once
// What the tests of the rasteriser share: small meshes, views of them, and runs on a backend.

#include <gtest/gtest.h>

#include <cstdint>

#include "compute/algorithms/graphics/rasterize/rasterize.h"
#include "compute/core/mesh_builder.h"
#include "compute/registry/registry.h"
#include "compute/run/runner.h"
#include "compute/run/verify.h"

namespace threadscape::rasterize_testing {

using Params = Rasterize::Params;

/// A picture of a built-in mesh.
inline Params picture_of(MeshShape mesh, int subdivision, int width, int height) {
  Params params;
  params.mesh = mesh;
  params.subdivision = subdivision;
  params.width = width;
  params.height = height;
  return params;
}

/// Small pictures without perspective, seen from +z: x is to the right and y is up.
inline Params front_view(int width, int height) {
  Params params;
  params.width = width;
  params.height = height;
  params.projection = rasterize::Projection::orthographic;
  params.azimuth = 180.0f;
  params.elevation = 0.0f;
  params.shading = rasterize::Shading::constant;
  return params;
}

inline HostArray run(const Params& params, const HostArray& mesh, Backend backend = Backend::serial, int variant = 0) {
  Runner runner;
  const RunRequest request{.algorithm = &find_algorithm("rasterize"),
                           .params = ParamBox::of(params),
                           .backend = backend,
                           .variant = variant};
  return runner.run(request, mesh.view()).output;
}

inline ::testing::AssertionResult same(const HostArray& a, const HostArray& b) {
  const auto mismatch = compare(a.view(), b.view(), Tolerance::exact());
  if (!mismatch) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << to_string(*mismatch);
}

inline std::uint32_t add(MeshBuilder& builder, float x, float y, float z = 0.0f) {
  return builder.add_vertex({.position = {x, y, z}, .normal = {0, 0, 1}, .texcoord = {}});
}

/// A square from (-1, -1) to (1, 1) at depth z, whose texture coordinates are 0..1. All positions are multiplied by
/// `scale`.
inline void add_square(MeshBuilder& builder, float z, std::uint32_t material, float scale = 1.0f) {
  builder.use_texcoords();
  std::uint32_t v[4];
  for (unsigned i = 0; i < 4; ++i) {
    const float x = i == 1 || i == 2 ? 1.0f : -1.0f, y = i >= 2 ? 1.0f : -1.0f;
    v[i] = builder.add_vertex(
        {.position = {x * scale, y * scale, z * scale}, .normal = {0, 0, 1}, .texcoord = {(x + 1) / 2, (y + 1) / 2}});
  }
  builder.add_triangle(v[0], v[1], v[2], material);
  builder.add_triangle(v[0], v[2], v[3], material);
}

inline MeshMaterial plain(Float3 colour, float opacity = 1.0f) {
  MeshMaterial material;
  material.diffuse = colour;
  material.opacity = opacity;
  return material;
}

}  // namespace threadscape::rasterize_testing
