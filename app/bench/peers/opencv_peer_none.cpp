// In builds without OpenCV there is nobody to compare with.

#include "app/bench/peers/opencv_peer.h"

namespace threadscape::app {

std::span<const Peer> peers() {
  return {};
}

}  // namespace threadscape::app
