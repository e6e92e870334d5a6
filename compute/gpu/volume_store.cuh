#pragma once
// Where kernels of volume algorithms store their results, as store.cuh is for images: linear memory for tests and
// files, or the surface of a three-dimensional GL texture for the live view. x, y and z run along Shape's width, height
// and depth.

#include <cuda_runtime.h>

#include "compute/core/device_run.h"

namespace threadscape::cuda {

/// Stores to linear device memory.
template <class T>
struct LinearVolumeStore {
  VolumeView<T, Space::device> out;

  __device__ void store(int x, int y, int z, T value) const { out(x, y, z) = value; }
  /// Adds to a voxel that no other thread touches: the addition is not atomic.
  __device__ void add(int x, int y, int z, T value) const { out(x, y, z) += value; }
};

/// Stores to the surface of a three-dimensional texture.
template <class T>
struct SurfaceVolumeStore {
  cudaSurfaceObject_t out;

  __device__ void store(int x, int y, int z, T value) const {
    const int byte = x * static_cast<int>(sizeof(T));
    if constexpr (sizeof(T) == 1)
      surf3Dwrite(static_cast<unsigned char>(value), out, byte, y, z);
    else if constexpr (sizeof(T) == 2)
      surf3Dwrite(__builtin_bit_cast(ushort1, value), out, byte, y, z);
    else
      surf3Dwrite(__builtin_bit_cast(uint1, value), out, byte, y, z);
  }
  /// Adds to a voxel that no other thread touches: the addition is not atomic.
  __device__ void add(int x, int y, int z, T value) const {
    store(x, y, z, static_cast<T>(surf3Dread<T>(out, x * static_cast<int>(sizeof(T)), y, z) + value));
  }
};

/// Either store, chosen at run time: for kernels with many template instances, of which it halves the number.
template <class T>
struct EitherVolumeStore {
  LinearVolumeStore<T> linear;
  SurfaceVolumeStore<T> surface;
  bool to_surface;

  explicit EitherVolumeStore(const DeviceSink& sink)
      : surface{static_cast<cudaSurfaceObject_t>(sink.surface)}, to_surface(sink.surface != 0) {
    if (!to_surface) linear = {sink.linear.template volume<T>()};
  }
  __device__ void store(int x, int y, int z, T value) const {
    if (to_surface)
      surface.store(x, y, z, value);
    else
      linear.store(x, y, z, value);
  }
  __device__ void add(int x, int y, int z, T value) const {
    if (to_surface)
      surface.add(x, y, z, value);
    else
      linear.add(x, y, z, value);
  }
};

/// Calls launch(store) with a SurfaceVolumeStore if the sink has a surface, else with a LinearVolumeStore.
template <class T, class Launch>
void dispatch_volume_store(const DeviceSink& sink, Launch&& launch) {
  static_assert(sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4, "textures hold u8, u16 and f32");
  if (sink.surface != 0)
    launch(SurfaceVolumeStore<T>{static_cast<cudaSurfaceObject_t>(sink.surface)});
  else
    launch(LinearVolumeStore<T>{sink.linear.template volume<T>()});
}

}  // namespace threadscape::cuda
