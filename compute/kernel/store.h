#pragma once
// Where the last kernel of an algorithm stores its results: linear memory for tests and files, or the surface of a GL
// texture for the live view. Those for pictures take single pixels, or several neighbouring pixels in one wide write;
// those for volumes take voxels, whose x, y and z run along Shape's width, height and depth. A surface is a
// cudaSurfaceObject_t, and a sink is what has the members of DeviceSink (compute/core/device_run.h). Compilers without
// CUDA compile the stores to linear memory alone.

#include "compute/kernel/views.h"

namespace threadscape::cuda {

/// Stores to linear device memory.
template <class T>
struct LinearStore {
  ImageView<T, Space::device> out;

  TS_HD void store(int x, int y, T value) const { out(x, y) = value; }
  /// Stores sizeof(Wide) / sizeof(T) pixels from x on; x * sizeof(T) must be a multiple of sizeof(Wide).
  template <class Wide>
  TS_HD void store_wide(int x, int y, Wide values) const {
    *reinterpret_cast<Wide*>(&out(x, y)) = values;
  }
};

/// Stores voxels to linear device memory.
template <class T>
struct LinearVolumeStore {
  VolumeView<T, Space::device> out;

  TS_HD void store(int x, int y, int z, T value) const { out(x, y, z) = value; }
  /// Adds to a voxel that no other thread touches: the addition is not atomic.
  TS_HD void add(int x, int y, int z, T value) const { out(x, y, z) += value; }
};

#if defined(__CUDACC__) || defined(EMU_CUDA)

/// Stores to the surface of a texture.
template <class T>
struct SurfaceStore {
  unsigned long long out;

  __device__ void store(int x, int y, T value) const {
    if constexpr (sizeof(T) == 1)
      surf2Dwrite(static_cast<unsigned char>(value), out, x, y);
    else
      store_wide(x, y, value);
  }
  template <class Wide>
  __device__ void store_wide(int x, int y, Wide values) const {
    const int byte = x * static_cast<int>(sizeof(T));
    if constexpr (sizeof(Wide) == 2)
      surf2Dwrite(__builtin_bit_cast(ushort1, values), out, byte, y);
    else if constexpr (sizeof(Wide) == 4)
      surf2Dwrite(__builtin_bit_cast(uint1, values), out, byte, y);
    else if constexpr (sizeof(Wide) == 8)
      surf2Dwrite(__builtin_bit_cast(uint2, values), out, byte, y);
    else
      surf2Dwrite(__builtin_bit_cast(uint4, values), out, byte, y);
  }
};

/// Either store, chosen at run time: for kernels that are so long that a uniform branch per store costs less than
/// compiling them twice.
template <class T>
struct EitherStore {
  LinearStore<T> linear;
  SurfaceStore<T> surface;
  bool to_surface;
  bool aligned;  ///< Rows of `linear` start at multiples of 16 bytes.

  template <class Sink>
  explicit EitherStore(const Sink& sink) : surface{sink.surface}, to_surface(sink.surface != 0) {
    if (!to_surface) linear = {sink.linear.template image<T>()};
    aligned = reinterpret_cast<std::uintptr_t>(sink.linear.data) % 16 == 0 && sink.linear.pitch % 16 == 0;
  }
  __device__ void store(int x, int y, T value) const {
    if (to_surface)
      surface.store(x, y, value);
    else
      linear.store(x, y, value);
  }
  /// Returns whether store_wide() may be used.
  __host__ __device__ bool wide() const { return to_surface || aligned; }
  template <class Wide>
  __device__ void store_wide(int x, int y, Wide values) const {
    if (to_surface)
      surface.store_wide(x, y, values);
    else
      linear.store_wide(x, y, values);
  }
};

/// Stores to the surface of a three-dimensional texture.
template <class T>
struct SurfaceVolumeStore {
  unsigned long long out;

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

  template <class Sink>
  explicit EitherVolumeStore(const Sink& sink) : surface{sink.surface}, to_surface(sink.surface != 0) {
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

#endif

}  // namespace threadscape::cuda
