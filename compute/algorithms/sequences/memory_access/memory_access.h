#pragma once
// Reading memory by patterns: the same amount of data, and the pattern decides the bandwidth.

#include <array>
#include <string_view>
#include <tuple>

#include "compute/algorithms/sequences/memory_access/memory_access_math.h"
#include "compute/registry/algorithm.h"

namespace threadscape {

struct MemoryAccess {
  static constexpr std::string_view title = "Memory access";
  static constexpr std::string_view summary =
      "Reads a sequence by a pattern: coalesced, strided, misaligned, from registers, constant, shared or local "
      "memory, or from the caches";
  static constexpr std::string_view source =
      "NVIDIA: CUDA C++ Best Practices Guide, chapter Memory Optimizations; Harris: How to Access Global Memory "
      "Efficiently in CUDA, 2013";
  static constexpr std::string_view group = "Memory";
  static constexpr Kind input = Kind::sequence, output = Kind::sequence;
  static constexpr Tolerance tolerance = Tolerance::exact();
  static constexpr bool loops = true;
  static constexpr std::array cuda_variants{
      Variant{"global", "plain loads from global memory"},
      Variant{"texture_1d", "coalesced to random: texture fetches from linear memory, as one line"},
      Variant{"texture_2d", "coalesced to random: texture fetches from linear memory, as rows of 4096 words"}};

  static constexpr std::array<std::string_view, 14> pattern_names{
      "coalesced", "strided",   "misaligned", "random",   "registers", "constant", "constant_apart",
      "shared",    "conflicts", "struct_8",   "struct_5", "l1",        "l2",       "local"};

  struct Params {
    int count = 1 << 22;
    memory_access::Pattern pattern = memory_access::Pattern::coalesced;
    int stride = 32;
    int offset = 1;
    int rounds = 4;

    static auto fields() {
      return std::tuple{
          Field{"count", &Params::count, 1, 1 << 27, "words", "length of the sequence, when no file is given"},
          EnumField{"pattern", &Params::pattern, pattern_names,
                    "coalesced to random: of reads from the sequence; the others: of reads from a table"},
          Field{"stride", &Params::stride, 1, 4096, "words",
                "strided: between the words of neighbouring threads; conflicts: the same, in shared memory"},
          Field{"offset", &Params::offset, 0, 4096, "words", "misaligned: thread i reads word i + offset"},
          Field{"rounds", &Params::rounds, 1, 64, "rounds of 32 reads",
                "registers to local: how often each thread reads its words of the table", 1, 3}};
    }
    bool operator==(const Params&) const = default;
  };

  /// Throws UsageError unless the input is a sequence of 1 to 2^27 values of int32, as many as a texture can have.
  static Shape output_shape(const Params&, const Shape& input);
  static std::size_t scratch_bytes(const Params&, const Shape& input, Backend, int variant);
  static Shape input_shape(const Params&);
  static HostArray make_input(const Params&, std::uint64_t seed);
  static bool same_input(const Params&, const Params&);
  static memory_access::Plan plan(const Params&, const Shape& input);
  static void serial(const Params&, const HostRun&);
  static void openmp(const Params&, const HostRun&);
  static void cuda(const Params&, const DeviceRun&);
};

}  // namespace threadscape
