// The stages of the pipeline that are shown in space: object, world, camera and clip space.

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_inverse.hpp>
#include <glm/mat4x4.hpp>

#include "app/scenes/flat_pane.h"
#include "app/scenes/pipeline/pipeline_scene.h"

namespace threadscape::app {

namespace {

using rasterize::Fate;

/// More triangles than this are thinned out, because the canvas is for outlines and not for pictures.
constexpr std::size_t max_drawn = 24000;
/// Corners closer to the plane of the camera than this have no place in the divided clip space.
constexpr float least_w = 1e-4f;
/// The divided coordinates of corners behind a plane grow without limit; farther ones are not drawn.
constexpr float widest = 5.0f;

/// From coordinates in which y is up to those of OrbitCamera, in which z is up.
glm::vec3 upright(const glm::vec3& p) {
  return {p.x, -p.z, p.y};
}

glm::vec3 vector_of(const Float3& v) {
  return {v.x, v.y, v.z};
}

glm::mat4 matrix_of(const rasterize::Matrix& rows) {
  glm::mat4 matrix;
  for (int row = 0; row < 4; ++row)
    for (int column = 0; column < 4; ++column)
      matrix[column][row] = rows.m[4 * row + column];
  return matrix;
}

ImU32 shaded(ImU32 colour, float light) {
  const ImVec4 c = ImGui::ColorConvertU32ToFloat4(colour);
  const float l = 0.35f + 0.65f * light;
  return ImGui::ColorConvertFloat4ToU32({c.x * l, c.y * l, c.z * l, c.w});
}

ImVec2 flat(const glm::vec3& p) {
  return {p.x, p.y};
}

/// A triangle on its way to the canvas.
struct Face {
  std::array<glm::vec3, 3> corner;
  float depth = 0.0f;
  ImU32 fill = 0, edge = 0;
};

void line_between(ImDrawList& list, const render::OrbitCamera& camera, glm::ivec2 size, const glm::vec3& a,
                  const glm::vec3& b, ImU32 colour, float weight) {
  const glm::vec3 p = camera.project(upright(a), size), q = camera.project(upright(b), size);
  if (p.z > 0.0f && q.z > 0.0f) list.AddLine(flat(p), flat(q), colour, weight);
}

/// Adds the corners of the view volume to the points that are to be in sight. Corners much farther away than `points`
/// are left out, so that a distant far plane does not make the mesh a dot.
void add_near_corners(const std::array<glm::vec3, 8>& corners, std::vector<glm::vec3>& points) {
  glm::vec3 middle{0.0f};
  for (const glm::vec3& point : points)
    middle += point / static_cast<float>(points.size());
  float reach = 0.0f;
  for (const glm::vec3& point : points)
    reach = std::max(reach, glm::distance(point, middle));
  for (const glm::vec3& corner : corners)
    if (glm::distance(upright(corner), middle) <= 3.0f * reach) points.push_back(upright(corner));
}

}  // namespace

std::optional<glm::vec3> PipelineScene::vertex_in_stage(std::uint32_t vertex) const {
  const Float3 object = frame().mesh().position(vertex);
  switch (show_) {
    case PipelineShow::object:
      return vector_of(object);
    case PipelineShow::world:
      return vector_of(rasterize::transform_point(plan().camera.model, object));
    case PipelineShow::camera:
      return vector_of(
          rasterize::transform_point(plan().camera.view, rasterize::transform_point(plan().camera.model, object)));
    default: {
      const rasterize::ClipVertex v = rasterize::transform(plan().camera.clip, object);
      if (!(v.w > least_w)) return {};
      // In clip space the camera looks along +z; it is mirrored so that the cube is seen as in camera space.
      const glm::vec3 p{v.x / v.w, v.y / v.w, -v.z / v.w};
      if (std::max({std::fabs(p.x), std::fabs(p.y), std::fabs(p.z)}) > widest) return {};
      return p;
    }
  }
}

glm::vec3 PipelineScene::in_stage(const rasterize::PolygonVertex& corner, std::uint32_t) const {
  const float w = std::max(corner.at.w, least_w);
  return {corner.at.x / w, corner.at.y / w, -corner.at.z / w};
}

render::OrbitCamera PipelineScene::spectator(glm::ivec2 size) const {
  std::vector<glm::vec3> points;
  if (show_ == PipelineShow::clip) {
    for (int i = 0; i < 8; ++i)
      points.emplace_back(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1);
  } else {
    const MeshHeader& header = frame().mesh().header();
    const glm::vec3 low = vector_of(header.low), high = vector_of(header.high);
    for (int i = 0; i < 8; ++i) {
      const Float3 corner{i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z};
      Float3 p = corner;
      if (show_ != PipelineShow::object) p = rasterize::transform_point(plan().camera.model, p);
      if (show_ == PipelineShow::camera) p = rasterize::transform_point(plan().camera.view, p);
      points.push_back(upright(vector_of(p)));
    }
    if (show_ == PipelineShow::world && plan().projection == rasterize::Projection::perspective)
      points.push_back(upright(vector_of(plan().camera.eye)));
    if (show_ == PipelineShow::camera) {
      const float length = axis_length();
      points.insert(points.end(), {glm::vec3(0.0f), upright({length, 0, 0}), upright({0, 0, length})});
    }
    if (show_ != PipelineShow::object) add_near_corners(view_volume(), points);
  }
  render::OrbitCamera camera{look().azimuth, look().elevation, 8.0f, glm::vec3(0.0f), 32.0f};
  camera.fit(points, size);
  camera.distance *= 1.15f / look().zoom;
  return camera;
}

void PipelineScene::draw_triangles(ViewCanvas& canvas, const render::OrbitCamera& camera, glm::ivec2 size) {
  const MeshView& mesh = frame().mesh();
  const bool clip = show_ == PipelineShow::clip;
  std::vector<Face> faces;
  const std::size_t step = (mesh.triangles() + max_drawn - 1) / max_drawn;
  const ImU32 front = accent_ink(), back = muted_ink();
  const auto add = [&](const std::array<glm::vec3, 3>& p, bool selected, Fate fate) {
    Face face;
    for (std::size_t i = 0; i < 3; ++i) {
      face.corner[i] = camera.project(upright(p[i]), size);
      if (!(face.corner[i].z > 0.0f)) return;
      face.depth += face.corner[i].z;
    }
    const glm::vec3 normal = glm::cross(p[1] - p[0], p[2] - p[0]);
    const float length = glm::length(normal);
    const glm::vec3 eye = {camera.forward().x, camera.forward().z, -camera.forward().y};
    const float facing = length > 0.0f ? std::fabs(glm::dot(normal, eye)) / length : 0.0f;
    const ImU32 colour = selected ? warning_ink() : fate == Fate::drawn ? front : back;
    face.fill = shaded(colour, facing);
    face.edge = selected ? ink() : (shaded(colour, 0.0f) & 0x00ffffffu) | 0x60000000u;
    faces.push_back(face);
  };
  for (std::uint32_t t = 0; t < mesh.triangles(); t += static_cast<std::uint32_t>(step)) {
    const rasterize::TriangleStages& stages = frame().triangles()[t];
    const bool selected = t == triangle();
    if (clip) {
      if (stages.fate == Fate::outside || stages.fate == Fate::not_finite) continue;
      for (int k = 1; k + 1 < stages.polygon.count; ++k)
        add({in_stage(stages.polygon.corner[0], t), in_stage(stages.polygon.corner[k], t),
             in_stage(stages.polygon.corner[k + 1], t)},
            selected, stages.fate);
      continue;
    }
    std::array<glm::vec3, 3> p;
    for (int i = 0; i < 3; ++i)
      p[static_cast<std::size_t>(i)] = *vertex_in_stage(mesh.corner(t, i));
    add(p, selected, stages.fate);
  }
  std::ranges::sort(faces, [](const Face& a, const Face& b) { return a.depth > b.depth; });
  ImDrawList& list = canvas.list();
  for (const Face& face : faces) {
    const ImVec2 a = flat(face.corner[0]), b = flat(face.corner[1]), c = flat(face.corner[2]);
    if (look().faces) list.AddTriangleFilled(a, b, c, face.fill);
    // Single lines, because the corners of an outline of a sliver would be long spikes.
    const ImU32 edge = look().faces ? face.edge : face.fill;
    list.AddLine(a, b, edge, 1.0f);
    list.AddLine(b, c, edge, 1.0f);
    list.AddLine(c, a, edge, 1.0f);
  }
}

void PipelineScene::draw_cut_away(ViewCanvas& canvas, const render::OrbitCamera& camera, glm::ivec2 size) const {
  const MeshView& mesh = frame().mesh();
  for (std::uint32_t t = 0; t < mesh.triangles(); ++t) {
    const rasterize::TriangleStages& stages = frame().triangles()[t];
    if (!stages.clipped && stages.fate != Fate::outside) continue;
    const ImU32 colour = stages.fate == Fate::outside ? (warning_ink() & 0x00ffffffu) | 0x80000000u : warning_ink();
    for (int i = 0; i < 3; ++i) {
      const auto a = vertex_in_stage(mesh.corner(t, i)), b = vertex_in_stage(mesh.corner(t, (i + 1) % 3));
      if (a && b) line_between(canvas.list(), camera, size, *a, *b, colour, 1.5f);
    }
  }
}

std::array<glm::vec3, 8> PipelineScene::view_volume() const {
  glm::mat4 to_stage{1.0f};
  if (show_ == PipelineShow::world)
    to_stage = glm::inverse(matrix_of(plan().camera.projection) * matrix_of(plan().camera.view));
  if (show_ == PipelineShow::camera) to_stage = glm::inverse(matrix_of(plan().camera.projection));
  std::array<glm::vec3, 8> corners;
  for (std::size_t i = 0; i < 8; ++i) {
    const glm::vec4 p = to_stage * glm::vec4(i & 1 ? 1.0f : -1.0f, i & 2 ? 1.0f : -1.0f, i & 4 ? 1.0f : -1.0f, 1.0f);
    corners[i] = glm::vec3(p) / p.w;
    if (show_ == PipelineShow::clip) corners[i].z = -corners[i].z;
  }
  return corners;
}

void PipelineScene::draw_frustum(ViewCanvas& canvas, const render::OrbitCamera& camera, glm::ivec2 size) const {
  if (show_ == PipelineShow::object) return;
  const std::array<glm::vec3, 8> corners = view_volume();
  for (std::size_t i = 0; i < 8; ++i)
    for (const std::size_t bit : {1u, 2u, 4u})
      if ((i & bit) == 0) line_between(canvas.list(), camera, size, corners[i], corners[i | bit], ink(), 1.5f);
  if (show_ == PipelineShow::clip || plan().projection == rasterize::Projection::orthographic) return;
  const glm::vec3 eye = show_ == PipelineShow::world ? vector_of(plan().camera.eye) : glm::vec3(0.0f);
  for (std::size_t i = 0; i < 4; ++i)
    line_between(canvas.list(), camera, size, eye, corners[i], muted_ink(), 1.0f);
}

float PipelineScene::axis_length() const {
  if (show_ == PipelineShow::clip) return 1.3f;
  const MeshHeader& header = frame().mesh().header();
  return 0.6f * glm::distance(vector_of(header.low), vector_of(header.high));
}

void PipelineScene::draw_axes(ViewCanvas& canvas, const render::OrbitCamera& camera, glm::ivec2 size,
                              float unit) const {
  const MeshHeader& header = frame().mesh().header();
  const float length = axis_length();
  constexpr std::array<ImU32, 3> colours{IM_COL32(226, 84, 72, 255), IM_COL32(84, 178, 88, 255),
                                         IM_COL32(72, 132, 226, 255)};
  constexpr std::array<const char*, 3> names{"x", "y", "z"};
  for (int axis = 0; axis < 3; ++axis) {
    glm::vec3 end{0.0f};
    end[axis] = show_ == PipelineShow::clip && axis == 2 ? -length : length;
    const glm::vec3 from = camera.project(glm::vec3(0.0f), size), to = camera.project(upright(end), size);
    if (!(from.z > 0.0f) || !(to.z > 0.0f)) continue;
    const ImU32 colour = colours[static_cast<std::size_t>(axis)];
    canvas.arrow(flat(from), flat(to), colour, 2.0f, 0.5f * unit);
    canvas.text({to.x, to.y - 0.6f * unit}, names[static_cast<std::size_t>(axis)], unit, colour, Align::centre);
  }
  if (show_ != PipelineShow::world) return;
  // The light is directional: an arrow from where it comes to the middle of the mesh.
  const Float3 middle{0.5f * (header.low.x + header.high.x), 0.5f * (header.low.y + header.high.y),
                      0.5f * (header.low.z + header.high.z)};
  const glm::vec3 target = vector_of(rasterize::transform_point(plan().camera.model, middle));
  const glm::vec3 a = camera.project(upright(target + 1.1f * length * vector_of(plan().light)), size);
  const glm::vec3 b = camera.project(upright(target + 0.7f * length * vector_of(plan().light)), size);
  if (!(a.z > 0.0f) || !(b.z > 0.0f)) return;
  canvas.arrow(flat(a), flat(b), warning_ink(), 2.0f, 0.6f * unit);
  canvas.text({a.x, a.y - 0.7f * unit}, "light", unit * 0.9f, warning_ink(), Align::centre);
}

void PipelineScene::draw_vertex(ViewCanvas& canvas, const render::OrbitCamera& camera, glm::ivec2 size,
                                float unit) const {
  const std::uint32_t vertex = frame().mesh().corner(triangle(), look().corner);
  const auto place = vertex_in_stage(vertex);
  if (!place) return;
  const glm::vec3 at = camera.project(upright(*place), size);
  if (!(at.z > 0.0f)) return;
  canvas.list().AddCircleFilled(flat(at), 0.28f * unit, ink());
  canvas.list().AddCircleFilled(flat(at), 0.18f * unit, warning_ink());
  glm::vec3 shown = *place;
  if (show_ == PipelineShow::clip) shown.z = -shown.z;
  canvas.label({at.x + 0.6f * unit, at.y - 0.9f * unit},
               format_text("vertex %u: %.3f, %.3f, %.3f", vertex, static_cast<double>(shown.x),
                           static_cast<double>(shown.y), static_cast<double>(shown.z)),
               0.9f * unit, ink());
}

void PipelineScene::draw_space(ViewCanvas& canvas, glm::ivec2 size) {
  const float unit = std::max(11.0f, static_cast<float>(std::min(size.x, size.y)) / 42.0f);
  const render::OrbitCamera camera = spectator(size);
  draw_axes(canvas, camera, size, unit);
  draw_triangles(canvas, camera, size);
  if (show_ == PipelineShow::clip) draw_cut_away(canvas, camera, size);
  draw_frustum(canvas, camera, size);
  draw_vertex(canvas, camera, size, unit);
}

void PipelineScene::pick_vertex(glm::vec2 at) {
  if (!followed()) return;
  const render::OrbitCamera camera = spectator(size_);
  const MeshView& mesh = frame().mesh();
  constexpr float reach = 14.0f;  // pixels
  float nearest = 0.0f;
  bool found = false;
  for (std::uint32_t t = 0; t < mesh.triangles(); ++t)
    for (int i = 0; i < 3; ++i) {
      const auto place = vertex_in_stage(mesh.corner(t, i));
      if (!place) continue;
      const glm::vec3 p = camera.project(upright(*place), size_);
      if (!(p.z > 0.0f) || glm::distance(glm::vec2(p), at) > reach || (found && p.z >= nearest)) continue;
      found = true;
      nearest = p.z;
      look().triangle = static_cast<int>(t);
      look().corner = i;
    }
}

}  // namespace threadscape::app
