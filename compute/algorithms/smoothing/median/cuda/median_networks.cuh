#pragma once
// What the kernels with sorting networks share. A block copies its tile of the picture, one plane after the other, with
// what lies around it to shared memory; a thread finds the medians of a small patch with one network in its registers.

#include "compute/algorithms/smoothing/median/cuda/median_cuda.h"
#include "compute/cuda/check.h"
#include "compute/cuda/store.cuh"
#include "compute/engines/patches/packed_patch.h"

namespace threadscape::median {

inline constexpr int network_block_width = 16, network_block_height = 8;
inline constexpr int network_threads = network_block_width * network_block_height;

/// Tiles of the network for k x k windows, in steps of a lane: see median_network-inl.h. Larger ones would share more,
/// but no longer fit the registers.
template <int k>
struct NetworkTile {
  static constexpr int width = k == 3 ? 2 : 4, height = 2;
};

/// How colour pixels become planes; unused for grey.
struct PlaneChoice {
  Channels channels;
  [[nodiscard]] __host__ __device__ int count(bool grey) const { return grey || channels == Channels::luma ? 1 : 3; }
};
/// One plane's value of a pixel.
template <class Pixel>
__device__ auto value_of_plane(const Pixel& pixel, int plane, PlaneChoice choice) {
  if constexpr (std::is_arithmetic_v<Pixel>) {
    return pixel;
  } else {
    if (choice.channels == Channels::luma) return Planes<Pixel, Channels::luma>::get(pixel, 0);
    return Planes<Pixel, Channels::each>::get(pixel, plane);
  }
}

template <int k>
dim3 network_grid(int width, int height, int patch_width) {
  const int tile_width = network_block_width * patch_width, tile_height = network_block_height * NetworkTile<k>::height;
  return dim3((width + tile_width - 1) / tile_width, (height + tile_height - 1) / tile_height);
}

/// Calls `launch(std::integral_constant<int, k>)` for the plan's size.
template <class Launch>
void with_network_size(const Plan& plan, const Launch& launch) {
  switch (plan.size) {
    case 3:
      return launch(std::integral_constant<int, 3>{});
    case 5:
      return launch(std::integral_constant<int, 5>{});
    case 7:
      return launch(std::integral_constant<int, 7>{});
    default:
      return launch(std::integral_constant<int, 9>{});
  }
}

}  // namespace threadscape::median
