#include "app/ui/changed_tiles.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <utility>

namespace threadscape::app {

namespace {

/// Number of pixels that are taken to cost as much as one more rectangle, for which the draw lists that touch it are
/// uploaded and transformed again. It is an estimate for llvmpipe, which draws so many pixels in about 0.2 ms.
constexpr long long pixels_per_rect = 8192;

/// The odd constants are those of the hash function MurmurHash3.
std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value * 0xff51afd7ed558ccdu) * 0xc4ceb9fe1a85ec53u;
  return hash ^ hash >> 32;
}

std::uint64_t mixed(std::uint64_t hash, float a, float b) {
  return mixed(hash, std::uint64_t{std::bit_cast<std::uint32_t>(a)} << 32 | std::bit_cast<std::uint32_t>(b));
}

/// The pixels that a rectangle in real numbers touches, within `limit`. Numbers that are none count as 0.
WindowRect touched(float left, float top, float right, float bottom, const WindowRect& limit) {
  const auto pixel = [](float value, int low, int high) {
    return value > static_cast<float>(low) ? static_cast<int>(std::min(value, static_cast<float>(high))) : low;
  };
  return {pixel(std::floor(left), limit.left, limit.right), pixel(std::floor(top), limit.top, limit.bottom),
          pixel(std::ceil(right), limit.left, limit.right), pixel(std::ceil(bottom), limit.top, limit.bottom)};
}

/// Merges rectangles as long as drawing their bounds costs less than drawing both.
void merge(std::vector<WindowRect>& rects) {
  for (bool merged = true; merged;) {
    merged = false;
    for (std::size_t i = 0; i < rects.size(); ++i)
      for (std::size_t j = i + 1; j < rects.size();) {
        const WindowRect both = bounds(rects[i], rects[j]);
        if (both.area() > rects[i].area() + rects[j].area() + pixels_per_rect) {
          ++j;
          continue;
        }
        rects[i] = both;
        rects[j] = rects.back();
        rects.pop_back();
        merged = true;
      }
  }
}

}  // namespace

WindowRect intersection(const WindowRect& a, const WindowRect& b) {
  return {std::max(a.left, b.left), std::max(a.top, b.top), std::min(a.right, b.right), std::min(a.bottom, b.bottom)};
}

WindowRect bounds(const WindowRect& a, const WindowRect& b) {
  return {std::min(a.left, b.left), std::min(a.top, b.top), std::max(a.right, b.right), std::max(a.bottom, b.bottom)};
}

std::vector<WindowRect> ChangedTiles::update(const ImDrawData& data, int width, int height,
                                             const WindowRect& drawn_anew) {
  if (width != width_ || height != height_) {
    width_ = width;
    height_ = height;
    columns_ = (width + tile - 1) / tile;
    rows_ = (height + tile - 1) / tile;
    hashes_.clear();  // All tiles differ from what has no hash.
  }
  ++frame_;
  std::swap(hashes_, last_);
  hashes_.assign(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_), 0);
  // What the pixels that are drawn anew have hidden is drawn when they have another place.
  if (!drawn_anew.empty())
    add(drawn_anew, mixed(mixed(1, static_cast<float>(drawn_anew.left), static_cast<float>(drawn_anew.top)),
                          static_cast<float>(drawn_anew.right), static_cast<float>(drawn_anew.bottom)));
  for (const ImDrawList* list : data.CmdLists)
    add_list(*list, data.DisplayPos);
  if (last_.size() != hashes_.size()) return {{0, 0, width, height}};

  std::vector<WindowRect> rects;
  for (int row = 0; row < rows_; ++row)
    for (int column = 0; column < columns_; ++column) {
      const auto at = static_cast<std::size_t>(row * columns_ + column);
      const WindowRect here{column * tile, row * tile, std::min((column + 1) * tile, width),
                            std::min((row + 1) * tile, height)};
      if (hashes_[at] == last_[at] || intersection(here, drawn_anew) == here) continue;
      // A row of tiles that differ is one rectangle.
      if (!rects.empty() && rects.back().top == here.top && rects.back().right == here.left)
        rects.back().right = here.right;
      else
        rects.push_back(here);
    }
  merge(rects);
  return rects;
}

void ChangedTiles::add_list(const ImDrawList& list, ImVec2 corner) {
  vertex_hashes_.clear();
  for (const ImDrawVert& vertex : list.VtxBuffer)
    vertex_hashes_.push_back(mixed(mixed(vertex.col, vertex.pos.x, vertex.pos.y), vertex.uv.x, vertex.uv.y));
  for (const ImDrawCmd& command : list.CmdBuffer) {
    if (command.UserCallback != nullptr) continue;
    const WindowRect clip =
        touched(command.ClipRect.x - corner.x, command.ClipRect.y - corner.y, command.ClipRect.z - corner.x,
                command.ClipRect.w - corner.y, {0, 0, width_, height_});
    if (clip.empty()) continue;
    std::uint64_t salt =
        mixed(mixed(0, command.ClipRect.x, command.ClipRect.y), command.ClipRect.z, command.ClipRect.w);
    // The texture with the glyphs gains texels, but loses none: ImGui makes another one, with another number, instead.
    salt = command.TexRef._TexData != nullptr
               ? mixed(salt, static_cast<std::uint64_t>(command.TexRef._TexData->UniqueID))
               : mixed(mixed(salt, frame_), command.TexRef._TexID);
    for (unsigned i = 0; i + 2 < command.ElemCount; i += 3) {
      std::uint64_t hash = salt;
      float left = INFINITY, top = INFINITY, right = -INFINITY, bottom = -INFINITY;
      for (unsigned corner_of = 0; corner_of < 3; ++corner_of) {
        const auto index =
            static_cast<int>(command.VtxOffset + list.IdxBuffer[static_cast<int>(command.IdxOffset + i + corner_of)]);
        const ImVec2 at = list.VtxBuffer[index].pos;
        left = std::min(left, at.x);
        top = std::min(top, at.y);
        right = std::max(right, at.x);
        bottom = std::max(bottom, at.y);
        hash = mixed(hash, vertex_hashes_[static_cast<std::size_t>(index)]);
      }
      add(touched(left - corner.x, top - corner.y, right - corner.x, bottom - corner.y, clip), hash);
    }
  }
}

void ChangedTiles::add(const WindowRect& rect, std::uint64_t hash) {
  if (rect.empty()) return;
  for (int row = rect.top / tile; row <= (rect.bottom - 1) / tile; ++row)
    for (int column = rect.left / tile; column <= (rect.right - 1) / tile; ++column) {
      std::uint64_t& sum = hashes_[static_cast<std::size_t>(row * columns_ + column)];
      sum = mixed(sum, hash);
    }
}

}  // namespace threadscape::app
