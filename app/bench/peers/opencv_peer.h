#pragma once
// What `threadscape bench --peers` compares with, and the filters of OpenCV. In builds without OpenCV, peers() is
// empty.

#include <functional>
#include <span>
#include <string_view>

#include "compute/core/data.h"
#include "compute/core/params.h"
#include "compute/core/shape.h"

namespace threadscape::app {

/// A filter of another library that computes the same function as one of our algorithms.
struct Peer {
  std::string_view algorithm;  ///< Name of our algorithm in the registry.
  std::string_view name;       ///< Shown beside our figures.
  /// Filters `in` into `out` on this many threads, one strip of rows each. Call it only if supports() returns true.
  std::function<void(HostIn in, HostOut out, int threads, const ParamBox& params)> run;
  /// Whether the peer computes the same function for these parameters and inputs of this shape.
  std::function<bool(const ParamBox& params, const Shape& shape)> supports;
  bool on_gpu = false;  ///< The peer is compared with CUDA, and otherwise with OpenMP.
};

[[nodiscard]] std::span<const Peer> peers();

}  // namespace threadscape::app
