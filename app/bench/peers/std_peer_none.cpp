// The list of these peers in builds without TBB.

#include "app/bench/peers/std_peer.h"

namespace threadscape::app {

std::span<const Peer> std_peers() {
  return {};
}

}  // namespace threadscape::app
