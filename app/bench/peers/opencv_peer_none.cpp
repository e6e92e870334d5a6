// The list of peers in builds without OpenCV.

#include "app/bench/peers/opencv_peer.h"

namespace threadscape::app {

std::span<const Peer> opencv_peers() {
  return {};
}

}  // namespace threadscape::app
