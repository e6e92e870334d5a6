#pragma once
// The algorithms as a good textbook writes them, in plain C, to compare the serial backend with: it is the baseline of
// speed-ups, and a slow one would flatter all others.

#include <span>

#include "app/bench/peers/peer.h"

namespace threadscape::app {

/// A peer for every algorithm: pictures of grey bytes with the border mirrored, and otherwise what the defaults say,
/// but for rasterize, of which there is the depth buffer alone. Random numbers are those of seed 0.
[[nodiscard]] std::span<const Peer> textbook_peers();

}  // namespace threadscape::app
