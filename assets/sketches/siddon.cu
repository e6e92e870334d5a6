// sketch: siddon    title: A view of a scan: line integrals after Siddon
// reads: volume f32    makes: volume f32 (detector_pixels x detector_pixels x 1)
// param: detector_pixels = 24 (1..512)  "pixels of the detector, a side"
// param: pixel_size = 2.25 (0.01..100.0)  "voxels from one pixel to the next"
// param: source_distance = 200 (1.0..10000.0)  "voxels from the source to the middle of the volume"
// param: detector_distance = 60 (1.0..10000.0)  "voxels from there to the detector"
// param: turn = 30 (-180.0..180.0)  "degrees"
// block: 16x16
// check: projection geometry=cone method=siddon angles=0 turn=30 detector_pixels=(detector_pixels) pixel_size=2.25 source_distance=200 detector_distance=60

#include "threadscape.h"

__global__ void project(Volume<const float> in, Volume<float> out, int pixels, float pixel, float source, float detector,
                        float turn) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= pixels || row >= pixels) return;
  const double s = sinpi(turn / 180.0), c = cospi(turn / 180.0), middle = 0.5 * (pixels - 1);
  const double u = (column - middle) * pixel, v = (row - middle) * pixel;
  // The ray runs from the source to the pixel, in voxels from the corner of the volume, whose layers lie along y.
  const int n[3] = {in.width, in.depth, in.height};
  const double from[3] = {source * s + 0.5 * n[0], source * c + 0.5 * n[1], 0.5 * n[2]};
  const double along[3] = {-(source + detector) * s + u * c, -(source + detector) * c - u * s, v};
  double enter = 0, leave = 1;
  for (int i = 0; i < 3; ++i) {
    if (along[i] == 0 && (from[i] < 0 || from[i] >= n[i])) leave = 0;
    if (along[i] == 0) continue;
    const double a = -from[i] / along[i], b = (n[i] - from[i]) / along[i];
    enter = fmax(enter, fmin(a, b));
    leave = fmin(leave, fmax(a, b));
  }
  // The next plane between voxels along each axis, and where the ray meets it.
  double plane[3], next[3], sum = 0;
  for (int i = 0; i < 3; ++i) {
    plane[i] = fmin(fmax(floor(from[i] + enter * along[i]), 0.0), n[i] - 1.0) + (along[i] > 0 ? 1 : 0);
    next[i] = along[i] == 0 ? 2 : (plane[i] - from[i]) / along[i];
  }
  for (double at = enter; at < leave;) {
    const double nearest = fmin(fmin(next[0], next[1]), next[2]), end = fmin(nearest, leave);
    if (end > at) {
      int voxel[3];
      for (int i = 0; i < 3; ++i)
        voxel[i] = Image<float>::clamped(int(floor(from[i] + 0.5 * (at + end) * along[i])), n[i]);
      sum += (end - at) * in(voxel[0], voxel[2], voxel[1]);
      at = end;
    }
    for (int i = 0; i < 3; ++i)
      if (next[i] == nearest) {
        plane[i] += along[i] > 0 ? 1 : -1;
        next[i] = (plane[i] - from[i]) / along[i];
      }
  }
  out(column, row, 0) = sum * sqrt(along[0] * along[0] + along[1] * along[1] + along[2] * along[2]);
}
