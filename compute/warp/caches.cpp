#include "compute/warp/caches.h"

#include <algorithm>
#include <array>
#include <span>

namespace threadscape::warp {

namespace {

constexpr std::uint64_t ways = 16, sectors_of_line = 4;
constexpr std::int64_t line_bytes = 128;
constexpr std::size_t many_lines = 8;
constexpr std::size_t lookups_kept = std::size_t{1} << 25;  // 256 MiB

/// A mix of the bits of a number (the finaliser of MurmurHash3).
std::uint64_t mixed(std::uint64_t value) {
  value ^= value >> 33;
  value *= 0xff51afd7ed558ccdull;
  value ^= value >> 33;
  value *= 0xc4ceb9fe1a85ec53ull;
  return value ^ (value >> 33);
}

std::uint64_t bit_of(std::uint64_t sector) {
  return std::uint64_t{1} << (sector % sectors_of_line);
}

std::size_t l2_partitions(const GpuModel& gpu) {
  return gpu.capability == 80 || gpu.capability == 90 || gpu.capability == 100 ? 2 : 1;
}

}  // namespace

SectoredCache::SectoredCache(std::int64_t bytes)
    : sets_(
          static_cast<std::uint64_t>(std::max<std::int64_t>(1, bytes / line_bytes / static_cast<std::int64_t>(ways)))) {
  lines_.resize(sets_ * ways);
}

std::size_t SectoredCache::set_of(std::uint64_t tag) const {
  return mixed(tag) % sets_ * ways;
}

void SectoredCache::expect(std::uint64_t sector) const {
  __builtin_prefetch(&lines_[set_of(sector / sectors_of_line)]);
}

SectoredCache::Line& SectoredCache::line_of(std::uint64_t sector) {
  const std::uint64_t tag = sector / sectors_of_line;
  if (lines_[last_].tag == tag) return lines_[last_];
  last_ = set_of(tag);
  const std::span<Line> set = std::span(lines_).subspan(last_, ways);
  auto found = std::ranges::find_if(set, [tag](const Line& line) { return line.tag == tag; });
  Line line;
  if (found == set.end()) {
    line.tag = tag;
    --found;
  } else {
    line = *found;
  }
  std::move_backward(set.begin(), found, found + 1);
  set.front() = line;
  return set.front();
}

bool SectoredCache::load(std::uint64_t sector) {
  Line& line = line_of(sector);
  const bool hit = (line.valid & bit_of(sector)) != 0;
  line.valid = (line.valid | bit_of(sector)) & 15;
  line.there = 1;
  line.pending = 0;
  return hit;
}

bool SectoredCache::change(std::uint64_t sector) {
  Line& line = line_of(sector);
  const bool is_new = (line.changed & bit_of(sector)) == 0;
  line.changed = (line.changed | bit_of(sector)) & 15;
  return is_new;
}

void SectoredCache::next_store(std::size_t lines) {
  stored_line_ = no_line;
  of_many_lines_ = lines >= many_lines;
}

bool SectoredCache::store(std::uint64_t sector) {
  if (sector / sectors_of_line == stored_line_) return stored_hit_;  // Another sector of the line.
  stored_line_ = sector / sectors_of_line;
  Line& line = line_of(sector);
  stored_hit_ = line.there != 0 && line.pending == 0;
  line.pending = line.there == 0 && of_many_lines_ ? 1 : 0;
  line.there = 1;
  return stored_hit_;
}

CacheModel::CacheModel(const GpuModel& gpu, std::int64_t shared_bytes)
    : gpu_(gpu),
      multiprocessors_(static_cast<std::size_t>(gpu.multiprocessors),
                       Multiprocessor(l1_bytes_beside(gpu, shared_bytes))) {}

void CacheModel::request(int multiprocessor, const MemoryRequest& request) {
  using Kind = MemoryRequest::Kind;
  Multiprocessor& one = multiprocessors_[static_cast<std::size_t>(multiprocessor) % multiprocessors_.size()];
  const bool load = request.kind == Kind::Load, store = request.kind == Kind::Store;
  // Operators for L2 alone, and for volatile data, pass by L1.
  const bool by_l1 = (load && request.cache != 'g' && request.cache != 'v') || store;
  if (store) {
    std::size_t lines = 0;
    for (std::size_t i = 0; i < request.sectors.size(); ++i)
      lines += i == 0 || request.sectors[i] / sectors_of_line != request.sectors[i - 1] / sectors_of_line ? 1 : 0;
    one.l1.next_store(lines);
  }
  for (const std::uint64_t sector : request.sectors) {
    const bool hit = by_l1 && (load ? one.l1.load(sector) : one.l1.store(sector));
    one.sectors += by_l1 || !load ? 1 : 0;
    one.hits += hit ? 1 : 0;
    if ((!hit || store) && one.to_l2.size() < lookups_kept / multiprocessors_.size())
      one.to_l2.push_back(sector << 2 | static_cast<std::uint64_t>(request.kind));
  }
}

CacheTotals CacheModel::totals() const {
  CacheTotals totals;
  std::size_t longest = 0;
  for (const Multiprocessor& one : multiprocessors_) {
    totals.l1_sectors += one.sectors;
    totals.l1_hits += one.hits;
    totals.l2_asked += one.to_l2.size();
    longest = std::max(longest, one.to_l2.size());
  }
  const std::size_t partitions = l2_partitions(gpu_);
  std::vector<SectoredCache> l2(partitions, SectoredCache(gpu_.l2_bytes / static_cast<std::int64_t>(partitions)));
  const auto count = [&totals](bool hit) {
    ++totals.l2_sectors;
    totals.l2_hits += hit ? 1 : 0;
    return hit;
  };
  const auto home_of = [&](std::uint64_t sector) { return mixed(sector / sectors_of_line + 1) % partitions; };
  const auto expect = [&](std::size_t i, std::size_t at) {
    const std::vector<Lookup>& lookups = multiprocessors_[i % multiprocessors_.size()].to_l2;
    if (at >= lookups.size()) return;
    for (const std::size_t partition : {i % partitions, home_of(lookups[at] >> 2)})
      l2[partition].expect(lookups[at] >> 2);
  };
  constexpr std::size_t ahead = 4;
  for (std::size_t turn = 0; turn < longest; turn += sectors_of_line)
    for (std::size_t i = 0; i < multiprocessors_.size(); ++i) {
      expect(i + ahead, turn);
      const std::vector<Lookup>& lookups = multiprocessors_[i].to_l2;
      for (std::size_t at = turn; at < std::min(turn + sectors_of_line, lookups.size()); ++at) {
        const std::uint64_t sector = lookups[at] >> 2;
        const auto kind = static_cast<MemoryRequest::Kind>(lookups[at] & 3);
        const std::size_t near = i % partitions, home = home_of(sector);
        const bool load = kind == MemoryRequest::Kind::Load;
        // Stores and atomics are done at home. They pass the near partition, whose counters call that a hit.
        if (near != home && count(!load || l2[near].load(sector)) && load) continue;
        const bool present = l2[home].load(sector);
        count(present || kind == MemoryRequest::Kind::Store);
        totals.memory_loads += present || kind == MemoryRequest::Kind::Store ? 0 : 1;
        totals.memory_stores += !load && l2[home].change(sector) ? 1 : 0;
      }
    }
  return totals;
}

std::uint64_t other_lookups(const GpuModel& gpu) {
  return 300 * static_cast<std::uint64_t>(gpu.multiprocessors);
}

std::int64_t l1_bytes_beside(const GpuModel& gpu, std::int64_t shared_bytes) {
  constexpr std::array<int, 10> divisions{0, 8, 16, 32, 64, 100, 132, 164, 196, 228};  // KiB
  for (const int division : divisions) {
    const std::int64_t bytes = std::int64_t{division} * 1024;
    if (gpu.capability < 80 && division < 32) continue;  // Turing divides into 32 and 64 KiB only.
    if (bytes >= shared_bytes && bytes <= gpu.shared_bytes) return gpu.l1_bytes - bytes;
  }
  return gpu.l1_bytes - gpu.shared_bytes;
}

}  // namespace threadscape::warp
