#pragma once
// The filters of OpenCV as peers. In builds without OpenCV, peers() is empty.

#include <span>

#include "app/bench/peers/peer.h"

namespace threadscape::app {

[[nodiscard]] std::span<const Peer> peers();

}  // namespace threadscape::app
