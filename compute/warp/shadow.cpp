#include "compute/warp/shadow.h"

#include <algorithm>

namespace threadscape::warp {

void Publications::publish(std::uint32_t block, std::uint32_t time) {
  const std::lock_guard lock(mutex_);
  of_block_[block].emplace_back(time, last_ + 1);
  ++last_;
}

bool Publications::published(std::uint64_t note, std::uint64_t until) const {
  if (until == 0) return false;
  // Nothing more is known of the other blocks that have read.
  if ((note & note::abroad) != 0) return true;
  const std::lock_guard lock(mutex_);
  const auto found = of_block_.find(static_cast<std::uint32_t>((note & note::block_mask) >> note::block_shift));
  if (found == of_block_.end()) return false;
  return std::any_of(found->second.begin(), found->second.end(), [&](const auto& publication) {
    return note::time(note) < publication.first && publication.second <= until;
  });
}

void ShadowCells::narrow() {
  if (shift_ == 0) return;
  for (std::vector<std::uint64_t>* const notes : {&write_, &read_}) {
    std::vector<std::uint64_t> of_bytes(notes->size() * 4);
    for (std::size_t i = 0; i < of_bytes.size(); ++i)
      of_bytes[i] = (*notes)[i / 4];
    *notes = std::move(of_bytes);
  }
  shift_ = 0;
}

ShadowCells::Finding ShadowCells::find(std::uint64_t at, int bytes, bool writes, const Access& access,
                                       std::uint64_t lane, std::uint64_t& other) const {
  const std::uint64_t now = access.note + note::lane(lane);
  bool race = false, defined = true;
  const std::uint64_t last = (at + static_cast<std::uint64_t>(bytes) - 1) >> shift_;
  for (std::uint64_t i = at >> shift_; i <= last; ++i) {
    const std::uint64_t write = write_[i], read = read_[i];
    defined &= write >= access.first;
    if (access.conflicts(write, now) && !(access.strong && (write & note::atomic) != 0)) {
      other = write;
      race = true;
    }
    if (!writes) continue;
    const bool others = ((read & note::several) != 0 && read >= access.barrier) || (read & note::abroad) != 0;
    if (access.conflicts(read, now) ||
        (others && (access.publications == nullptr || !access.publications->published(read, access.until)))) {
      other = read;
      race = true;
    }
  }
  if (race) return Finding::Race;
  return defined || (writes && !access.updates) ? Finding::None : Finding::Uninitialised;
}

void ShadowCells::note(std::uint64_t at, int bytes, bool writes, const Access& access, std::uint64_t lane) {
  // The plain reads of a place are more telling than the others.
  if (!writes && access.strong) return;
  const std::uint64_t now = access.note + note::lane(lane);
  const std::uint64_t last = (at + static_cast<std::uint64_t>(bytes) - 1) >> shift_;
  for (std::uint64_t i = at >> shift_; i <= last; ++i) {
    if (writes)
      write_[i] = now | (access.strong ? note::atomic : 0);
    else
      read_[i] = now | flags_of_read(read_[i], now, access.barrier);
  }
}

void GlobalShadow::begin(const std::vector<std::pair<std::uint64_t, std::uint64_t>>& allocations) {
  for (const auto& [address, bytes] : allocations) {
    Area& area = areas_.emplace_back();
    area.first = address / piece_bytes;
    area.pieces = std::vector<std::atomic<Piece*>>((address + bytes) / piece_bytes - area.first + 1);
  }
}

GlobalShadow::Piece* GlobalShadow::piece(std::size_t allocation, std::uint64_t address, int bytes) {
  constexpr std::uint64_t note_bytes = 2 * sizeof(std::uint64_t);
  Area& area = areas_[allocation];
  std::atomic<Piece*>& place = area.pieces[address / piece_bytes - area.first];
  Piece* found = place.load(std::memory_order_acquire);
  if (found == nullptr) {
    if (full()) return nullptr;
    const std::lock_guard lock(mutex_);
    found = place.load();
    if (found == nullptr) {
      found = kept_.emplace_back(std::make_unique<Piece>()).get();
      found->cells.resize(piece_bytes);
      taken_ += piece_bytes / 4 * note_bytes;
      place.store(found, std::memory_order_release);
    }
  }
  if (bytes >= 4 || found->of_bytes) return found;
  if (full()) return nullptr;
  if (!found->of_bytes.exchange(true)) taken_ += piece_bytes * 3 / 4 * note_bytes;
  return found;
}

bool BlockClock::begin(std::uint64_t block) {
  const bool anew = time_ >= note::last_time / 2 || time_ == 0;
  time_ = anew ? 1 : time_ + 1;
  first_ = barrier_ = time_;
  fence_ = published_ = 0;
  until_ = 0;
  noted_ = false;
  hash_ = static_cast<std::uint32_t>(block * 0x9e3779b97f4a7c15U >> 51);
  return anew;
}

}  // namespace threadscape::warp
