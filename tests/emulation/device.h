#pragma once
// Emulates CUDA on one CPU thread, so that kernels can be tested on a machine without a GPU: every CUDA thread is a
// fiber, blocks run one after another, and device memory is host memory. scripts/emulate converts .cu files to C++, in
// which launches are calls of emu::with(), and includes this header before each.
//
// __CUDA_ARCH__ is undefined, so code that depends on it takes its host branch. Textures are those over linear memory,
// without filters. Surfaces, cooperative groups, clusters and CUB are not supported, and a kernel must not wait for
// another block. Performance, bank conflicts and most races cannot be observed. Missing barriers can: results differ if
// the threads of a block run in another order (EMU_ORDER=reverse, EMU_ORDER=random).
#include <cuda_runtime.h>
// The header of cuRAND declares threadIdx and blockDim, and so comes before the macros of these names.
#include <curand_kernel.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <type_traits>

#undef __global__
#undef __device__
#undef __host__
#undef __shared__
#undef __constant__
#undef __launch_bounds__
#undef __forceinline__
#undef __grid_constant__
#define __global__
#define __device__
#define __host__
#define __shared__ static
#define __constant__
#define __launch_bounds__(...)
#define __forceinline__ inline
#define __grid_constant__
#define EMU_CUDA 1

namespace emu {
extern uint3 thread_idx, block_idx;
extern dim3 block_dim, grid_dim;
void* dynamic_shared();
void launch(dim3 grid, dim3 block, std::size_t shared, const std::function<void()>& thread);
void sync_block();
int sync_block_count(int predicate);
void sync_warp(unsigned mask);
/// Exchanges a 64-bit value between the lanes of `mask`. Returns the values of all 32 lanes, indexed by lane.
const std::uint64_t* exchange(unsigned mask, std::uint64_t value);
unsigned lane();
[[noreturn]] void unsupported(const char* what);

template <class Kernel>
struct Launcher {
  dim3 grid, block;
  std::size_t shared;
  Kernel kernel;
  template <class... Args>
  void operator()(Args... args) const {
    launch(grid, block, shared, [&] { kernel(args...); });
  }
};
template <class Kernel>
Launcher<Kernel> with(Kernel kernel, dim3 grid, dim3 block, std::size_t shared = 0, cudaStream_t = nullptr) {
  return {grid, block, shared, kernel};
}
template <class T>
std::uint64_t bits(T v) {
  std::uint64_t b = 0;
  std::memcpy(&b, &v, sizeof(T));
  return b;
}
template <class T>
T value(std::uint64_t b) {
  T v;
  std::memcpy(&v, &b, sizeof(T));
  return v;
}
}  // namespace emu

#define threadIdx (::emu::thread_idx)
#define blockIdx (::emu::block_idx)
#define blockDim (::emu::block_dim)
#define gridDim (::emu::grid_dim)
#define warpSize 32

inline void __syncthreads() {
  emu::sync_block();
}
inline int __syncthreads_count(int p) {
  return emu::sync_block_count(p != 0);
}
inline int __syncthreads_or(int p) {
  return emu::sync_block_count(p != 0) != 0;
}
inline int __syncthreads_and(int p) {
  return emu::sync_block_count(p == 0) == 0;
}
inline void __syncwarp(unsigned mask = 0xffffffffu) {
  emu::sync_warp(mask);
}
inline void __threadfence() {}
inline void __threadfence_block() {}
inline unsigned __activemask() {
  return 0xffffffffu;
}

template <class T>
T __shfl_sync(unsigned mask, T v, int source, int width = 32) {
  const auto* all = emu::exchange(mask, emu::bits(v));
  const int base = static_cast<int>(emu::lane()) & ~(width - 1);
  return emu::value<T>(all[base + (source & (width - 1))]);
}
template <class T>
T __shfl_up_sync(unsigned mask, T v, unsigned delta, int width = 32) {
  const auto* all = emu::exchange(mask, emu::bits(v));
  const int l = static_cast<int>(emu::lane()), base = l & ~(width - 1), s = l - static_cast<int>(delta);
  return emu::value<T>(all[s < base ? l : s]);
}
template <class T>
T __shfl_down_sync(unsigned mask, T v, unsigned delta, int width = 32) {
  const auto* all = emu::exchange(mask, emu::bits(v));
  const int l = static_cast<int>(emu::lane()), base = l & ~(width - 1), s = l + static_cast<int>(delta);
  return emu::value<T>(all[s >= base + width ? l : s]);
}
template <class T>
T __shfl_xor_sync(unsigned mask, T v, int m, int width = 32) {
  const auto* all = emu::exchange(mask, emu::bits(v));
  const int l = static_cast<int>(emu::lane()), base = l & ~(width - 1), s = l ^ m;
  return emu::value<T>(all[s >= base + width ? l : s]);
}
inline unsigned __ballot_sync(unsigned mask, int p) {
  const auto* all = emu::exchange(mask, p != 0);
  unsigned r = 0;
  for (int i = 0; i < 32; ++i)
    if ((mask >> i & 1) && all[i]) r |= 1u << i;
  return r;
}
inline int __any_sync(unsigned mask, int p) {
  return __ballot_sync(mask, p) != 0;
}
inline int __all_sync(unsigned mask, int p) {
  return __ballot_sync(mask, !p) == 0;
}
#define EMU_REDUCE(name, T, expr)                        \
  inline T name(unsigned mask, T v) {                    \
    const auto* all = emu::exchange(mask, emu::bits(v)); \
    bool first = true;                                   \
    T a = v;                                             \
    for (int i = 0; i < 32; ++i) {                       \
      if (!(mask >> i & 1)) continue;                    \
      const T b = emu::value<T>(all[i]);                 \
      a = first ? b : static_cast<T>(expr);              \
      first = false;                                     \
    }                                                    \
    return a;                                            \
  }
