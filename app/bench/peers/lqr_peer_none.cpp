// The list of these peers in builds without liblqr.

#include "app/bench/peers/lqr_peer.h"

namespace threadscape::app {

std::span<const Peer> lqr_peers() {
  return {};
}

}  // namespace threadscape::app
