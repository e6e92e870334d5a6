// sketch: balance    title: Sums along rays
// reads: picture gray f32    makes: picture gray f32 (pixels x views)
// param: pixels = 64 (1..128)  "pixels of the detector"
// param: views = 64 (1..128)  "views over half a turn"
// block: 32x8
// check: rays_reference.cu pixels=(pixels) views=(views)

#include "threadscape.h"

// A ray through the grid: where it is, where it leaves, and where it meets the next vertical and horizontal line.
struct Ray {
  float at, leave, next_x, next_y, distance_x, distance_y;
  int x, y, step_x, step_y;
};

// Views are spread over half a turn. The detector is half as wide again as the grid.
__device__ Ray ray_of(int width, int height, int pixel, int pixels, int view, int views) {
  const float angle = (view + 0.25f) / views, c = cospif(angle), s = sinpif(angle);
  const float u = (pixel + 0.5f - 0.5f * pixels) * 1.5f * max(width, height) / pixels;
  const float from_x = 0.5f * width - u * s, from_y = 0.5f * height + u * c;
  Ray ray;
  ray.at = fmaxf(fminf(-from_x / c, (width - from_x) / c), fminf(-from_y / s, (height - from_y) / s));
  ray.leave = fminf(fmaxf(-from_x / c, (width - from_x) / c), fmaxf(-from_y / s, (height - from_y) / s));
  ray.x = Image<float>::clamped(int(floorf(from_x + ray.at * c)), width);
  ray.y = Image<float>::clamped(int(floorf(from_y + ray.at * s)), height);
  ray.step_x = c > 0 ? 1 : -1;
  ray.step_y = s > 0 ? 1 : -1;
  ray.distance_x = fabsf(1 / c);
  ray.distance_y = fabsf(1 / s);
  ray.next_x = (ray.x + (c > 0 ? 1 : 0) - from_x) / c;
  ray.next_y = (ray.y + (s > 0 ? 1 : 0) - from_y) / s;
  return ray;
}

__global__ void project(Image<const float> in, Image<float> out, int, int) {
  const int pixel = blockIdx.x * blockDim.x + threadIdx.x, view = blockIdx.y * blockDim.y + threadIdx.y;
  if (!out.inside(pixel, view)) return;
  Ray ray = ray_of(in.width, in.height, pixel, out.width, view, out.height);
  float sum = 0;
  while (ray.at < ray.leave) {
    const bool across = ray.next_x < ray.next_y;
    const float end = fminf(fminf(ray.next_x, ray.next_y), ray.leave);
    sum += (end - ray.at) * in.clamp(ray.x, ray.y);
    ray.at = end;
    ray.next_x += across ? ray.distance_x : 0.0f;
    ray.next_y += across ? 0.0f : ray.distance_y;
    ray.x += across ? ray.step_x : 0;
    ray.y += across ? 0 : ray.step_y;
  }
  out(pixel, view) = sum;
}
