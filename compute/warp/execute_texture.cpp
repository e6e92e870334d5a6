// Reads through the texture units. They go by L1 as loads of global memory do, but have counts of their own.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "compute/warp/decoder.h"
#include "compute/warp/requests.h"
#include "compute/warp/state.h"

namespace threadscape::warp {
namespace {

/// The word at the place of a coordinate, which is clamped to the edges; null beyond the ends of a line of words, where
/// reads give zero.
const std::byte* word_at(const Texture& texture, std::int64_t x, std::int64_t y) {
  const auto width = static_cast<std::int64_t>(texture.width), height = static_cast<std::int64_t>(texture.height);
  if (height == 0 && (x < 0 || x >= width)) return nullptr;
  const std::int64_t column = std::clamp<std::int64_t>(x, 0, width - 1);
  const std::int64_t row = height == 0 ? 0 : std::clamp<std::int64_t>(y, 0, height - 1);
  return texture.words + static_cast<std::uint64_t>(row) * texture.pitch_bytes +
         static_cast<std::uint64_t>(column) * sizeof(std::uint32_t);
}

/// Counts the request of the lanes of a mask and reports it to the observer.
void count_request(Warp& warp, const Operation& op, const Addresses& at, std::uint32_t mask) {
  if (mask == 0) return;
  Block& block = *warp.block;
  const Sectors sectors(at, mask, sizeof(std::uint32_t));
  Counts& counts = block.counts(warp, op);
  ++counts.texture_requests;
  counts.texture_sectors += sectors.list().size();
  if (block.queues.empty()) return;
  block.queues[warp.number].add({.kind = MemoryRequest::Kind::Load,
                                 .instruction = block.operation_number(warp, op),
                                 .block = block.number,
                                 .sectors = sectors.list()});
}

}  // namespace

void fetch_texture(Warp& warp, const Operation& op, std::uint32_t mask) {
  const auto* const textures = warp.block->launch.request->textures;
  const auto coordinate = [&](std::uint32_t slot, std::size_t lane) -> std::int64_t {
    if (slot == none) return 0;
    if (op.mode == 0) return warp.lanes<std::int32_t>(slot)[lane];
    // Coordinates of billions lie beyond every edge.
    constexpr float most = 1e9f;
    return static_cast<std::int64_t>(std::clamp(std::floor(warp.lanes<float>(slot)[lane]), -most, most));
  };
  Addresses at{};
  std::uint32_t inside = 0;
  for (std::uint32_t left = mask; left != 0; left &= left - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(left));
    const std::uint64_t handle = warp.lanes<std::uint64_t>(op.s[0])[lane];
    const auto found =
        textures == nullptr ? std::map<std::uint64_t, Texture>::const_iterator() : textures->find(handle);
    if (textures == nullptr || found == textures->end()) {
      warp.block->fault(Fault::Kind::OutOfBounds, warp, op, static_cast<int>(lane), handle,
                        "a texture with a handle that is none");
      return;
    }
    std::uint32_t word = 0;
    if (const std::byte* const place = word_at(found->second, coordinate(op.s[1], lane), coordinate(op.s[2], lane))) {
      std::memcpy(&word, place, sizeof(word));
      at[lane] = reinterpret_cast<std::uintptr_t>(place);
      inside |= 1U << lane;
    }
    // A texture of one channel has zeros in the second and third, and one in the last.
    const std::uint32_t values[] = {word, 0, 0, 1};
    for (std::size_t channel = 0; channel < op.list_count; ++channel)
      if (const std::uint32_t slot = warp.code->slots[op.list + channel]; slot != none)
        warp.lanes<std::uint32_t>(slot)[lane] = values[channel];
  }
  count_request(warp, op, at, inside);
}

}  // namespace threadscape::warp
