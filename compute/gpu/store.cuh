#pragma once
// Where the last kernel of an image algorithm stores its results: linear memory for tests and files, or the surface of
// a GL texture for the live view. Both take single pixels, or several neighbouring pixels in one wide write.

#include <cuda_runtime.h>

#include "compute/core/device_run.h"

namespace threadscape::cuda {

/// Stores to linear device memory.
template <class T>
struct LinearStore {
  ImageView<T, Space::device> out;

  __device__ void store(int x, int y, T value) const { out(x, y) = value; }
  /// Stores sizeof(Wide) / sizeof(T) pixels from x on; x * sizeof(T) must be a multiple of sizeof(Wide).
  template <class Wide>
  __device__ void store_wide(int x, int y, Wide values) const {
    *reinterpret_cast<Wide*>(&out(x, y)) = values;
  }
};

/// Stores to the surface of a texture.
template <class T>
struct SurfaceStore {
  cudaSurfaceObject_t out;

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

  explicit EitherStore(const DeviceSink& sink)
      : surface{static_cast<cudaSurfaceObject_t>(sink.surface)}, to_surface(sink.surface != 0) {
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

/// Returns whether rows of the input start at multiples of 16 bytes, so that loads of 16 bytes from there are allowed.
inline bool rows_aligned(const DeviceIn& in) {
  return reinterpret_cast<std::uintptr_t>(in.data) % 16 == 0 && in.pitch % 16 == 0;
}

/// Calls launch(store) with a SurfaceStore if the sink has a surface, else with a LinearStore.
template <class T, class Launch>
void dispatch_store(const DeviceSink& sink, Launch&& launch) {
  if (sink.surface != 0)
    launch(SurfaceStore<T>{static_cast<cudaSurfaceObject_t>(sink.surface)});
  else
    launch(LinearStore<T>{sink.linear.template image<T>()});
}

}  // namespace threadscape::cuda
