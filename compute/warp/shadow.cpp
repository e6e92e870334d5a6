#include "compute/warp/shadow.h"

namespace threadscape::warp {

void SharedShadow::begin(std::uint64_t bytes) {
  words_.resize((bytes + 3) / 4);
  first_phase_ = ++phase_;
  narrow_ = false;
}

bool SharedShadow::races(const Access& before, const Access& now) const {
  if (before.phase != phase_) return false;
  if (before.several) return true;
  if (before.thread == now.thread) return false;
  if (before.thread / 32 != now.thread / 32) return true;
  return before.warp_phase == now.warp_phase && before.instant != now.instant;
}

SharedShadow::Finding SharedShadow::read_cell(Cell& cell, const Access& access, std::uint32_t& other) const {
  const bool race = races(cell.write, access);
  if (race) other = cell.write.operation;
  if (cell.read.phase == phase_ && cell.read.thread != access.thread) {
    // Readers of one warp stay one reader, so that a barrier of the warp orders them before its writes.
    if (cell.read.thread / 32 != access.thread / 32) {
      cell.read.several = true;
    } else if (!cell.read.several) {
      cell.read = access;
    }
  } else if (cell.read.phase != phase_ || !cell.read.several) {
    cell.read = access;
  }
  return race ? Finding::Race : Finding::None;
}

SharedShadow::Finding SharedShadow::write_cell(Cell& cell, const Access& access, bool atomic,
                                               std::uint32_t& other) const {
  Finding finding = Finding::None;
  if (races(cell.write, access) && !(atomic && cell.atomic)) {
    other = cell.write.operation;
    finding = Finding::Race;
  } else if (races(cell.read, access) && !atomic) {
    other = cell.read.operation;
    finding = Finding::Race;
  }
  cell.write = access;
  cell.atomic = atomic;
  return finding;
}

SharedShadow::Finding SharedShadow::read(std::uint64_t at, int bytes, const Access& access, std::uint32_t& other) {
  Finding finding = Finding::None;
  if (bytes < 4 && !narrow_) {
    narrow_ = true;
    bytes_.assign(words_.size() * 4, Cell{});
  }
  const std::uint64_t end = at + static_cast<std::uint64_t>(bytes);
  bool defined = true;
  for (std::uint64_t word = at / 4; word <= (end - 1) / 4; ++word) {
    Cell& cell = words_[word];
    const bool word_defined = cell.write.phase >= first_phase_;
    if (bytes < 4) {
      if (races(cell.write, access)) {
        other = cell.write.operation;
        finding = Finding::Race;
      }
    } else if (read_cell(cell, access, other) != Finding::None) {
      finding = Finding::Race;
    }
    if (!narrow_) {
      defined &= word_defined;
      continue;
    }
    for (std::uint64_t byte = word * 4; byte < word * 4 + 4; ++byte) {
      if (byte < at || byte >= end) continue;
      if (read_cell(bytes_[byte], access, other) != Finding::None) finding = Finding::Race;
      defined &= word_defined || bytes_[byte].write.phase >= first_phase_;
    }
  }
  return finding == Finding::None && !defined ? Finding::Uninitialised : finding;
}

SharedShadow::Finding SharedShadow::write(std::uint64_t at, int bytes, const Access& access, bool atomic,
                                          std::uint32_t& other) {
  Finding finding = Finding::None;
  if (bytes < 4 && !narrow_) {
    narrow_ = true;
    bytes_.assign(words_.size() * 4, Cell{});
  }
  const std::uint64_t end = at + static_cast<std::uint64_t>(bytes);
  for (std::uint64_t word = at / 4; word <= (end - 1) / 4; ++word) {
    Cell& cell = words_[word];
    if (bytes < 4) {
      const bool race = races(cell.write, access) || races(cell.read, access);
      if (race) {
        other = races(cell.write, access) ? cell.write.operation : cell.read.operation;
        finding = Finding::Race;
      }
    } else if (write_cell(cell, access, atomic, other) != Finding::None) {
      finding = Finding::Race;
    }
    if (!narrow_) continue;
    for (std::uint64_t byte = word * 4; byte < word * 4 + 4; ++byte)
      if (byte >= at && byte < end && write_cell(bytes_[byte], access, atomic, other) != Finding::None)
        finding = Finding::Race;
  }
  return finding;
}

}  // namespace threadscape::warp
