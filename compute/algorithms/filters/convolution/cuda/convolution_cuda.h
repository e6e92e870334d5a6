#pragma once
// The CUDA launchers of convolution, one per file.

#include "compute/algorithms/filters/convolution/convolution.h"
#include "compute/algorithms/filters/convolution/cuda/convolution_tiled.h"

namespace threadscape::convolution {

/// The default variant for masks up to 9x9 and 8-bit pictures. It is compiled in one file per kind of pixels, because
/// the kernels take long to compile.
template <class P>
void launch_tiled(const Plan& plan, const DeviceRun& run);
extern template void launch_tiled<Planes<std::uint8_t, Channels::each>>(const Plan&, const DeviceRun&);
extern template void launch_tiled<Planes<Rgba8, Channels::each>>(const Plan&, const DeviceRun&);
extern template void launch_tiled<Planes<Rgba8, Channels::luma>>(const Plan&, const DeviceRun&);

/// The default variant for masks up to 9x9 and float pictures, convolution_real.cu.
template <class P>
void launch_real(const Plan& plan, const DeviceRun& run);
extern template void launch_real<Planes<float, Channels::each>>(const Plan&, const DeviceRun&);
extern template void launch_real<Planes<Rgba32f, Channels::each>>(const Plan&, const DeviceRun&);
extern template void launch_real<Planes<Rgba32f, Channels::luma>>(const Plan&, const DeviceRun&);

/// The default variant for masks beyond 9x9 for which in_two_passes() does not hold, convolution_large.cu.
void launch_large(const Plan& plan, const DeviceRun& run);

enum class Rung { global, constant, shared };
/// The teaching variants, for all masks and pictures; convolution_ladder.cu.
void launch_rung(Rung rung, const Plan& plan, const DeviceRun& run);

/// For Border::shrink: computes the pixels whose window leaves the picture once more, after any of the kernels above
/// has computed the picture with zeros outside; convolution_edges.cu. Takes room for max_taps weights of scratch
/// memory.
void launch_shrunk_edges(const Plan& plan, const DeviceRun& run);

}  // namespace threadscape::convolution
