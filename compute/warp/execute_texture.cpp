// Reads through the texture units. They are none of the requests for global memory that are counted.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "compute/warp/decoder.h"
#include "compute/warp/state.h"

namespace threadscape::warp {
namespace {

/// The word at the place of a coordinate, which a line of words does not clamp: beyond its ends it reads zero.
std::uint32_t word_of(const Texture& texture, std::int64_t x, std::int64_t y) {
  const auto width = static_cast<std::int64_t>(texture.width), height = static_cast<std::int64_t>(texture.height);
  if (height == 0 && (x < 0 || x >= width)) return 0;
  const std::int64_t column = std::clamp<std::int64_t>(x, 0, width - 1);
  const std::int64_t row = height == 0 ? 0 : std::clamp<std::int64_t>(y, 0, height - 1);
  std::uint32_t word = 0;
  std::memcpy(&word,
              texture.words + static_cast<std::uint64_t>(row) * texture.pitch_bytes +
                  static_cast<std::uint64_t>(column) * sizeof(word),
              sizeof(word));
  return word;
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
    // A texture of one channel has zeros in the second and third, and one in the last.
    const std::uint32_t values[] = {word_of(found->second, coordinate(op.s[1], lane), coordinate(op.s[2], lane)), 0, 0,
                                    1};
    for (std::size_t channel = 0; channel < op.list_count; ++channel)
      if (const std::uint32_t slot = warp.code->slots[op.list + channel]; slot != none)
        warp.lanes<std::uint32_t>(slot)[lane] = values[channel];
  }
}

}  // namespace threadscape::warp
