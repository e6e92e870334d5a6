#include "compute/algorithms/filters/convolution/cuda/convolution_tiled.cuh"

namespace threadscape::convolution {
template void launch_tiled<Planes<Rgba8, Channels::luma>>(const Plan&, const DeviceRun&);
}
