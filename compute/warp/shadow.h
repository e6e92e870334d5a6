#pragma once
// A shadow of shared memory, which finds races and reads of what was never written.

#include <cstdint>
#include <vector>

namespace threadscape::warp {

/// An access of a thread. Two accesses between the same barriers of the block are without an order, unless one thread
/// did both, or one warp did both with a barrier of the warp between them.
struct Access {
  std::uint32_t who = 0;      ///< The operation of the launch, above 11 bits of which the lowest 10 are the thread.
  std::uint32_t instant = 0;  ///< The number of the instruction among those of the warp, whose lanes act at once.
  std::uint32_t ordered = 0;  ///< Instructions of the warp before that one are ordered by a barrier of the warp.

  static constexpr std::uint32_t thread_mask = 1023, mark = 1024, operation_shift = 11;
};

class SharedShadow {
 public:
  enum class Finding { None, Race, Uninitialised };

  /// Begins a block, whose memory is undefined.
  void begin(std::uint64_t bytes);
  void barrier() { ++phase_; }

  /// Notes the access of a thread to some bytes. With a race, `other` is the operation of the other access. An atomic
  /// access is a write that other atomic ones do not race with.
  Finding read(std::uint64_t at, int bytes, const Access& access, std::uint32_t& other) {
    if (bytes == 4 && !narrow_) {
      Cell& cell = words_[at / 4];
      if (cell.write.phase == phase_) return read_any(at, bytes, access, other);
      read_cell(cell, access);
      return cell.write.phase >= first_phase_ ? Finding::None : Finding::Uninitialised;
    }
    return read_any(at, bytes, access, other);
  }
  Finding write(std::uint64_t at, int bytes, const Access& access, bool atomic, std::uint32_t& other) {
    if (bytes == 4 && !narrow_) {
      Cell& cell = words_[at / 4];
      if (cell.write.phase == phase_ || cell.read.phase == phase_) return write_any(at, bytes, access, atomic, other);
      cell.write = {phase_, access.who | (atomic ? Access::mark : 0), access.instant};
      return Finding::None;
    }
    return write_any(at, bytes, access, atomic, other);
  }

 private:
  struct Note {
    std::uint32_t phase = 0;  ///< Grows with each barrier of the block, and from block to block.
    std::uint32_t who =
        0;  ///< As Access::who; the mark says of a read that several warps did it, of a write that it is atomic.
    std::uint32_t instant = 0;
  };
  struct Cell {
    Note write, read;
  };
  [[nodiscard]] bool races(const Note& before, const Access& now) const {
    if (before.phase != phase_) return false;
    const std::uint32_t apart = (before.who ^ now.who) & Access::thread_mask;
    if (apart >= 32) return true;
    return apart != 0 && before.instant != now.instant && before.instant >= now.ordered;
  }
  [[nodiscard]] bool races_with_reads(const Cell& cell, const Access& now) const {
    return races(cell.read, now) || (cell.read.phase == phase_ && (cell.read.who & Access::mark) != 0);
  }
  void read_cell(Cell& cell, const Access& access) const {
    const bool again = cell.read.phase == phase_;
    const bool others =
        again && ((cell.read.who & Access::mark) != 0 || ((cell.read.who ^ access.who) & Access::thread_mask) >= 32);
    cell.read = {phase_, access.who | (others ? Access::mark : 0), access.instant};
  }
  Finding read_any(std::uint64_t at, int bytes, const Access& access, std::uint32_t& other);
  Finding write_any(std::uint64_t at, int bytes, const Access& access, bool atomic, std::uint32_t& other);
  [[nodiscard]] bool write_cell(Cell& cell, const Access& access, bool atomic, std::uint32_t& other) const;
  void begin_bytes(int bytes);

  std::vector<Cell> words_, bytes_;
  bool narrow_ = false;  ///< Something shorter than a word was accessed in this block.
  std::uint32_t phase_ = 1, first_phase_ = 1;
};

}  // namespace threadscape::warp
