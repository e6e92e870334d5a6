// The volume scene in space: object, source, detector, rays. The unit of length is the longest side of the object.

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>

#include "app/scenes/volume/volume_scene.h"

namespace threadscape::app {

namespace {

using render::SpaceScenery;
using render::VolumeStyle;

glm::vec4 faded(ImU32 packed, float alpha) {
  const ImVec4 colour = ImGui::ColorConvertU32ToFloat4(packed);
  return {colour.x, colour.y, colour.z, alpha};
}

constexpr std::size_t max_marks = 90;   ///< Maximum number of views for which each position of the source is marked.
constexpr std::size_t arc_pieces = 64;  ///< Number of line segments of the path of the source.

/// The point at `part` in [0, 1] of the path around the z axis from a to b, which are less than half a turn apart.
glm::vec3 between(glm::vec3 a, glm::vec3 b, float part) {
  const float from = std::atan2(a.y, a.x);
  const float turn = std::remainder(std::atan2(b.y, b.x) - from, glm::two_pi<float>());
  const float radius = glm::mix(glm::length(glm::vec2(a)), glm::length(glm::vec2(b)), part);
  const float at = from + turn * part;
  return {radius * std::cos(at), radius * std::sin(at), glm::mix(a.z, b.z, part)};
}

}  // namespace

glm::vec3 VolumeScene::half_sides() const {
  glm::dvec3 sides{1.0};
  if (scanner_) {
    sides = {static_cast<double>(scanner_->voxels_x) * scanner_->voxel.x,
             static_cast<double>(scanner_->voxels_y) * scanner_->voxel.y,
             static_cast<double>(scanner_->voxels_z) * scanner_->voxel.z};
  } else if (object_.texture != nullptr) {
    const glm::ivec3 size = object_.texture->size();
    sides = {size.x, size.z, size.y};
  }
  return glm::vec3(0.5 * sides / std::max({sides.x, sides.y, sides.z}));
}

glm::vec3 VolumeScene::in_space(const ScannerDiagram::Point& p) const {
  if (!scanner_) return glm::vec3(glm::dvec3(p.x, p.y, p.z));
  const double longest = std::max({static_cast<double>(scanner_->voxels_x) * scanner_->voxel.x,
                                   static_cast<double>(scanner_->voxels_y) * scanner_->voxel.y,
                                   static_cast<double>(scanner_->voxels_z) * scanner_->voxel.z});
  return glm::vec3(glm::dvec3(p.x, p.y, p.z) / longest);
}

render::OrbitCamera VolumeScene::camera(glm::ivec2 size) const {
  const VolumeView& v = look();
  render::OrbitCamera camera{v.azimuth, v.elevation, v.distance, {v.target_x, v.target_y, v.target_z}, v.fov};
  if (v.distance > 0.0f) return camera;
  std::vector<glm::vec3> points;
  const glm::vec3 half = half_sides();
  for (int corner = 0; corner < 8; ++corner)
    points.push_back(half * glm::vec3(corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1));
  if (scanner_ && displayed() == VolumeShow::scene)
    // All views are in sight, so that the camera does not move while the views are played.
    for (std::size_t i = 0; i < scanner_->views.size(); i += std::max<std::size_t>(1, scanner_->views.size() / 64)) {
      const ScannerDiagram::View& view = scanner_->views[i];
      if (!scanner_->parallel) points.push_back(in_space(view.source));
      const glm::vec3 corner = in_space(view.corner);
      const glm::vec3 along = in_space(view.column) * static_cast<float>(scanner_->columns);
      const glm::vec3 up = in_space(view.row) * static_cast<float>(scanner_->rows);
      for (const glm::vec3& at : {corner, corner + along, corner + up, corner + along + up})
        points.push_back(at);
    }
  camera.distance = 8.0f;
  camera.fit(points, size);
  return camera;
}

void VolumeScene::add_slices(SpaceScenery& scenery) const {
  const float x = place_of(Cut::x), y = place_of(Cut::y), z = place_of(Cut::z);
  const glm::vec3 low = scenery.volume.low, side = scenery.volume.high - low;
  const render::VolumeTone tone = object_tone();
  const gl::VolumeTexture* voxels = object_.texture;
  scenery.planes.push_back({voxels,
                            low + glm::vec3(0, 0, z * side.z),
                            {side.x, 0, 0},
                            {0, side.y, 0},
                            {{0, z, 0}, {1, 0, 0}, {0, 0, 1}},
                            tone});
  scenery.planes.push_back({voxels,
                            low + glm::vec3(0, y * side.y, 0),
                            {side.x, 0, 0},
                            {0, 0, side.z},
                            {{0, 0, y}, {1, 0, 0}, {0, 1, 0}},
                            tone});
  scenery.planes.push_back({voxels,
                            low + glm::vec3(x * side.x, 0, 0),
                            {0, side.y, 0},
                            {0, 0, side.z},
                            {{x, 0, 0}, {0, 0, 1}, {0, 1, 0}},
                            tone});
}

/// Adds source, detector, the beam between them, and their paths around the object.
void VolumeScene::add_scanner(SpaceScenery& scenery, float unit) const {
  const auto number = static_cast<std::size_t>(view());
  if (number >= scanner_->views.size() || views_.texture == nullptr) return;
  const ScannerDiagram::View& view = scanner_->views[number];
  const glm::vec3 source = in_space(view.source), first = in_space(view.corner);
  const glm::vec3 column = in_space(view.column), row_step = in_space(view.row);
  const float wide = static_cast<float>(scanner_->columns), high = static_cast<float>(scanner_->rows);
  const glm::vec3 corner = first - 0.5f * (column + row_step);
  const glm::vec3 across = column * wide, up = row_step * high;
  const auto start_of = [&](glm::vec3 pixel) { return scanner_->parallel ? source + (pixel - first) : source; };

  const float layer = (static_cast<float>(number) + 0.5f) / static_cast<float>(std::max(view_count(), 1));
  // If the camera is behind the detector, the detector is slightly transparent.
  const bool front = glm::dot(scenery.camera.eye() - corner, source - corner) > 0.0f;
  scenery.planes.push_back(
      {views_.texture, corner, across, up, {{0, 0, layer}, {1, 0, 0}, {0, 1, 0}}, views_tone(), front ? 1.0f : 0.85f});
  const float thin = std::max(1.0f, 0.08f * unit);
  const auto line = [&](glm::vec3 a, glm::vec3 b, glm::vec4 colour, float width) {
    scenery.lines.push_back({a, b, colour, width, false});
  };
  const std::array<glm::vec3, 4> corners{corner, corner + across, corner + across + up, corner + up};
  for (std::size_t i = 0; i < 4; ++i) {
    line(corners[i], corners[(i + 1) % 4], faded(ink(), 0.85f), 1.4f * thin);
    line(start_of(corners[i]), corners[i], faded(warning_ink(), 0.45f), thin);
  }
  const int rays = look().rays;
  for (int j = 0; j < rays; ++j)
    for (int i = 0; i < rays; ++i) {
      const glm::vec2 at = (glm::vec2(i, j) + 0.5f) / static_cast<float>(rays);
      const glm::vec3 pixel = corner + at.x * across + at.y * up;
      line(start_of(pixel), pixel, faded(warning_ink(), 0.16f), thin);
    }
  if (rows() > 1) {
    const glm::vec3 at = first + row_step * static_cast<float>(row()) - 0.5f * column;
    line(at, at + across, faded(accent_ink(), 0.95f), 1.6f * thin);
  }

  // Draws the paths of the source and of the detector's centre.
  const std::size_t count = scanner_->views.size();
  const auto middle_of = [&](const ScannerDiagram::View& v) {
    return in_space(v.corner) + 0.5f * (in_space(v.column) * (wide - 1) + in_space(v.row) * (high - 1));
  };
  if (!scanner_->parallel) {
    const std::size_t pieces = count > 1 ? std::max<std::size_t>(1, arc_pieces / (count - 1)) : 0;
    const std::size_t step = std::max<std::size_t>(1, (count - 1) / arc_pieces);
    for (std::size_t i = 0; i + step < count; i += step) {
      const ScannerDiagram::View &a = scanner_->views[i], &b = scanner_->views[i + step];
      for (std::size_t piece = 0; piece < pieces; ++piece) {
        const float p = static_cast<float>(piece) / static_cast<float>(pieces);
        const float q = static_cast<float>(piece + 1) / static_cast<float>(pieces);
        const auto arc = [&](glm::vec3 u, glm::vec3 v, float alpha) {
          line(between(u, v, p), between(u, v, q), faded(muted_ink(), alpha), thin);
        };
        arc(in_space(a.source), in_space(b.source), 0.5f);
        arc(middle_of(a), middle_of(b), 0.28f);
      }
    }
    if (count <= max_marks)
      for (const ScannerDiagram::View& v : scanner_->views) {
        const glm::vec3 at = in_space(v.source);
        line(at, at, faded(muted_ink(), 0.9f), 0.32f * unit);
      }
    scenery.lines.push_back({source, source, faded(warning_ink(), 0.55f), 3.2f * unit, true});
    line(source, source, faded(warning_ink(), 1.0f), 0.7f * unit);
  }
}

/// Adds the chosen ray, with its pieces in the object coloured by the values of the voxels.
void VolumeScene::add_ray(SpaceScenery& scenery, float unit) const {
  if (!ray_) return;
  const float thin = std::max(1.2f, 0.1f * unit);
  scenery.lines.push_back({in_space(ray_->from), in_space(ray_->to), faded(good_ink(), 0.95f), thin, false});
  const glm::vec3 target = in_space(ray_->to);
  scenery.lines.push_back({target, target, faded(good_ink(), 1.0f), 0.6f * unit, false});
  if (ray_->pieces.empty()) return;
  const glm::vec3 in = in_space(ray_->in), out = in_space(ray_->out);
  double all = 0.0, max_value = 1e-30, travelled = 0.0;
  for (const RayDiagram::Piece& piece : ray_->pieces) {
    all += piece.length;
    max_value = std::max(max_value, std::abs(piece.value));
  }
  for (const RayDiagram::Piece& piece : ray_->pieces) {
    const glm::vec3 a = glm::mix(in, out, static_cast<float>(travelled / all));
    travelled += piece.length;
    const glm::vec3 b = glm::mix(in, out, static_cast<float>(travelled / all));
    const auto part = static_cast<float>(std::abs(piece.value) / max_value);
    if (part > 0.0f)
      scenery.lines.push_back(
          {a, b, faded(map_colour(0.35f + 0.65f * part), 1.0f), (1.5f + 1.5f * part) * thin, false});
  }
}

SpaceScenery VolumeScene::scenery(glm::ivec2 size, float unit, int divisor) {
  const VolumeView& v = look();
  const ImVec4 canvas = canvas_colour();
  SpaceScenery scenery;
  scenery.camera = camera(size);
  scenery.background = {canvas.x, canvas.y, canvas.z, 1.0f};
  scenery.samples = v.samples;
  const glm::vec3 half = half_sides();
  render::SpaceVolume& volume = scenery.volume;
  volume.low = -half;
  volume.high = half;
  volume.voxels = object_.texture;
  volume.range = object_.texture != nullptr ? &object_.range : nullptr;
  volume.tone = object_tone();
  volume.density = v.density;
  volume.surfaces = v.surfaces;
  volume.quality = v.quality;
  volume.style = displayed() == VolumeShow::slices ? VolumeStyle::slices : v.volume;
  if (object_.texture != nullptr && volume.style == VolumeStyle::slices) add_slices(scenery);

  const float thin = std::max(1.0f, 0.07f * unit);
  for (int axis = 0; axis < 3; ++axis)
    for (int edge = 0; edge < 4; ++edge) {
      glm::vec3 a = half;
      a[(axis + 1) % 3] *= edge & 1 ? 1.0f : -1.0f;
      a[(axis + 2) % 3] *= edge & 2 ? 1.0f : -1.0f;
      glm::vec3 b = a;
      a[axis] *= -1.0f;
      scenery.lines.push_back({a, b, faded(muted_ink(), 0.6f), thin, false});
    }
  if (scanner_ && displayed() == VolumeShow::scene) {
    add_scanner(scenery, unit);
    add_ray(scenery, unit);
  }
  // Lines narrower than a pixel are drawn fainter, so that a picture of fewer pixels is as bright as a complete one.
  for (render::SpaceLine& line : scenery.lines)
    line.width /= static_cast<float>(divisor);
  return scenery;
}

std::optional<glm::ivec2> VolumeScene::detector_pixel(const Pane& pane, glm::vec2 mouse) const {
  const auto number = static_cast<std::size_t>(view());
  if (!scanner_ || views_.texture == nullptr || number >= scanner_->views.size()) return {};
  const ScannerDiagram::View& view = scanner_->views[number];
  const glm::vec3 column = in_space(view.column), row_step = in_space(view.row);
  const render::OrbitCamera eye = camera(pane.rect.size);
  const glm::vec3 direction = eye.through(mouse - glm::vec2(pane.rect.corner), pane.rect.size);
  const glm::vec3 normal = glm::cross(column, row_step), to = in_space(view.corner) - eye.eye();
  const float far = glm::dot(to, normal) / glm::dot(direction, normal);
  if (!(far > 0.0f)) return {};
  const glm::vec3 at = far * direction - to;
  const glm::ivec2 pixel{std::lround(glm::dot(at, column) / glm::dot(column, column)),
                         std::lround(glm::dot(at, row_step) / glm::dot(row_step, row_step))};
  const bool inside = pixel.x >= 0 && pixel.y >= 0 && pixel.x < columns() && pixel.y < rows();
  return inside ? std::optional(pixel) : std::nullopt;
}

int VolumeScene::divisor_of(glm::ivec2 size) {
  if (!quick_) return 1;
  const PacedBy now{.texture = object_.id, .version = object_.version, .size = size, .show = show_, .view = look()};
  const bool other = !paced_by_ || paced_by_->texture != now.texture;
  const auto change = other              ? RayPace::Change::contents
                      : paced_by_ != now ? RayPace::Change::looks
                                         : RayPace::Change::nothing;
  paced_by_ = now;
  return pace_.next(size, change);
}

void VolumeScene::draw_space(const Pane& pane, const gl::Framebuffer& target, ViewCanvas& canvas, float unit) {
  const int divisor = divisor_of(pane.rect.size);
  const glm::ivec2 size = RayPace::divided(pane.rect.size, divisor);
  if (space_target_.id() == 0 || space_target_.width() != size.x || space_target_.height() != size.y)
    space_target_ = gl::Framebuffer(size.x, size.y);
  const SpaceScenery scene = scenery(size, unit, divisor);
  // Software OpenGL draws in threads of its own: without waiting for them before and after, the time would be that of
  // the calls.
  if (quick_) glFinish();
  const double begin = clock_ms_();
  space_.draw(scene, space_target_);
  if (quick_) {
    glFinish();
    pace_.measured(clock_ms_() - begin, std::int64_t{size.x} * size.y);
  }
  const int bottom = target.height() - pane.rect.corner.y - pane.rect.size.y;
  glBlitNamedFramebuffer(space_target_.id(), target.id(), 0, 0, size.x, size.y, pane.rect.corner.x, bottom,
                         pane.rect.corner.x + pane.rect.size.x, bottom + pane.rect.size.y, GL_COLOR_BUFFER_BIT,
                         divisor > 1 ? GL_LINEAR : GL_NEAREST);

  const float x = static_cast<float>(pane.rect.corner.x) + unit, y = static_cast<float>(pane.rect.corner.y);
  const float bottom_y = y + static_cast<float>(pane.rect.size.y);
  const glm::vec2 scale = glm::vec2(pane.rect.size) / glm::vec2(size);
  const auto write = [&](glm::vec3 at, std::string_view text, ImU32 colour, glm::vec2 shift) {
    const glm::vec3 p = scene.camera.project(at, size);
    if (p.z <= 0) return;
    const ImVec2 place{static_cast<float>(pane.rect.corner.x) + p.x * scale.x + shift.x * unit,
                       y + p.y * scale.y + shift.y * unit};
    canvas.text(place, text, 0.85f * unit, colour, Align::centre);
  };
  // The axes are named at the far ends of the edges that meet in the box's low corner.
  const glm::vec3 low = scene.volume.low, high = scene.volume.high;
  const float out = 0.07f;
  write({high.x + out, low.y, low.z}, "x", muted_ink(), {});
  write({low.x, high.y + out, low.z}, "y", muted_ink(), {});
  write({low.x, low.y, high.z + out}, "z", muted_ink(), {});

  const int wide = static_cast<int>(std::min(14.0f * unit, 0.4f * static_cast<float>(pane.rect.size.x)));
  const render::ViewRect scale_at{{static_cast<int>(x), static_cast<int>(bottom_y - 2.4f * unit)},
                                  {wide, static_cast<int>(0.7f * unit)}};
  if (displayed() != VolumeShow::scene) return draw_scale(scale_at, object_tone(), target, canvas, unit);
  if (scanner_ && views_.texture != nullptr) {
    std::string title = "view " + std::to_string(view() + 1) + " of " + std::to_string(view_count());
    if (const auto degrees = angle(view())) {
      std::array<char, 32> text{};
      std::snprintf(text.data(), text.size(), "   %.5g deg", *degrees);
      title += text.data();
    }
    canvas.text({x, y + 1.3f * unit}, title, 1.05f * unit, ink());
    const std::string voxels = std::to_string(scanner_->voxels_x) + " x " + std::to_string(scanner_->voxels_y) + " x " +
                               std::to_string(scanner_->voxels_z) + " voxels, " + std::to_string(scanner_->columns) +
                               " x " + std::to_string(scanner_->rows) + " pixels";
    canvas.text({x, y + 2.7f * unit}, voxels, 0.85f * unit, muted_ink());
    const std::size_t number = static_cast<std::size_t>(view());
    if (!scanner_->parallel && number < scanner_->views.size())
      write(in_space(scanner_->views[number].source), "source", muted_ink(), {0.0f, 1.4f});
  }
  const bool of_object = views_.texture == nullptr;
  draw_scale(scale_at, of_object ? object_tone() : views_tone(), target, canvas, unit);
}

}  // namespace threadscape::app
