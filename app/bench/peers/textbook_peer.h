#pragma once
// The filters as a good textbook writes them, in plain C, to compare the serial backend with: it is the baseline of
// speed-ups, and a slow one would flatter all others.

#include <span>

#include "app/bench/peers/peer.h"

namespace threadscape::app {

/// Convolution, Sobel and Laplacian of grey bytes with the border mirrored.
[[nodiscard]] std::span<const Peer> textbook_peers();

}  // namespace threadscape::app