EMU_REDUCE(__reduce_add_sync, unsigned, a + b)
EMU_REDUCE(__reduce_min_sync, unsigned, a < b ? a : b)
EMU_REDUCE(__reduce_max_sync, unsigned, a > b ? a : b)
EMU_REDUCE(__reduce_add_sync, int, a + b)
EMU_REDUCE(__reduce_min_sync, int, a < b ? a : b)
EMU_REDUCE(__reduce_max_sync, int, a > b ? a : b)
EMU_REDUCE(__reduce_or_sync, unsigned, a | b)
EMU_REDUCE(__reduce_and_sync, unsigned, a& b)
template <class T>
unsigned __match_any_sync(unsigned mask, T v) {
  const auto* all = emu::exchange(mask, emu::bits(v));
  unsigned r = 0;
  for (int i = 0; i < 32; ++i)
    if ((mask >> i & 1) && all[i] == emu::bits(v)) r |= 1u << i;
  return r;
}

// ---- Atomics are plain operations, because there is only one CPU thread.
template <class T, class U>
T atomicAdd(T* p, U v) {
  T o = *p;
  *p = static_cast<T>(o + v);
  return o;
}
template <class T, class U>
T atomicAdd_block(T* p, U v) {
  return atomicAdd(p, v);
}
template <class T, class U>
T atomicSub(T* p, U v) {
  T o = *p;
  *p = static_cast<T>(o - v);
  return o;
}
template <class T, class U>
T atomicMin(T* p, U v) {
  T o = *p;
  *p = o < static_cast<T>(v) ? o : static_cast<T>(v);
  return o;
}
template <class T, class U>
T atomicMax(T* p, U v) {
  T o = *p;
  *p = o > static_cast<T>(v) ? o : static_cast<T>(v);
  return o;
}
template <class T, class U>
T atomicOr(T* p, U v) {
  T o = *p;
  *p = o | static_cast<T>(v);
  return o;
}
template <class T, class U>
T atomicAnd(T* p, U v) {
  T o = *p;
  *p = o & static_cast<T>(v);
  return o;
}
template <class T, class U>
T atomicXor(T* p, U v) {
  T o = *p;
  *p = o ^ static_cast<T>(v);
  return o;
}
template <class T, class U>
T atomicExch(T* p, U v) {
  T o = *p;
  *p = static_cast<T>(v);
  return o;
}
template <class T, class U, class V>
T atomicCAS(T* p, U c, V v) {
  T o = *p;
  if (o == static_cast<T>(c)) *p = static_cast<T>(v);
  return o;
}

// ---- Surfaces are not supported: the functions abort.
template <class T>
void surf2Dwrite(T, cudaSurfaceObject_t, int, int, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap) {
  emu::unsupported("surf2Dwrite");
}
template <class T>
void surf3Dwrite(T, cudaSurfaceObject_t, int, int, int, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap) {
  emu::unsupported("surf3Dwrite");
}
template <class T>
T surf3Dread(cudaSurfaceObject_t, int, int, int, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap) {
  emu::unsupported("surf3Dread");
  return T{};
}

// ---- Textures over linear memory. An object is the address of a description.
namespace emu {
struct Texture {
  const char* data;
  std::size_t width, height, pitch;  ///< In texels, texels and bytes; the height of a line is 1.
};
/// The texel at (x, y). Stops the program for coordinates outside, which kernels of this project do not use.
template <class T>
T texel(cudaTextureObject_t object, long long x, long long y) {
  const Texture& texture = *reinterpret_cast<const Texture*>(object);
  if (x < 0 || y < 0 || x >= static_cast<long long>(texture.width) || y >= static_cast<long long>(texture.height))
    unsupported("a texture fetch outside of the texture");
  T value;
  std::memcpy(&value, texture.data + y * texture.pitch + x * sizeof(T), sizeof(T));
  return value;
}
}  // namespace emu
template <class T>
T tex1Dfetch(cudaTextureObject_t texture, int x) {
  return emu::texel<T>(texture, x, 0);
}
template <class T>
T tex2D(cudaTextureObject_t texture, float x, float y) {
  return emu::texel<T>(texture, static_cast<long long>(std::floor(x)), static_cast<long long>(std::floor(y)));
}

using std::max;
using std::min;

#include "tests/emulation/intrinsics.h"
