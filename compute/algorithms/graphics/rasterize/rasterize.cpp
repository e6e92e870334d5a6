#include "compute/algorithms/graphics/rasterize/rasterize.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "compute/algorithms/graphics/rasterize/rasterize_camera.h"
#include "compute/algorithms/graphics/rasterize/rasterize_environment_map.h"
#include "compute/algorithms/graphics/rasterize/rasterize_matrix.h"
#include "compute/algorithms/graphics/rasterize/rasterize_memory.h"
#include "compute/algorithms/graphics/rasterize/rasterize_shade.h"
#include "compute/algorithms/graphics/rasterize/rasterize_stages.h"
#include "compute/registry/algorithm_info.h"

namespace threadscape {

using rasterize::Output;
using rasterize::Plan;

std::string Rasterize::Params::problem() const {
  if (model.size() != 16)
    return "model has " + std::to_string(model.size()) + " numbers: a matrix of 4 rows of 4 numbers is accepted";
  if (near_plane > 0.0f && far_plane > 0.0f && near_plane >= far_plane)
    return "near is not less than far: the near plane is between the camera and the far plane";
  if (std::string wrong = rasterize::view_problem(view_matrix); !wrong.empty()) return wrong;
  return rasterize::projection_problem(projection_matrix);
}

Plan Rasterize::plan(const Params& params, const HostIn& input, const rasterize::EnvironmentMap* map) {
  const MeshView mesh(input);
  const MeshHeader& header = mesh.header();
  Plan plan;
  plan.width = params.width;
  plan.height = params.height;
  plan.vertices = header.vertices;
  plan.triangles = header.triangles;
  plan.camera = rasterize::make_camera(params, header.low, header.high);
  plan.light = rasterize::light_direction(params);
  plan.visibility = params.visibility;
  plan.shading = params.shading;
  plan.lighting = params.lighting;
  plan.projection = rasterize::projection_of(params);
  plan.culling = params.culling;
  plan.filter = params.filter;
  plan.wrap = params.wrap;
  plan.blend = params.blend;
  plan.order = params.order;
  plan.blend_factor = params.blend_factor;
  plan.min_opacity = params.min_opacity;
  // Doubled areas are in units of 1/65536 pixel.
  plan.min_doubled_area = static_cast<std::int64_t>(std::ceil(static_cast<double>(params.min_area) * 2.0 * 65536.0));
  plan.depth_bits = params.depth_bits;
  plan.clip_lines = params.clip_lines;
  plan.interpolation = params.interpolation;
  plan.depth_test = params.depth_test;
  plan.occlusion = params.occlusion;
  plan.output = params.output;
  plan.wireframe = params.wireframe;
  plan.guard_band = params.guard_band;
  plan.emission = params.emission;
  plan.ambient = params.ambient;
  plan.diffuse = params.diffuse;
  plan.specular = params.specular;
  plan.textures = params.textures && header.texcoords_at != 0 && header.textures != 0;
  plan.one_material = header.triangle_materials_at == 0 || header.materials == 1;
  for (std::uint32_t i = 0; i < header.materials; ++i)
    plan.transparent = plan.transparent || rasterize::is_transparent(mesh.material(i));
  const std::uint32_t grey = rasterize::byte_of(params.background);
  plan.background = grey | grey << 8 | grey << 16 | 0xff000000u;
  plan.environment = rasterize::environment_of(params, map);
  return plan;
}

std::shared_ptr<const Preparation> Rasterize::prepare(const Params& params, const HostIn& input, std::uint64_t,
                                                      std::uint64_t, const std::stop_token&, Progress*) {
  auto prepared = std::make_shared<rasterize::Prepared>();
  prepared->environment = rasterize::environment_map(params);
  prepared->plan = plan(params, input, prepared->environment.get());
  prepared->complete(params.division, MeshView(input));
  return prepared;
}

Shape Rasterize::output_shape(const Params& params, const Shape& input) {
  constexpr auto fewest_words = static_cast<std::int64_t>((sizeof(MeshHeader) + sizeof(MeshMaterial)) / 4);
  if (input.kind != Kind::mesh || input.element != Element::u32 || input.width < fewest_words)
    throw UsageError("rasterize takes a mesh of at least " + std::to_string(fewest_words) + " words, not " +
                     to_string(input));
  return params.output == Output::picture ? Shape::image(Element::u8, 4, params.width, params.height)
                                          : Shape::image(Element::f32, 1, params.width, params.height);
}

void Rasterize::check_input(const Params& params, const HostIn& input) {
  check_mesh(input);
  constexpr std::uint64_t most = std::uint64_t{1} << 31;
  const std::uint64_t triangles = MeshView(input).triangles();
  if (triangles << (2 * params.division) > most)
    throw UsageError("division makes " + std::to_string(triangles << (2 * params.division)) + " parts of " +
                     std::to_string(triangles) + " triangles; up to " + std::to_string(most) + " are accepted");
}

Shape Rasterize::input_shape(const Params& params) {
  return builtin_mesh_shape(params.mesh, params.subdivision);
}

HostArray Rasterize::make_input(const Params& params, std::uint64_t) {
  return make_builtin_mesh(params.mesh, params.subdivision);
}

bool Rasterize::same_input(const Params& a, const Params& b) {
  return a.mesh == b.mesh && a.subdivision == b.subdivision;
}

std::size_t Rasterize::scratch_bytes(const Params& params, const Shape& input, Backend backend, int variant) {
  return rasterize::scratch_bytes(params, input, backend, variant);
}

std::string Rasterize::report(const Params& params, const HostIn& input, const HostIn& result) {
  const MeshView mesh(input);
  const MeshHeader& header = mesh.header();
  char text[300];
  int length = std::snprintf(text, sizeof text, "%u triangle%s, %u vertices", header.triangles,
                             header.triangles == 1 ? "" : "s", header.vertices);
  if (params.division > 0)
    length += std::snprintf(text + length, sizeof text - static_cast<std::size_t>(length), ", each divided into %d",
                            1 << (2 * params.division));
  if (params.output == Output::overdraw) {
    const auto counts = result.image<float>();
    double sum = 0;
    float most = 0;
    for (int y = 0; y < counts.height; ++y)
      for (int x = 0; x < counts.width; ++x) {
        sum += static_cast<double>(counts(x, y));
        most = std::max(most, counts(x, y));
      }
    length += std::snprintf(text + length, sizeof text - static_cast<std::size_t>(length),
                            ", %.0f fragments, at most %.0f on a pixel", sum, static_cast<double>(most));
  }
  if (const Plan drawn = plan(params, input); rasterize::tests_objects(drawn)) {
    const rasterize::Counters counters = rasterize::count_work(drawn, mesh);
    length += std::snprintf(text + length, sizeof text - static_cast<std::size_t>(length),
                            ", %llu of %llu objects are hidden, with %llu triangles",
                            static_cast<unsigned long long>(counters.hidden_objects),
                            static_cast<unsigned long long>(counters.objects),
                            static_cast<unsigned long long>(counters.hidden_triangles));
  }
  return std::string(text, static_cast<std::size_t>(length)) + "\n";
}

AlgorithmInfo describe_rasterize() {
  return describe<Rasterize>("rasterize");
}

}  // namespace threadscape
