// sketch: zbuffer    title: Depth of a mesh, for the CPU
// reads: mesh    makes: picture gray f32 (size x size)
// param: size = 256 (1..4096)  "pixels a side"
// param: axis = z (x | y | z)  "along which is looked, from its positive end"

#include "threadscape.h"

#include <algorithm>

void zbuffer(Mesh mesh, Image<float> out, int size, int axis) {
  const auto on_screen = [&](Point p) -> Point {
    const float width = mesh.high.x - mesh.low.x, height = mesh.high.y - mesh.low.y, depth = mesh.high.z - mesh.low.z;
    const float side = std::max(std::max(width, height), std::max(depth, 1e-20f));
    const float x = (p.x - mesh.low.x) / side, y = (p.y - mesh.low.y) / side, z = (p.z - mesh.low.z) / side;
    const float right = axis == 0 ? 1 - z : x, up = axis == 1 ? 1 - z : y, near = axis == 0 ? x : axis == 1 ? y : z;
    return {right * size, (1 - up) * size, near * 65535};
  };
  for (int y = 0; y < size; ++y)
    for (int x = 0; x < size; ++x)
      out(x, y) = 0;
  for (int t = 0; t < mesh.triangles; ++t) {
    const Point p[3] = {on_screen(mesh.position(mesh.corner(t, 0))), on_screen(mesh.position(mesh.corner(t, 1))),
                        on_screen(mesh.position(mesh.corner(t, 2)))};
    const float area = (p[1].x - p[0].x) * (p[2].y - p[0].y) - (p[1].y - p[0].y) * (p[2].x - p[0].x);
    if (area == 0) continue;
    const auto [left, right] = std::minmax({p[0].x, p[1].x, p[2].x});
    const auto [top, bottom] = std::minmax({p[0].y, p[1].y, p[2].y});
    for (int y = std::max(0.0f, top); y <= std::min(int(bottom), size - 1); ++y)
      for (int x = std::max(0.0f, left); x <= std::min(int(right), size - 1); ++x) {
        float share[3], depth = 0;
        for (int i = 0; i < 3; ++i) {
          const Point a = p[(i + 1) % 3], b = p[(i + 2) % 3];
          share[i] = ((b.x - a.x) * (y + 0.5f - a.y) - (b.y - a.y) * (x + 0.5f - a.x)) / area;
          depth += share[i] * p[i].z;
        }
        if (share[0] >= 0 && share[1] >= 0 && share[2] >= 0)
          out(x, y) = std::max(out(x, y), (unsigned(depth) + 1) / 65536.0f);
      }
  }
}
