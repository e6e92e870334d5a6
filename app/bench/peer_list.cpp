#include "app/bench/peer_list.h"

#include <algorithm>
#include <span>
#include <utility>

#include "app/bench/npp_peer.h"
#include "app/bench/opengl_peer.h"
#include "app/bench/peers/lqr_peer.h"
#include "app/bench/peers/opencv_peer.h"
#include "app/bench/peers/std_peer.h"
#include "app/bench/peers/textbook_peer.h"

namespace threadscape::app {

namespace {

bool uses_cuda(const std::vector<PlannedPoint>& points) {
  return std::ranges::any_of(
      points, [](const PlannedPoint& planned) { return planned.point.request.backend == Backend::cuda; });
}

}  // namespace

std::vector<Peer> peers_of(const std::vector<PlannedPoint>& points, OpenGlPeer opengl) {
  std::vector<Peer> all(textbook_peers().begin(), textbook_peers().end());
  for (const std::span<const Peer> some : {opencv_peers(), std_peers(), lqr_peers()})
    all.insert(all.end(), some.begin(), some.end());
  const bool drawn = std::ranges::any_of(points, [](const PlannedPoint& planned) {
    return std::ranges::find(opengl_algorithms, planned.point.request.algorithm->name) != opengl_algorithms.end();
  });
  if (drawn && opengl == OpenGlPeer::included) all.insert(all.end(), opengl_peers().begin(), opengl_peers().end());
  if (uses_cuda(points)) all.insert(all.end(), npp_peers().begin(), npp_peers().end());
  return all;
}

std::vector<std::string> absent_peers(const std::vector<PlannedPoint>& points) {
  std::string absent;
  for (const auto& [name, there] : {std::pair{"OpenCV", !opencv_peers().empty()},
                                    {"TBB (std::sort and std::reduce)", !std_peers().empty()},
                                    {"liblqr", !lqr_peers().empty()}})
    if (!there) absent += (absent.empty() ? "" : ", ") + std::string(name);
  std::vector<std::string> sentences;
  if (!absent.empty())
    sentences.push_back("not in this build: " + absent + "; run scripts/setup --peers, and build again");
  if (uses_cuda(points) && npp_peers().empty())
    sentences.push_back("without NPP: " + npp_problem() + "; put its folder on LD_LIBRARY_PATH");
  return sentences;
}

}  // namespace threadscape::app
