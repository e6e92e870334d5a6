// sketch: channels    title: Erosion of a colour picture, by planes
// reads: picture rgb u8    makes: picture rgb u8
// param: radius = 1 (1..4)  "pixels beside the middle"
// temp: planes = picture gray u8 (width x 3 * height)
// temp: eroded = picture gray u8 (width x 3 * height)
// pass: split(in, planes)
// pass: erode(planes, eroded, radius, height)    threads: width x 3 * height
// pass: compose(in, eroded, out)
// halo: radius
// check: morphology operation=erode shape=rect size=(2 * radius + 1) border=neutral

#include "threadscape.h"

__global__ void split(Image<const Rgba<unsigned char>> in, Image<unsigned char> planes) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (!in.inside(x, y)) return;
  planes(x, y) = in(x, y).r;
  planes(x, y + in.height) = in(x, y).g;
  planes(x, y + 2 * in.height) = in(x, y).b;
}

__global__ void erode(Image<const unsigned char> planes, Image<unsigned char> eroded, int radius, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (!eroded.inside(x, y)) return;
  const int plane = y / height * height;
  int lowest = 255;
  for (int ny = max(plane, y - radius); ny <= min(plane + height - 1, y + radius); ++ny)
    for (int nx = max(0, x - radius); nx <= min(planes.width - 1, x + radius); ++nx)
      lowest = min(lowest, planes(nx, ny));
  eroded(x, y) = lowest;
}

__global__ void compose(Image<const Rgba<unsigned char>> in, Image<const unsigned char> planes,
                        Image<Rgba<unsigned char>> out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, height = out.height;
  if (out.inside(x, y))
    out(x, y) = {planes(x, y), planes(x, y + height), planes(x, y + 2 * height), in(x, y).a};
}
