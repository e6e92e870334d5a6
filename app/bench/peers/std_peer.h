#pragma once
// The parallel algorithms of the C++ standard library, for `threadscape bench --peers`.

#include <span>

#include "app/bench/peers/peer.h"

namespace threadscape::app {

/// std::sort and std::reduce with the execution policy par_unseq. Empty in builds without TBB, which runs them.
[[nodiscard]] std::span<const Peer> std_peers();

}  // namespace threadscape::app
