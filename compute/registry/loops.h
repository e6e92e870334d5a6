#pragma once
// The OpenMP variant `loops`: the loops of the serial backend, shared among the threads by compute/core/rows.h. It
// tells what threads alone gain, beside the other variants, which have vectors and methods of their own, too. An
// algorithm whose serial code has such loops states
//
//   static constexpr bool loops = true;
//
// and takes as much scratch memory for them as for the serial backend.

#include <algorithm>
#include <array>

#include "compute/core/variant.h"

namespace threadscape {

inline constexpr Variant loops_variant{"loops", "the serial code with threads: what is gained without vectors"};

template <class A>
concept HasLoops = requires {
  requires A::loops;
};

/// The variants of the backend openmp that the algorithm implements itself.
template <class A>
constexpr auto own_openmp_variants() {
  if constexpr (requires { A::openmp_variants; })
    return A::openmp_variants;
  else
    return single_variant;
}

/// These variants, and `loops` behind them.
template <class A>
inline constexpr auto openmp_variants_with_loops = [] {
  constexpr auto own = own_openmp_variants<A>();
  std::array<Variant, own.size() + 1> all{};
  std::ranges::copy(own, all.begin());
  all.back() = loops_variant;
  return all;
}();

/// Returns whether a variant of the backend openmp is `loops`.
template <class A>
constexpr bool is_loops(int variant) {
  if constexpr (HasLoops<A>)
    return variant == static_cast<int>(own_openmp_variants<A>().size());
  else
    return false;
}

}  // namespace threadscape
