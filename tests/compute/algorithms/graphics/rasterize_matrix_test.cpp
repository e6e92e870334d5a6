// Tests of the matrices that the user states as numbers.

#include "compute/algorithms/graphics/rasterize/rasterize_matrix.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>

#include "compute/algorithms/graphics/rasterize/rasterize.h"
#include "compute/core/mesh_builder.h"
#include "compute/gpu/device.h"
#include "compute/registry/registry.h"
#include "compute/run/runner.h"
#include "compute/run/verify.h"

namespace threadscape {
namespace {

using rasterize::matrix_text;
using rasterize::Projection;
using RasterizeParams = Rasterize::Params;

HostArray run(const RasterizeParams& params, const HostArray& mesh, Backend backend = Backend::serial,
              int variant = 0) {
  Runner runner;
  return runner
      .run({.algorithm = &find_algorithm("rasterize"),
            .params = ParamBox::of(params),
            .backend = backend,
            .variant = variant},
           mesh.view())
      .output;
}

bool same(const HostArray& a, const HostArray& b) {
  return !compare(a.view(), b.view(), Tolerance::exact()).has_value();
}

RasterizeParams small_picture(Projection projection) {
  RasterizeParams params;
  params.mesh = MeshShape::teapot;
  params.width = 131;
  params.height = 97;
  params.projection = projection;
  return params;
}

/// A white square from (-1, -1) to (1, 1) in the plane z = 0, on a black ground.
HostArray square() {
  MeshBuilder builder;
  std::uint32_t v[4];
  for (unsigned i = 0; i < 4; ++i)
    v[i] = builder.add_vertex({.position = {i == 1 || i == 2 ? 1.0f : -1.0f, i >= 2 ? 1.0f : -1.0f, 0.0f},
                               .normal = {0, 0, 1},
                               .texcoord = {}});
  MeshMaterial white;
  white.diffuse = {1, 1, 1};
  const std::uint32_t material = builder.add_material(white);
  builder.add_triangle(v[0], v[1], v[2], material);
  builder.add_triangle(v[0], v[2], v[3], material);
  return builder.build();
}

RasterizeParams flat_picture() {
  RasterizeParams params;
  params.width = 64;
  params.height = 64;
  params.shading = rasterize::Shading::constant;
  params.background = 0.0f;
  params.view_matrix = "1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1";
  return params;
}

/// The pixels that are not black: the first and the last column and row, and their number.
struct Box {
  int x0 = 1 << 20, y0 = 1 << 20, x1 = -1, y1 = -1, count = 0;
  bool operator==(const Box&) const = default;
};
Box drawn(const HostArray& picture) {
  Box box;
  for (int y = 0; y < static_cast<int>(picture.shape().height); ++y)
    for (int x = 0; x < static_cast<int>(picture.shape().width); ++x) {
      if (picture.image<Rgba8>()(x, y).r == 0) continue;
      box = {std::min(box.x0, x), std::min(box.y0, y), std::max(box.x1, x), std::max(box.y1, y), box.count + 1};
    }
  return box;
}

TEST(RasterizeMatrixTest, StatingTheMatricesOfTheCameraChangesNoPictureOfAnyBackend) {
  for (const Projection projection : {Projection::perspective, Projection::orthographic}) {
    const RasterizeParams params = small_picture(projection);
    const HostArray mesh = Rasterize::make_input(params, 0);
    const HostArray plain = run(params, mesh);
    const rasterize::Plan plan = Rasterize::plan(params, mesh.view());
    RasterizeParams stated = params;
    stated.view_matrix = matrix_text(plan.camera.view);
    stated.projection_matrix = matrix_text(plan.camera.projection);
    ASSERT_EQ(stated.problem(), "");
    for (const Backend backend : {Backend::serial, Backend::openmp, Backend::cuda}) {
      if (backend == Backend::cuda && !gpu::devices().first().problem().empty()) continue;
      const auto variants = find_algorithm("rasterize").variants_of(backend);
      for (int variant = 0; variant < static_cast<int>(variants.size()); ++variant)
        EXPECT_TRUE(same(run(stated, mesh, backend, variant), plain)) << name_of(backend) << " " << variant;
    }
    // They stay what they are when the parameters that they replace change.
    stated.azimuth = 10.0f;
    stated.fov = 80.0f;
    const rasterize::Plan kept = Rasterize::plan(stated, mesh.view());
    EXPECT_EQ(matrix_text(kept.camera.view), matrix_text(plan.camera.view));
    EXPECT_EQ(matrix_text(kept.camera.projection), matrix_text(plan.camera.projection));
    EXPECT_EQ(kept.projection, projection);
  }
}

TEST(RasterizeMatrixTest, TheCameraStaysWhereItIsWhenTheMeshIsMoved) {
  RasterizeParams params = flat_picture();
  params.view_matrix.clear();
  params.azimuth = 180.0f;  // The camera looks along -z.
  params.elevation = 0.0f;
  params.projection = Projection::orthographic;
  const HostArray mesh = square();
  const Box still = drawn(run(params, mesh));
  const int side = still.x1 - still.x0 + 1;
  ASSERT_GT(side, 10);
  params.model[3] = 2.0f;  // The side of the square has the length 2.
  const Box moved = drawn(run(params, mesh));
  EXPECT_GE(moved.x0, still.x1);  // It begins where the square ended, rounded to whole pixels.
  EXPECT_LE(moved.x0, still.x1 + 2);
  params.model = {0.5f, 0, 0, 0, 0, 0.5f, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  const Box scaled = drawn(run(params, mesh));
  EXPECT_NEAR(scaled.x1 - scaled.x0 + 1, side / 2.0, 1.0);
}

TEST(RasterizeMatrixTest, OtherMatricesDrawTheSamePictureOnAllBackends) {
  RasterizeParams params = small_picture(Projection::perspective);
  const HostArray mesh = Rasterize::make_input(params, 0);
  const rasterize::Plan plan = Rasterize::plan(params, mesh.view());
  rasterize::Matrix view = plan.camera.view, projection = plan.camera.projection;
  view.m[3] += 0.3f;
  projection.m[2] = 0.25f;  // The centre of the view is not the centre of the picture.
  params.view_matrix = matrix_text(view);
  params.projection_matrix = matrix_text(projection);
  const HostArray moved = run(params, mesh);
  EXPECT_FALSE(same(moved, run(small_picture(Projection::perspective), mesh)));
  for (const Backend backend : {Backend::openmp, Backend::cuda}) {
    if (backend == Backend::cuda && !gpu::devices().first().problem().empty()) continue;
    const auto variants = find_algorithm("rasterize").variants_of(backend);
    for (int variant = 0; variant < static_cast<int>(variants.size()); ++variant)
      EXPECT_TRUE(same(run(params, mesh, backend, variant), moved)) << name_of(backend) << " " << variant;
  }
}

TEST(RasterizeMatrixTest, AParallelProjectionPutsASquareWhereItsNumbersSay) {
  const HostArray mesh = square();
  RasterizeParams params = flat_picture();
  // Half the size: -0.5..0.5 of the view, which are the columns and rows 16..47 of 64.
  params.projection_matrix = "0.5,0,0,0, 0,0.5,0,0, 0,0,-0.5,0, 0,0,0,1";
  ASSERT_EQ(params.problem(), "");
  EXPECT_EQ(drawn(run(params, mesh)), (Box{16, 16, 47, 47, 1024}));
  EXPECT_EQ(Rasterize::plan(params, mesh.view()).projection, Projection::orthographic);
  // A shift by 0.25 of the view to the right and 0.125 up: 8 columns and 4 rows.
  params.projection_matrix = "0.5,0,0,0.25, 0,0.5,0,0.125, 0,0,-0.5,0, 0,0,0,1";
  EXPECT_EQ(drawn(run(params, mesh)), (Box{24, 12, 55, 43, 1024}));
  // The view moves the world; 0.5 units of it are 0.25 of the view.
  params.view_matrix = "1,0,0,-0.5, 0,1,0,0, 0,0,1,0, 0,0,0,1";
  EXPECT_EQ(drawn(run(params, mesh)), (Box{16, 12, 47, 43, 1024}));
}

TEST(RasterizeMatrixTest, AFrustumAwayFromTheCentreIsThatOfTheSpecificationOfOpenGL) {
  const HostArray mesh = square();
  RasterizeParams params = flat_picture();
  // glFrustum(left -1, right 3, bottom -2, top 2, near 2, far 10), by the formulas of the specification.
  params.projection_matrix = "1,0,0.5,0, 0,1,0,0, 0,0,-1.5,-5, 0,0,-1,0";
  // The square is 4 in front of the camera, so that x = -1..1 is seen at -0.5..0.5 of the near plane, of which 64
  // pixels show -1..3: columns 8..23. y = -0.5..0.5 of -2..2: rows 24..39.
  params.view_matrix = "1,0,0,0, 0,1,0,0, 0,0,1,-4, 0,0,0,1";
  ASSERT_EQ(params.problem(), "");
  EXPECT_EQ(drawn(run(params, mesh)), (Box{8, 24, 23, 39, 256}));
  const rasterize::Plan plan = Rasterize::plan(params, mesh.view());
  EXPECT_EQ(plan.projection, Projection::perspective);
  EXPECT_EQ(plan.camera.eye.x, 0.0f);
  EXPECT_EQ(plan.camera.eye.y, 0.0f);
  EXPECT_EQ(plan.camera.eye.z, 4.0f);
}

TEST(RasterizeMatrixTest, TheDirectionToTheEyeOfAParallelProjectionIsAgainstItsDepth) {
  RasterizeParams params = flat_picture();
  // The camera looks along +x of the world: its z axis is -x.
  params.view_matrix = "0,0,1,0, 0,1,0,0, -1,0,0,0, 0,0,0,1";
  params.projection_matrix = "0.5,0,0,0, 0,0.5,0,0, 0,0,-0.5,0, 0,0,0,1";
  const rasterize::Plan plan = Rasterize::plan(params, square().view());
  EXPECT_EQ(plan.projection, Projection::orthographic);
  EXPECT_EQ(plan.camera.towards_eye.x, -1.0f);
  EXPECT_EQ(plan.camera.towards_eye.y, 0.0f);
  EXPECT_EQ(plan.camera.towards_eye.z, 0.0f);
}

TEST(RasterizeMatrixTest, MatricesThatAreNoneAreRefusedWithTheReason) {
  struct Case {
    std::string text, view, projection;
  };
  const std::string unit = "1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1";
  for (const Case& c : {
           Case{"", "", ""},
           Case{" \t", "", ""},
           Case{unit, "", ""},
           Case{"1,2,3", "has 3 numbers", "has 3 numbers"},
           Case{"1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,one", "is no list of numbers", "is no list of numbers"},
           Case{unit + ",", "is no list of numbers", "is no list of numbers"},
           Case{"1,0,0,0,0,nan,0,0,0,0,1,0,0,0,0,1", "not finite in row 2, column 2", "not finite in row 2, column 2"},
           Case{"1,0,0,inf,0,1,0,0,0,0,1,0,0,0,0,1", "not finite in row 1, column 4", "not finite in row 1, column 4"},
           Case{"1,0,0,0,0,1,0,0,0,0,0,0,0,0,0,1", "is singular", "is singular"},
           Case{"1,2,3,0,2,4,6,0,0,0,1,0,0,0,0,1", "is singular", "is singular"},
           Case{"0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0", "last row", "is singular"},
           Case{"1,0,0,0,0,1,0,0,0,0,-1.5,-5,0,0,-1,0", "last row", ""},
           // A far camera is not singular, however long its last column is.
           Case{"1,0,0,1e6,0,1,0,-3e6,0,0,1,2e6,0,0,0,1", "", ""},
           Case{"1e-4,0,0,0,0,1e-4,0,0,0,0,1e-4,0,0,0,0,1", "", ""},
       }) {
    RasterizeParams params;
    params.view_matrix = c.text;
    const std::string view = params.problem();
    EXPECT_EQ(view.empty(), c.view.empty()) << c.text << ": " << view;
    EXPECT_NE(view.find(c.view), std::string::npos) << c.text << ": " << view;
    if (!view.empty()) {
      EXPECT_EQ(view.rfind("view_matrix ", 0), 0u) << view;
    }
    params = {};
    params.projection_matrix = c.text;
    const std::string projection = params.problem();
    EXPECT_EQ(projection.empty(), c.projection.empty()) << c.text << ": " << projection;
    EXPECT_NE(projection.find(c.projection), std::string::npos) << c.text << ": " << projection;
    if (!projection.empty()) {
      EXPECT_EQ(projection.rfind("projection_matrix ", 0), 0u) << projection;
    }
  }
}

}  // namespace
}  // namespace threadscape
