#pragma once
// The arguments of an algorithm that joins the results of the parts of a sequence.

#include <cstdint>
#include <span>
#include <stop_token>

#include "compute/core/data_view.h"

namespace threadscape {

/// The result of a run on a part of the sequence.
struct JoinPart {
  std::int64_t first = 0;  ///< The place of the part's first element.
  HostIn result;
};

struct JoinRun {
  HostIn in;                        ///< The whole sequence.
  std::span<const JoinPart> parts;  ///< They cover the sequence, in its order.
  HostOut out;
  int threads = 1;
  std::stop_token stop = {};
};

}  // namespace threadscape
