#pragma once
// Reduction of a sequence to one number: its sum, its minimum, its maximum, or the place of its minimum. A parallel
// reduction is a tree of combinations, and the mapping of the tree to threads decides its speed. The CUDA variants are
// the steps of Harris' lecture, each a line or two from the one before, up to the bandwidth of the memory.

#include <array>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "compute/algorithms/sequences/reduction/reduction_math.h"
#include "compute/registry/algorithm.h"

namespace threadscape {

struct Reduction {
  static constexpr std::string_view title = "Reduction";
  static constexpr std::string_view summary = "Sum, minimum, maximum or place of the minimum of a sequence";
  static constexpr std::string_view source =
      "Harris: Optimizing Parallel Reduction in CUDA, NVIDIA 2007 (the seven steps); warp shuffles: Luitjens, Faster "
      "Parallel Reductions on Kepler, 2014";
  static constexpr Kind input = Kind::sequence, output = Kind::scalar;
  static constexpr Tolerance tolerance = Tolerance::exact();
  static constexpr bool loops = true;
  static constexpr std::array serial_variants{
      Variant{"tree", "one loop; sums of floats in the stated order, pairwise"},
      Variant{"loop", "one loop and one accumulator: sums of many floats come out wrong"}};
  static constexpr std::array openmp_variants{Variant{"simd", "tiles for all threads, several accumulators of SIMD"}};
  static constexpr std::array cuda_variants{
      Variant{"shuffle", "16-byte loads, sums in registers, exchange within a warp"},
      Variant{"interleaved_modulo", "1: a tree in shared memory, every 2nd, 4th, 8th ... thread works: warps diverge"},
      Variant{"interleaved_stride", "2: the same tree, the first threads work: banks collide"},
      Variant{"sequential", "3: the upper half is added to the lower: neither diverges nor collides"},
      Variant{"first_add", "4: two values per thread, added while they are loaded"},
      Variant{"unroll_warp", "5: the last warp goes on without barriers of the block"},
      Variant{"unroll_all", "6: every step unrolled, the size of the block is known"},
      Variant{"grid_stride", "7: many values per thread, a fixed number of blocks"},
      Variant{"cub", "NVIDIA's library, to measure against"}};

  enum class Type : std::uint8_t { int32, int64, float32, float64 };
  static constexpr std::array<std::string_view, 4> type_names{"int32", "int64", "float", "double"};
  enum class Operator : std::uint8_t { sum, min, max, argmin };
  static constexpr std::array<std::string_view, 4> operator_names{"sum", "min", "max", "argmin"};

  struct Params {
    int count = 1 << 22;
    Type type = Type::int32;
    Operator operation = Operator::sum;

    static auto fields() {
      return std::tuple{
          Field{"count", &Params::count, 1, 1 << 30, "values", "length of the sequence, when no file is given"},
          EnumField{"type", &Params::type, type_names, "of the values, also of those in a raw file"},
          EnumField{"operator", &Params::operation, operator_names,
                    "sum: of int32 in 64 bits, of int64 modulo 2^64; min, max, argmin: NaN is beyond +inf, -0 < +0"}};
    }
    bool operator==(const Params&) const = default;
  };

  /// The shape of the result for up to 2^32 - 1 values. A sum of int32 and an argmin are int64; every other result has
  /// the type of the values.
  static Shape output_shape(const Params&, const Shape& input);
  static std::size_t scratch_bytes(const Params&, const Shape& input, Backend, int variant);
  /// One for each value.
  static double operations(const Params&, const Shape& input) { return static_cast<double>(input.items()); }
  /// Zero, except for sums of floats by the serial variant `loop` and by all CUDA variants other than the default,
  /// which add in another order than reduction_math.h defines. The bounds are relative to the sum of the absolute
  /// values, which is the sum itself if no value is negative.
  static Tolerance tolerance_of(const Params&, const Shape& input, Backend, int variant);
  static Shape input_shape(const Params&);
  static HostArray make_input(const Params&, std::uint64_t seed);
  static bool same_input(const Params&, const Params&);
  static std::string report(const Params&, const HostIn& in, const HostIn& result);
  static std::string why_no_join(const Params&);
  static void join(const Params&, const JoinRun&);
  static void serial(const Params&, const HostRun&);
  static void openmp(const Params&, const HostRun&);
  static void cuda(const Params&, const DeviceRun&);

  /// Calls f with the operation of the parameters: a Sum, Extreme or Argmin of their type.
  template <class F>
  static decltype(auto) with_operation(const Params& params, F&& f);
};

namespace reduction {

template <class T, class F>
decltype(auto) with_operator(Reduction::Operator operation, F&& f) {
  switch (operation) {
    case Reduction::Operator::sum:
      return f(Sum<T>{});
    case Reduction::Operator::min:
      return f(Extreme<T>{0});
    case Reduction::Operator::max:
      return f(Extreme<T>{static_cast<SortKey<T>>(~SortKey<T>{0})});
    default:
      return f(Argmin<T>{});
  }
}

}  // namespace reduction

template <class F>
decltype(auto) Reduction::with_operation(const Params& params, F&& f) {
  switch (params.type) {
    case Type::int32:
      return reduction::with_operator<std::int32_t>(params.operation, f);
    case Type::int64:
      return reduction::with_operator<std::int64_t>(params.operation, f);
    case Type::float32:
      return reduction::with_operator<float>(params.operation, f);
    default:
      return reduction::with_operator<double>(params.operation, f);
  }
}

}  // namespace threadscape
