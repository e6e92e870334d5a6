#pragma once
// A run of a sketch: its buffers and its launches with their arguments, for the machine of warps and for processes.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "compute/core/data_view.h"
#include "compute/kernel/mesh_view.h"
#include "compute/sketch/sketch.h"
#include "compute/warp/machine.h"

namespace threadscape::sketch {

/// Memory at one address in all that work on it: the machine of warps, and the process of a twin. It is a file without
/// a name, which a process can be given.
class Arena {
 public:
  /// Where the memory lies for kernels and twins.
  static constexpr std::uint64_t base = std::uint64_t{1} << 44;
  /// Throws EnvironmentError if there is no such memory.
  explicit Arena(std::size_t bytes);
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  [[nodiscard]] std::byte* data() const { return data_; }
  [[nodiscard]] std::size_t size() const { return bytes_; }
  [[nodiscard]] int file() const { return file_; }

 private:
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
  int file_ = -1;
};

/// Rows of the buffers begin at multiples of so many bytes.
inline constexpr std::size_t row_alignment = 64;

/// A part of the arena.
struct Buffer {
  std::string name;  ///< "in", "out", that of a temporary, or that of a list in constant memory.
  Shape shape;       ///< Empty for a list.
  std::size_t pitch = 0, offset = 0, bytes = 0;
  [[nodiscard]] HostOut view(const Arena& arena) const { return {arena.data() + offset, shape, pitch}; }
};

struct Argument {
  std::vector<std::byte> bytes;
  bool is_address = false;  ///< It begins with an address in the arena.
  std::size_t alignment = 1;
};

/// One launch.
struct Call {
  std::size_t statement = 0;  ///< Its pass among Head::statements.
  warp::Extent grid, block;
  std::uint64_t shared_bytes = 0;
  std::vector<Argument> arguments;
};

struct Plan {
  std::vector<Buffer> buffers;
  std::vector<Call> calls;
  std::size_t bytes = 0;  ///< The size of the arena.
  [[nodiscard]] const Buffer& buffer(std::string_view name) const;
};

/// No head launches more kernels in a run.
inline constexpr std::size_t max_calls = 1 << 16;

/// The plan for an accepted input (accepted_shape()) and a result of these shapes. Throws UsageError with the line of
/// the head for what does not work out. Arguments named "seed" get the lower 31 bits of the seed. `mesh` is the header
/// of an input that is a mesh; without it the mesh counts as one of a single triangle.
[[nodiscard]] Plan make_plan(const Sketch& sketch, const std::vector<Value>& values, const Shape& input,
                             const Shape& result, std::uint64_t seed = 0, const MeshHeader* mesh = nullptr);

/// Fills all but the input with bytes that no result has by chance, and the lists with their values.
void poison(const Plan& plan, const Sketch& sketch, const std::vector<Value>& values, const Arena& arena);

/// The types of a pass's arguments as sources write them: "Image<const unsigned char>".
[[nodiscard]] std::vector<std::string> argument_types(const Head& head, const Statement& pass);

}  // namespace threadscape::sketch
