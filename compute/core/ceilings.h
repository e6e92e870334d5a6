#pragma once
// The limits of a machine that a roofline draws, each measured by a loop that does nothing else. Those of a GPU are
// measured by compute/gpu/device_ceilings.h.

#include <string>
#include <vector>

namespace threadscape {

struct NamedRate {
  std::string name;
  double per_second = 0.0;
};

struct MeasuredCeilings {
  /// Bytes per second at which all threads together read: from memory, from the caches, whose names begin with "L", and
  /// on a GPU from shared memory.
  std::vector<NamedRate> reading;
  /// Operations per second, where a fused multiply-add counts as two.
  std::vector<NamedRate> arithmetic;
};

/// Measures this machine's CPU with `threads` threads, which takes about half a second. Caches that the system does not
/// describe are left out. Arithmetic is on floats of 32 bits: "scalar" is one multiplication and one addition at a
/// time, "SIMD" is fused multiply-adds of the widest vectors that Highway finds.
[[nodiscard]] MeasuredCeilings host_ceilings(int threads);

}  // namespace threadscape
