#include "app/bench/npp_peer.h"

namespace threadscape::app {

std::span<const Peer> npp_peers() {
  return {};
}

std::string npp_problem() {
  return "this build has no CUDA";
}

}  // namespace threadscape::app
