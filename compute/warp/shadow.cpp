#include "compute/warp/shadow.h"

namespace threadscape::warp {

void SharedShadow::begin(std::uint64_t bytes) {
  words_.resize((bytes + 3) / 4);
  first_phase_ = ++phase_;
  narrow_ = false;
}

void SharedShadow::begin_bytes(int bytes) {
  if (bytes >= 4 || narrow_) return;
  narrow_ = true;
  bytes_.assign(words_.size() * 4, Cell{});
}

bool SharedShadow::write_cell(Cell& cell, const Access& access, bool atomic, std::uint32_t& other) const {
  bool race = false;
  if (races(cell.write, access) && !(atomic && (cell.write.who & Access::mark) != 0)) {
    other = cell.write.who >> Access::operation_shift;
    race = true;
  } else if (!atomic && races_with_reads(cell, access)) {
    other = cell.read.who >> Access::operation_shift;
    race = true;
  }
  cell.write = {phase_, access.who | (atomic ? Access::mark : 0), access.instant};
  return race;
}

SharedShadow::Finding SharedShadow::read_any(std::uint64_t at, int bytes, const Access& access, std::uint32_t& other) {
  begin_bytes(bytes);
  const std::uint64_t end = at + static_cast<std::uint64_t>(bytes);
  bool race = false, defined = true;
  const auto check = [&](Cell& cell, bool notes) {
    if (races(cell.write, access)) {
      other = cell.write.who >> Access::operation_shift;
      race = true;
    }
    if (notes) read_cell(cell, access);
  };
  for (std::uint64_t word = at / 4; word <= (end - 1) / 4; ++word) {
    const bool word_defined = words_[word].write.phase >= first_phase_;
    check(words_[word], bytes >= 4);
    if (!narrow_) {
      defined &= word_defined;
      continue;
    }
    for (std::uint64_t byte = word * 4; byte < word * 4 + 4; ++byte) {
      if (byte < at || byte >= end) continue;
      check(bytes_[byte], true);
      defined &= word_defined || bytes_[byte].write.phase >= first_phase_;
    }
  }
  return race ? Finding::Race : defined ? Finding::None : Finding::Uninitialised;
}

SharedShadow::Finding SharedShadow::write_any(std::uint64_t at, int bytes, const Access& access, bool atomic,
                                              std::uint32_t& other) {
  begin_bytes(bytes);
  const std::uint64_t end = at + static_cast<std::uint64_t>(bytes);
  bool race = false;
  for (std::uint64_t word = at / 4; word <= (end - 1) / 4; ++word) {
    Cell& cell = words_[word];
    if (bytes >= 4) {
      race |= write_cell(cell, access, atomic, other);
    } else if (races(cell.write, access) || races_with_reads(cell, access)) {
      other = (races(cell.write, access) ? cell.write.who : cell.read.who) >> Access::operation_shift;
      race = true;
    }
    if (!narrow_) continue;
    for (std::uint64_t byte = word * 4; byte < word * 4 + 4; ++byte)
      if (byte >= at && byte < end) race |= write_cell(bytes_[byte], access, atomic, other);
  }
  return race ? Finding::Race : Finding::None;
}

}  // namespace threadscape::warp
