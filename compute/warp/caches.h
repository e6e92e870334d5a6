#pragma once
// A model of the caches of a GPU. It is no count: hardware documents neither replacement nor the order of warps.
//
// L1: each multiprocessor has one of what shared memory leaves of its unified memory. Lines of 128 bytes are four
// sectors of 32 bytes. Loads fetch the sectors that they miss. Stores write through; they allocate a line without
// fetching it, so that later stores to it hit, but for the second one if the first had eight lines or more. Atomic
// operations pass by L1 and count as lookups that miss.
//
// L2: write-back, one for all multiprocessors. A100, H100 and B200 have two partitions: each multiprocessor asks the
// one that is near to it, which asks the other for sectors whose home that is, and keeps a copy of what was read.
// Stores hit.
//
// Both have 16 ways, the least recently used line is replaced, and a hash of the address chooses the set.
//
// The rules and the constant `other_lookups` are fitted to counters of an H100: docs/MICROSCOPE.md compares them.

#include <cstdint>
#include <vector>

#include "compute/warp/gpu_models.h"
#include "compute/warp/machine.h"

namespace threadscape::warp {

/// Sums of lookups of sectors.
struct CacheTotals {
  std::uint64_t l1_sectors = 0, l1_hits = 0;
  std::uint64_t l2_sectors = 0, l2_hits = 0;
  std::uint64_t l2_asked = 0;       ///< Sectors that multiprocessors ask L2 for, without those of a far partition.
  std::uint64_t memory_loads = 0;   ///< Sectors that L2 loads from memory.
  std::uint64_t memory_stores = 0;  ///< Sectors that it will write there.
};

/// A cache whose lines are loaded by sectors.
class SectoredCache {
 public:
  explicit SectoredCache(std::int64_t bytes);

  /// Lets the processor load what the next call for the sector needs.
  void expect(std::uint64_t sector) const;
  /// True if the sector is present. It is present afterwards.
  bool load(std::uint64_t sector);
  /// Notes that a sector that is present was changed. True if it was not before.
  bool change(std::uint64_t sector);
  /// Begins a store of a warp, which has sectors in so many lines.
  void next_store(std::size_t lines);
  /// True if the line of the sector was there before this store, and this is not the second store to a line that one of
  /// many lines has allocated. The line is there afterwards.
  bool store(std::uint64_t sector);

 private:
  /// The number of the line (address / 128) and what is known of it, in one word.
  struct Line {
    std::uint64_t tag : 53 = no_line;
    std::uint64_t valid : 4 = 0;    ///< A bit for each sector.
    std::uint64_t changed : 4 = 0;  ///< A bit for each sector that is not yet in memory.
    std::uint64_t there : 1 = 0;    ///< A load or a store has come to the line.
    std::uint64_t pending : 1 = 0;  ///< The next store to the line misses.
  };
  static constexpr std::uint64_t no_line = (std::uint64_t{1} << 53) - 1;
  [[nodiscard]] std::size_t set_of(std::uint64_t tag) const;
  /// The line of the sector, which may replace another one.
  Line& line_of(std::uint64_t sector);

  std::vector<Line> lines_;  ///< Those of a set are neighbours, the last used one first.
  std::uint64_t sets_;
  std::size_t last_ = 0;                 ///< Where the set of the last sector begins.
  std::uint64_t stored_line_ = no_line;  ///< The line that this store has come to last.
  bool stored_hit_ = false;
  bool of_many_lines_ = false;
};

/// Takes the requests of a launch and looks them up.
class CacheModel final : public MemoryObserver {
 public:
  /// `shared_bytes` is what the resident blocks of a multiprocessor take of its unified memory.
  CacheModel(const GpuModel& gpu, std::int64_t shared_bytes);

  void request(int multiprocessor, const MemoryRequest& request) override;

  /// The lookups of all requests, without those of other_lookups(). The multiprocessors take turns at L2, so that the
  /// sums do not depend on the order in which they reported.
  [[nodiscard]] CacheTotals totals() const;

 private:
  /// A lookup of L2: the sector above two bits for the kind of the request.
  using Lookup = std::uint64_t;
  struct Multiprocessor {
    explicit Multiprocessor(std::int64_t l1_bytes) : l1(l1_bytes) {}
    SectoredCache l1;
    std::uint64_t sectors = 0, hits = 0;
    std::vector<Lookup> to_l2;  ///< At most lookups_kept of them.
  };
  GpuModel gpu_;
  std::vector<Multiprocessor> multiprocessors_;
};

/// Lookups of L2, all hits, that each launch makes beside its data: code, constants and parameters of the
/// multiprocessors. The counters of Nsight Compute contain them.
[[nodiscard]] std::uint64_t other_lookups(const GpuModel& gpu);

/// Bytes of L1 beside shared memory: the smallest division of the unified memory that has this much shared memory.
[[nodiscard]] std::int64_t l1_bytes_beside(const GpuModel& gpu, std::int64_t shared_bytes);

}  // namespace threadscape::warp
