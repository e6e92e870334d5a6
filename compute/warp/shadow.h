#pragma once
// Shadows of memory, which find races and reads of what was never written.

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "compute/warp/requests.h"

namespace threadscape::warp {

/// An access as a shadow keeps it, in one word; 0 is none. From the lowest bits: flags, a hash of the block, the
/// operation of the launch, the thread, and the time by the clock of the block. A sign bit of 0 is left above.
namespace note {
inline constexpr int block_shift = 2, operation_shift = 15, thread_shift = 32, time_shift = 42;
inline constexpr std::uint64_t atomic = 1;   ///< The write is atomic, or orders others.
inline constexpr std::uint64_t several = 1;  ///< The read is not alone: other warps of the block have read, too.
inline constexpr std::uint64_t abroad = 2;   ///< The read is not alone: other blocks have read, too.
inline constexpr std::uint64_t block_mask = 0x1fffU << block_shift;
inline constexpr std::uint64_t operation_mask = std::uint64_t{0x1ffff} << operation_shift;
inline constexpr std::uint64_t lane_mask = std::uint64_t{31} << thread_shift;
inline constexpr std::uint64_t warp_mask = std::uint64_t{31} << (thread_shift + 5);
inline constexpr std::uint32_t last_time = (std::uint32_t{1} << 21) - 1;

inline std::uint64_t lane(std::uint64_t lane) {
  return lane << thread_shift;
}
inline std::uint32_t operation(std::uint64_t note) {
  return static_cast<std::uint32_t>((note & operation_mask) >> operation_shift);
}
inline std::uint32_t thread(std::uint64_t note) {
  return static_cast<std::uint32_t>(note >> thread_shift) & 1023;
}
inline std::uint32_t time(std::uint64_t note) {
  return static_cast<std::uint32_t>(note >> time_shift);
}
}  // namespace note

/// What the blocks of a launch have made known to each other: a block that has fenced, and then writes atomically,
/// publishes what it did before the fence. A block that reads such a place is ordered behind all that was published.
class Publications {
 public:
  /// Publishes what a block, by its hash, did before a time.
  void publish(std::uint32_t block, std::uint32_t time);
  /// The number of the last publication.
  [[nodiscard]] std::uint64_t last() const { return last_.load(); }
  /// True if what a note says was published by then.
  [[nodiscard]] bool published(std::uint64_t note, std::uint64_t until) const;

 private:
  std::atomic<std::uint64_t> last_{0};
  mutable std::mutex mutex_;
  /// Times and numbers of the publications of each block, ascending.
  std::map<std::uint32_t, std::vector<std::pair<std::uint32_t, std::uint64_t>>> of_block_;
};

/// The accesses of the lanes of one instruction of a warp.
struct Access {
  std::uint64_t note = 0;     ///< That of lane 0, without flags.
  std::uint64_t barrier = 0;  ///< Lower notes of the block are ordered by a barrier of the block.
  std::uint64_t synced = 0;   ///< Lower notes of the warp are ordered by a barrier of the warp.
  std::uint64_t first = 0;    ///< Lower notes are those of earlier blocks; 0 for memory that outlives them.
  std::uint64_t until = 0;    ///< The last publication that the block has seen.
  bool strong = false;        ///< Atomic, volatile, relaxed, acquire or release: two such accesses do not race.
  bool updates = false;       ///< The write depends on the value that it replaces.
  const Publications* publications = nullptr;

  /// True if nothing orders a noted access before that of a lane, whose note is `now`.
  [[nodiscard]] bool conflicts(std::uint64_t before, std::uint64_t now) const {
    if (before == 0) return false;
    const std::uint64_t apart = before ^ now;
    const bool same_block = (apart & note::block_mask) == 0;
    const bool same_warp = same_block && (apart & note::warp_mask) == 0;
    if (same_warp && (apart & note::lane_mask) == 0) return false;
    if (same_block && before < (same_warp ? synced : barrier)) return false;
    return publications == nullptr || !publications->published(before, until);
  }
};

/// The last accesses to a piece of memory: of each word, or of each byte once something shorter was accessed.
class ShadowCells {
 public:
  enum class Finding { None, Race, Uninitialised };

  void resize(std::uint64_t bytes) {
    shift_ = 2;
    write_.assign((bytes + 3) / 4, 0);
    read_.assign((bytes + 3) / 4, 0);
  }
  /// Forgets all accesses.
  void clear() { resize(bytes()); }
  [[nodiscard]] std::uint64_t bytes() const { return write_.size() << shift_; }

  /// What the access of a lane to some bytes of the piece finds. With a race, `other` is the note of the other access.
  /// Lanes act at once: all of an instruction look before the first one notes its access.
  Finding find(std::uint64_t at, int bytes, bool writes, const Access& access, std::uint64_t lane,
               std::uint64_t& other) const;
  void note(std::uint64_t at, int bytes, bool writes, const Access& access, std::uint64_t lane);
  /// Notes the accesses of all lanes to neighbouring elements. False if that may have a finding; nothing is noted then.
  bool read_all(std::uint64_t at, int bytes, const Access& access);
  bool write_all(std::uint64_t at, int bytes, const Access& access);
  /// Notes the accesses of the lanes of a mask to words anywhere, in the same way. The piece begins at `begin`.
  bool read_words(const Addresses& at, std::uint64_t begin, std::uint32_t mask, const Access& access);
  bool write_words(const Addresses& at, std::uint64_t begin, std::uint32_t mask, const Access& access);
  /// Gives each byte a note of its own, which accesses of fewer than four bytes need.
  void narrow();
  /// True if another block has written a place atomically.
  [[nodiscard]] bool written_abroad(std::uint64_t at, std::uint64_t note) const {
    const std::uint64_t write = write_[at >> shift_];
    return (write & note::atomic) != 0 && ((write ^ note) & note::block_mask) != 0;
  }

