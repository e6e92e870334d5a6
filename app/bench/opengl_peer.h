#pragma once
// OpenGL beside `rasterize` and `convolution`: the same mesh with the same parameters, drawn by the driver that runs on
// this machine, and the same picture, convolved by a fragment program.

#include <array>
#include <span>
#include <string_view>

#include "app/bench/peers/peer.h"

namespace threadscape::app {

/// The algorithms that the peers compute.
inline constexpr std::array<std::string_view, 2> opengl_algorithms{"rasterize", "convolution"};
/// Peers that draw with OpenGL 4.5, on the GPU or, with Mesa's llvmpipe, on all cores of the CPU. Their data stay in
/// textures, and a run ends when the GPU has ended. The first call creates a context without a display, so that all
/// calls, and all runs of the peers, have to be on one thread. Empty where there is no such context.
[[nodiscard]] std::span<const Peer> opengl_peers();

}  // namespace threadscape::app
