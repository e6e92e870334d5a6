#pragma once
// The exact volume that a result approximates, where it is known: a phantom that the input was made of.

#include <optional>

#include "compute/core/data.h"
#include "compute/core/params.h"

namespace threadscape {

struct TruthFacet {
  /// Nothing where these parameters' truth is unknown. Takes long: not for the thread that draws.
  std::optional<HostArray> (*make)(const ParamBox&);
  /// Whether both parameters have the same truth, so that it need not be made anew.
  bool (*same)(const ParamBox&, const ParamBox&);
};

}  // namespace threadscape
