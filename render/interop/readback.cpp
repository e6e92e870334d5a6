#include "render/interop/readback.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "compute/core/errors.h"

namespace threadscape::interop {

namespace {

template <class T>
void widen(const std::byte* from, std::vector<double>& to) {
  for (double& value : to) {
    T channel;
    std::memcpy(&channel, from, sizeof(T));
    from += sizeof(T);
    value = static_cast<double>(channel);
  }
}

}  // namespace

PixelProbe::PixelProbe(int max_side)
    : max_side_(max_side),
      buffer_(gl::BufferUse::download,
              static_cast<std::size_t>(max_side) * static_cast<std::size_t>(max_side) * 4 * sizeof(float)) {}

bool PixelProbe::request(const gl::Texture& texture, int x, int y, int width, int height) {
  if (width < 1 || height < 1 || width > max_side_ || height > max_side_)
    throw UsageError("PixelProbe: " + std::to_string(width) + "x" + std::to_string(height) + " pixels; 1 to " +
                     std::to_string(max_side_) + " per side can be read");
  const int left = std::max(x, 0), top = std::max(y, 0);
  const int right = std::min(x + width, texture.width()), bottom = std::min(y + height, texture.height());
  if (left >= right || top >= bottom) return false;

  asked_ = {left, top, right - left, bottom - top, texture.format(), {}};
  begin();
  for (const gl::Tile& tile : texture.tiles()) {
    const int from_x = std::max(left, tile.x), from_y = std::max(top, tile.y);
    const int columns = std::min(right, tile.x + tile.width) - from_x;
    const int rows = std::min(bottom, tile.y + tile.height) - from_y;
    if (columns < 1 || rows < 1) continue;
    read(texture.id(), {from_x - tile.x, from_y - tile.y, tile.layer}, {columns, rows},
         (from_y - top) * asked_.width + from_x - left);
  }
  finish();
  return true;
}

bool PixelProbe::request(const gl::VolumeTexture& volume, int x, int y, int z) {
  const glm::ivec3 size = volume.size();
  if (x < 0 || y < 0 || z < 0 || x >= size.x || y >= size.y || z >= size.z) return false;
  asked_ = {x, y, 1, 1, volume.format(), {}};
  begin();
  read(volume.id(), {x, y, z}, {1, 1}, 0);
  finish();
  return true;
}

void PixelProbe::begin() {
  glBindBuffer(GL_PIXEL_PACK_BUFFER, buffer_.id());
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glPixelStorei(GL_PACK_ROW_LENGTH, asked_.width);
}

void PixelProbe::read(GLuint texture, glm::ivec3 corner, glm::ivec2 size, int first_pixel) {
  const auto& info = gl::info_of(asked_.format);
  const int offset = first_pixel * info.pixel_bytes;
  glGetTextureSubImage(texture, 0, corner.x, corner.y, corner.z, size.x, size.y, 1, info.layout, info.type,
                       static_cast<GLsizei>(buffer_.size()) - offset,
                       reinterpret_cast<void*>(static_cast<std::uintptr_t>(offset)));
}

void PixelProbe::finish() {
  glPixelStorei(GL_PACK_ROW_LENGTH, 0);
  glPixelStorei(GL_PACK_ALIGNMENT, 4);
  glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
  fence_.place();
  pending_ = true;
}

std::optional<ProbeResult> PixelProbe::poll() {
  if (!pending_ || !fence_.passed()) return {};
  pending_ = false;
  const auto& info = gl::info_of(asked_.format);
  asked_.values.resize(static_cast<std::size_t>(asked_.width) * static_cast<std::size_t>(asked_.height) *
                       static_cast<std::size_t>(info.channels));
  switch (info.element) {
    case Element::u8:
      widen<std::uint8_t>(buffer_.data(), asked_.values);
      break;
    case Element::u16:
      widen<std::uint16_t>(buffer_.data(), asked_.values);
      break;
    default:
      widen<float>(buffer_.data(), asked_.values);
      break;
  }
  return asked_;
}

}  // namespace threadscape::interop
