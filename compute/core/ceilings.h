#pragma once
// The limits of this machine's CPU that a roofline draws, each measured by a loop that does nothing else.

#include <string>
#include <vector>

namespace threadscape {

struct NamedRate {
  std::string name;
  double per_second = 0.0;
};

struct HostCeilings {
  /// Bytes per second at which all threads together read: from memory, and from the caches, whose names begin with "L".
  std::vector<NamedRate> reading;
  /// Operations per second on floats of 32 bits, where a fused multiply-add counts as two: "scalar" is one
  /// multiplication and one addition at a time, "SIMD" is fused multiply-adds of the widest vectors that Highway finds.
  std::vector<NamedRate> arithmetic;
};

/// Measures with `threads` threads; takes about half a second. Caches that the system does not describe are left out.
[[nodiscard]] HostCeilings host_ceilings(int threads);

}  // namespace threadscape
