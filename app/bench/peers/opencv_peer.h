#pragma once
// The filters of OpenCV, for `threadscape bench --peers`.

#include <span>

#include "app/bench/peers/peer.h"

namespace threadscape::app {

/// Empty in builds without OpenCV.
[[nodiscard]] std::span<const Peer> opencv_peers();

}  // namespace threadscape::app
