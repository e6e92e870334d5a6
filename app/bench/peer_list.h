#pragma once
// Which peers this build and this machine have for a benchmark, and which are absent.

#include <cstdint>
#include <string>
#include <vector>

#include "app/bench/bench_plan.h"
#include "app/bench/peers/peer.h"

namespace threadscape::app {

/// The peer that is OpenGL makes a context of its own and loads its functions anew, which a program that draws a window
/// must not do.
enum class OpenGlPeer : std::uint8_t { included, left_out };

/// The peers of the algorithms of these points. OpenGL and CUDA are touched only where a point has a use for them.
[[nodiscard]] std::vector<Peer> peers_of(const std::vector<PlannedPoint>& points, OpenGlPeer opengl);
/// Sentences without a full stop that name the libraries that are not compared with, and what would add them; empty if
/// all are there.
[[nodiscard]] std::vector<std::string> absent_peers(const std::vector<PlannedPoint>& points);

}  // namespace threadscape::app
