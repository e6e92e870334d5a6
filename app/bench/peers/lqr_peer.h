#pragma once
// The library liblqr, which carves pictures for several image editors, for `threadscape bench --peers`.

#include <span>

#include "app/bench/peers/peer.h"

namespace threadscape::app {

/// Seam carving on one thread, whatever the number of threads of ours. Empty in builds without liblqr.
[[nodiscard]] std::span<const Peer> lqr_peers();

}  // namespace threadscape::app
