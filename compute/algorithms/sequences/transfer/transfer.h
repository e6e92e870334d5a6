#pragma once
// Moving data between host and device, as a run of its own: the time of the run is that of the transfer.

#include <array>
#include <string_view>
#include <tuple>

#include "compute/registry/algorithm.h"

namespace threadscape {

struct Transfer {
  static constexpr std::string_view title = "Transfer";
  static constexpr std::string_view summary =
      "Moves a sequence between host and device, which stays as it is; on the CPU a copy";
  static constexpr std::string_view source =
      "NVIDIA: CUDA C++ Best Practices Guide, chapter Data Transfer Between Host and Device";
  static constexpr std::string_view group = "Memory";
  static constexpr Kind input = Kind::sequence, output = Kind::sequence;
  static constexpr Tolerance tolerance = Tolerance::exact();

  enum class Direction : std::uint8_t { up, down, both };
  static constexpr std::array<std::string_view, 3> direction_names{"up", "down", "both"};
  enum class Memory : std::uint8_t { pageable, pinned, mapped };
  static constexpr std::array<std::string_view, 3> memory_names{"pageable", "pinned", "mapped"};

  struct Params {
    int count = 1 << 22;
    Direction direction = Direction::up;
    Memory memory = Memory::pageable;

    static auto fields() {
      return std::tuple{
          Field{"count", &Params::count, 1, 1 << 28, "words", "length of the sequence, when no file is given"},
          EnumField{"direction", &Params::direction, direction_names,
                    "up: to the device; down: to the host; both: up, then down"},
          EnumField{"memory", &Params::memory, memory_names,
                    "of the host: pageable, page-locked, or page-locked and read or written by a kernel (zero copy)"}};
    }
    bool operator==(const Params&) const = default;
  };

  /// Throws UsageError unless the input is a sequence with one row.
  static Shape output_shape(const Params&, const Shape& input);
  static Reach reach(const Params&) { return {}; }
  static std::size_t scratch_bytes(const Params&, const Shape& input, Backend, int variant);
  static Shape input_shape(const Params&);
  static HostArray make_input(const Params&, std::uint64_t seed);
  static bool same_input(const Params&, const Params&);
  static void serial(const Params&, const HostRun&);
  static void openmp(const Params&, const HostRun&);
  static void cuda(const Params&, const DeviceRun&);
};

}  // namespace threadscape
