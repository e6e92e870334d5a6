#include "compute/algorithms/filters/convolution/cuda/convolution_tiled.cuh"

namespace threadscape::convolution {
template void launch_tiled<Planes<std::uint8_t, Channels::each>>(const Plan&, const DeviceRun&);
}
