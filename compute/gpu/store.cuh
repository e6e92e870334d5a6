#pragma once
// The store of a run, chosen by its sink.

#include <cuda_runtime.h>

#include "compute/core/device_run.h"
#include "compute/kernel/store.h"

namespace threadscape::cuda {

/// Returns whether rows of the input start at multiples of 16 bytes, so that loads of 16 bytes from there are allowed.
inline bool rows_aligned(const DeviceIn& in) {
  return reinterpret_cast<std::uintptr_t>(in.data) % 16 == 0 && in.pitch % 16 == 0;
}

/// Calls launch(store) with a SurfaceStore if the sink has a surface, else with a LinearStore.
template <class T, class Launch>
void dispatch_store(const DeviceSink& sink, Launch&& launch) {
  if (sink.surface != 0)
    launch(SurfaceStore<T>{sink.surface});
  else
    launch(LinearStore<T>{sink.linear.template image<T>()});
}

/// Calls launch(store) with a SurfaceVolumeStore if the sink has a surface, else with a LinearVolumeStore.
template <class T, class Launch>
void dispatch_volume_store(const DeviceSink& sink, Launch&& launch) {
  static_assert(sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4, "textures hold u8, u16 and f32");
  if (sink.surface != 0)
    launch(SurfaceVolumeStore<T>{sink.surface});
  else
    launch(LinearVolumeStore<T>{sink.linear.template volume<T>()});
}

}  // namespace threadscape::cuda
