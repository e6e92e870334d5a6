#pragma once
// A shadow of shared memory, which finds races and reads of what was never written.

#include <cstdint>
#include <vector>

namespace threadscape::warp {

/// Who did an access, and when. Two accesses of one phase are without an order, unless one thread did both, or one warp
/// did both with a barrier of the warp between them.
struct Access {
  std::uint32_t phase = 0;       ///< Grows with each barrier of the block, and from block to block.
  std::uint32_t warp_phase = 0;  ///< Grows with each barrier of the warp.
  std::uint16_t thread = 0;
  bool several = false;         ///< Other threads have read it in this phase too.
  std::uint32_t operation = 0;  ///< Of the launch.
  std::uint32_t instant = 0;    ///< The number of the instruction among those of the warp, whose lanes act at once.
};

class SharedShadow {
 public:
  enum class Finding { None, Race, Uninitialised };

  /// Begins a block, whose memory is undefined.
  void begin(std::uint64_t bytes);
  void barrier() { ++phase_; }
  [[nodiscard]] std::uint32_t phase() const { return phase_; }

  /// Notes the access of a thread to some bytes. With a race, `other` is the operation of the other access. An atomic
  /// access is a write that other atomic ones do not race with.
  Finding read(std::uint64_t at, int bytes, const Access& access, std::uint32_t& other);
  Finding write(std::uint64_t at, int bytes, const Access& access, bool atomic, std::uint32_t& other);

 private:
  struct Cell {
    Access write, read;
    bool atomic = false;
  };
  [[nodiscard]] bool races(const Access& before, const Access& now) const;
  [[nodiscard]] Finding read_cell(Cell& cell, const Access& access, std::uint32_t& other) const;
  [[nodiscard]] Finding write_cell(Cell& cell, const Access& access, bool atomic, std::uint32_t& other) const;

  std::vector<Cell> words_, bytes_;
  bool narrow_ = false;  ///< Something shorter than a word was accessed in this block.
  std::uint32_t phase_ = 1, first_phase_ = 1;
};

}  // namespace threadscape::warp
