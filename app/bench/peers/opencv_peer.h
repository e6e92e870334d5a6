#pragma once
// What `threadscape bench --peers` compares with: the same filters by another library. Present in builds without it as
// well; then peers() is empty.

#include <functional>
#include <span>
#include <string_view>

#include "compute/core/data.h"
#include "compute/core/params.h"
#include "compute/core/shape.h"

namespace threadscape::app {

struct Peer {
  std::string_view algorithm;  ///< name in the registry
  std::string_view name;       ///< shown beside our figures
  /// Filters `in` into `out` on this many threads, one strip of rows each. Same parameters, same result: see
  /// supports().
  std::function<void(HostIn in, HostOut out, int threads, const ParamBox& params)> run;
  /// Whether the peer computes the same function for these parameters.
  std::function<bool(const ParamBox& params, const Shape& shape)> supports;
};

[[nodiscard]] std::span<const Peer> peers();

}  // namespace threadscape::app
