#pragma once
// The filters as a good textbook writes them, in plain C, to compare the serial backend with: it is the baseline of
// speed-ups, and a slow one would flatter all others.

#include <span>

#include "app/bench/peers/peer.h"

namespace threadscape::app {

/// Convolution, Sobel, Laplacian, mean, mean with a threshold and median of grey bytes with the border mirrored, and
/// opening and closing by squares.
[[nodiscard]] std::span<const Peer> textbook_peers();

}  // namespace threadscape::app
