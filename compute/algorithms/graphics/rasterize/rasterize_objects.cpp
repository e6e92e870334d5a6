#include "compute/algorithms/graphics/rasterize/rasterize_objects.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace threadscape::rasterize {

namespace {

std::vector<MeshObject> connected_runs(const MeshView& mesh) {
  std::vector<MeshObject> runs;
  std::vector<std::uint32_t> run_of(mesh.vertices(), 0);  // The last run with this vertex, counted from 1.
  for (std::uint32_t triangle = 0; triangle < mesh.triangles(); ++triangle) {
    bool connected = false;
    for (int i = 0; i < 3; ++i)
      connected = connected || (!runs.empty() && run_of[mesh.corner(triangle, i)] == runs.size());
    if (!connected) runs.push_back({triangle, triangle});
    runs.back().end = triangle + 1;
    for (int i = 0; i < 3; ++i)
      run_of[mesh.corner(triangle, i)] = static_cast<std::uint32_t>(runs.size());
  }
  return runs;
}

/// The z of the nearest corner of the object's box in clip space. It decides the order of drawing alone.
float nearest_corner(const Plan& plan, const MeshView& mesh, const MeshObject& object) {
  Float3 low = mesh.position(mesh.corner(object.first, 0)), high = low;
  for (std::uint32_t triangle = object.first; triangle < object.end; ++triangle)
    for (int i = 0; i < 3; ++i) {
      const Float3 p = mesh.position(mesh.corner(triangle, i));
      low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
  float nearest = std::numeric_limits<float>::max();
  for (unsigned i = 0; i < 8; ++i) {
    const Float3 corner{(i & 1u) != 0 ? high.x : low.x, (i & 2u) != 0 ? high.y : low.y, (i & 4u) != 0 ? high.z : low.z};
    const float z = transform(plan.camera.clip, corner).z;
    if (std::isfinite(z)) nearest = std::min(nearest, z);
  }
  return nearest;
}

}  // namespace

ObjectList find_objects(const Plan& plan, const MeshView& mesh) {
  const std::vector<MeshObject> runs = connected_runs(mesh);
  const std::size_t together = (runs.size() + ObjectList::most - 1) / ObjectList::most;
  std::vector<std::pair<float, MeshObject>> objects;
  for (std::size_t first = 0; first < runs.size(); first += together) {
    const MeshObject object{runs[first].first, runs[std::min(first + together, runs.size()) - 1].end};
    objects.emplace_back(nearest_corner(plan, mesh, object), object);
  }
  std::stable_sort(objects.begin(), objects.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  ObjectList list;
  const int shift = 2 * plan.division;
  for (const auto& [nearest, object] : objects)
    list.at[list.count++] = {object.first << shift, object.end << shift};
  return list;
}

}  // namespace threadscape::rasterize
