// sketch: zbuffer    title: Depth of a mesh, a thread for each triangle
// reads: mesh    makes: picture gray f32 (size x size)
// param: size = 256 (1..4096)  "pixels a side"
// param: axis = z (x | y | z)  "along which is looked, from its positive end"
// temp: nearest = heightfield u32 (size x size)
// pass: clear(nearest)
// pass: draw(in, nearest, axis)    block: 64    threads: triangles
// pass: show(nearest, out)
// check: zbuffer.cpp

#include "threadscape.h"

// Coordinates in pixels: right, down, and 0..65535 from the far end of the box to the near one.
__device__ Point on_screen(const Mesh& mesh, Point p, int axis, int size) {
  const float side = max(max(mesh.high.x - mesh.low.x, mesh.high.y - mesh.low.y), max(mesh.high.z - mesh.low.z, 1e-20f));
  const float x = (p.x - mesh.low.x) / side, y = (p.y - mesh.low.y) / side, z = (p.z - mesh.low.z) / side;
  const float right = axis == 0 ? 1 - z : x, up = axis == 1 ? 1 - z : y, near = axis == 0 ? x : axis == 1 ? y : z;
  return {right * size, (1 - up) * size, near * 65535};
}

__global__ void clear(Image<unsigned> nearest) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (nearest.inside(x, y)) nearest(x, y) = 0;
}

__global__ void draw(Mesh mesh, Image<unsigned> nearest, int axis) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x, size = nearest.width;
  if (t >= mesh.triangles) return;
  Point p[3];
  for (int i = 0; i < 3; ++i)
    p[i] = on_screen(mesh, mesh.position(mesh.corner(t, i)), axis, size);
  const float area = (p[1].x - p[0].x) * (p[2].y - p[0].y) - (p[1].y - p[0].y) * (p[2].x - p[0].x);
  const int left = max(0.0f, min(min(p[0].x, p[1].x), p[2].x)), right = max(max(p[0].x, p[1].x), p[2].x);
  const int top = max(0.0f, min(min(p[0].y, p[1].y), p[2].y)), bottom = max(max(p[0].y, p[1].y), p[2].y);
  for (int y = top; area != 0 && y <= min(bottom, size - 1); ++y)
    for (int x = left; x <= min(right, size - 1); ++x) {
      float share[3], depth = 0;  // The share of each corner is the area of the triangle opposite of it.
      for (int i = 0; i < 3; ++i) {
        const Point a = p[(i + 1) % 3], b = p[(i + 2) % 3];
        share[i] = ((b.x - a.x) * (y + 0.5f - a.y) - (b.y - a.y) * (x + 0.5f - a.x)) / area;
        depth += share[i] * p[i].z;
      }
      if (share[0] >= 0 && share[1] >= 0 && share[2] >= 0) atomicMax(&nearest(x, y), unsigned(depth) + 1);
    }
}

__global__ void show(Image<const unsigned> nearest, Image<float> out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (out.inside(x, y)) out(x, y) = nearest(x, y) / 65536.0f;
}