 private:
  /// What the note of a read says of the ones before it.
  static std::uint64_t flags_of_read(std::uint64_t before, std::uint64_t now, std::uint64_t barrier) {
    if (before == 0) return 0;
    const std::uint64_t apart = before ^ now, abroad = before & note::abroad;
    if ((apart & note::block_mask) != 0) return note::abroad;
    const bool others = (apart & note::warp_mask) != 0 || (before & note::several) != 0;
    return abroad | (others && before >= barrier ? note::several : 0);
  }

  std::vector<std::uint64_t> write_, read_;
  int shift_ = 2;  ///< A note is for 2^shift_ bytes.
};

/// Which bytes of the threads' local memory a block has written.
class LocalShadow {
 public:
  /// Begins a block that has written nothing.
  void begin(std::uint64_t bytes) {
    if (++block_ == 0 || written_.size() != bytes) {
      written_.assign(bytes, 0);
      block_ = 1;
    }
  }
  void mark(std::uint64_t at, std::uint64_t bytes) { std::memset(written_.data() + at, block_, bytes); }
  void forget(std::uint64_t at, std::uint64_t bytes) { std::memset(written_.data() + at, 0, bytes); }
  [[nodiscard]] bool written(std::uint64_t at, std::uint64_t bytes) const {
    return std::all_of(&written_[at], &written_[at] + bytes, [&](std::uint8_t by) { return by == block_; });
  }

 private:
  std::vector<std::uint8_t> written_;  ///< For each byte the last block that has written it, counted from 1 to 255.
  std::uint8_t block_ = 0;
};

/// The shadow of the memory that all blocks reach. Threads of the host may use it at once.
class GlobalShadow {
 public:
  /// The most memory that a launch takes for it; what lies in other pieces is not looked at.
  static constexpr std::uint64_t max_bytes = std::uint64_t{2} << 30;
  static constexpr std::uint64_t piece_bytes = 1024;

  /// A piece of memory, which one thread of the host holds.
  struct Piece {
    std::atomic<bool> held{false};
    std::atomic<bool> of_bytes{false};  ///< Something shorter than a word was accessed.
    ShadowCells cells;
    void take() {
      while (held.exchange(true, std::memory_order_acquire)) {
      }
    }
    void give_back() { held.store(false, std::memory_order_release); }
  };

  /// Begins with allocations of the given first addresses and sizes.
  void begin(const std::vector<std::pair<std::uint64_t, std::uint64_t>>& allocations);
  /// The piece of an allocation that holds an address, for accesses of so many bytes; null where there is no more
  /// memory.
  Piece* piece(std::size_t allocation, std::uint64_t address, int bytes);
  [[nodiscard]] bool full() const { return taken_ > max_bytes; }

  Publications publications;

 private:
  struct Area {
    std::uint64_t first = 0;  ///< The number of the first piece of the address space.
    std::vector<std::atomic<Piece*>> pieces;
  };
  std::vector<Area> areas_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Piece>> kept_;
  std::atomic<std::uint64_t> taken_{0};  ///< Bytes of all pieces.
};

/// Orders the accesses of a block: grows with its barriers, if there were accesses since the last one.
class BlockClock {
 public:
  /// Begins a block. True if the notes of earlier blocks have to be forgotten, since times begin anew.
  bool begin(std::uint64_t block);
  void barrier() { barrier_ = tick(); }
  /// The time of a barrier of a warp.
  [[nodiscard]] std::uint32_t tick() {
    time_ += noted_ && !exhausted() ? 1 : 0;
    noted_ = false;
    return time_;
  }
  void fence() { fence_ = tick(); }
  /// Publishes what was before the last fence, before an atomic write.
  void publish(Publications& publications) {
    if (fence_ <= published_) return;
    publications.publish(hash_, fence_);
    published_ = fence_;
  }
  void acquire(const Publications& publications) { until_ = publications.last(); }
  /// True if so many barriers have passed that accesses cannot be told apart.
  [[nodiscard]] bool exhausted() const { return time_ >= note::last_time; }
  /// Accesses that lanes of a warp make now.
  [[nodiscard]] Access access(std::uint32_t warp, std::uint32_t operation, std::uint32_t synced, bool strong) {
    noted_ = true;
    const auto at = [](std::uint32_t time) { return std::uint64_t{time} << note::time_shift; };
    return {.note = at(time_) | std::uint64_t{warp * 32} << note::thread_shift |
                    std::uint64_t{operation < 0x1ffff ? operation : 0x1ffff} << note::operation_shift,
            .barrier = at(barrier_),
            .synced = at(synced > barrier_ ? synced : barrier_),
            .first = at(first_),
            .until = until_,
            .strong = strong};
  }
  /// The hash of the block as a part of a note.
  [[nodiscard]] std::uint64_t block() const { return std::uint64_t{hash_} << note::block_shift; }

 private:
  std::uint32_t time_ = 0, first_ = 0, barrier_ = 0, fence_ = 0, published_ = 0;
  std::uint32_t hash_ = 0;
  std::uint64_t until_ = 0;
  bool noted_ = false;
};

}  // namespace threadscape::warp
