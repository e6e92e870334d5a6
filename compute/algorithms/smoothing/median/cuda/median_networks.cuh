#pragma once
// Shared by the kernels with sorting networks. A block copies its tile of the picture and the halo around it to shared
// memory, one plane after another, and each thread finds the medians of a small patch by one network in its registers:
//
//   windows up to    bytes: a patch of 8 x 2 pixels            floats: a patch of 4 x 2 pixels
//   5x5 .. 9x9       4 x 2 registers of two pixels each        4 x 2 registers           (3x3 floats: 2 x 2)

#include "compute/algorithms/smoothing/median/cuda/median_cuda.h"
#include "compute/engines/patches/packed_patch.h"
#include "compute/gpu/check.h"
#include "compute/gpu/store.cuh"

namespace threadscape::median {

inline constexpr int network_block_width = 16, network_block_height = 8;
inline constexpr int network_threads = network_block_width * network_block_height;

/// The tile of the network for k x k windows (median_network-inl.h), in registers. Larger tiles would share more work,
/// but not fit into the registers of a thread.
template <int k>
struct NetworkTile {
  static constexpr int width = k == 3 ? 2 : 4, height = 2;
};

/// How colour pixels become planes; unused for grey pictures.
struct PlaneChoice {
  Channels channels;
  [[nodiscard]] __host__ __device__ int count(bool grey) const { return grey || channels == Channels::luma ? 1 : 3; }
};
/// The value of one plane of a pixel.
template <class Pixel>
__device__ auto value_of_plane(const Pixel& pixel, int plane, PlaneChoice choice) {
  if constexpr (std::is_arithmetic_v<Pixel>) {
    return pixel;
  } else {
    if (choice.channels == Channels::luma) return Planes<Pixel, Channels::luma>::get(pixel, 0);
    return Planes<Pixel, Channels::each>::get(pixel, plane);
  }
}

/// The grid for a picture of this size, where a thread computes patch_width pixels of each row.
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
