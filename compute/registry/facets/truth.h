#pragma once
// The exact volume (ground truth) that a result approximates, if it is known: the phantom from which the input was
// made.

#include <optional>

#include "compute/core/data.h"
#include "compute/core/params.h"

namespace threadscape {

struct TruthFacet {
  /// Makes the exact volume; none if it is unknown for these parameters. This may take seconds, so the drawing thread
  /// must not call it.
  std::optional<HostArray> (*make)(const ParamBox&);
  /// Returns whether the exact volumes of both parameters are equal, so that one that was made for the first can be
  /// used for the second.
  bool (*same)(const ParamBox&, const ParamBox&);
};

}  // namespace threadscape
