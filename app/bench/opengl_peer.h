#pragma once
// OpenGL beside `rasterize`: the same mesh with the same parameters, drawn by the driver that runs on this machine.

#include <span>
#include <string_view>

#include "app/bench/peers/peer.h"

namespace threadscape::app {

/// The algorithm that the peer computes.
inline constexpr std::string_view opengl_algorithm = "rasterize";
/// A peer that draws with OpenGL 4.5, on the GPU or, with Mesa's llvmpipe, on all cores of the CPU. The first call
/// creates a context without a display, so that all calls, and all runs of the peer, have to be on one thread. Empty
/// where there is no such context.
[[nodiscard]] std::span<const Peer> opengl_peers();

}  // namespace threadscape::app
