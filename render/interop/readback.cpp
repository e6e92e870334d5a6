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

PixelProbe::PixelProbe() : buffer_(gl::BufferUse::download, max_side * max_side * 4 * sizeof(float)) {}

bool PixelProbe::request(const gl::Texture& texture, int x, int y, int width, int height) {
  if (width < 1 || height < 1 || width > max_side || height > max_side)
    throw UsageError("PixelProbe: " + std::to_string(width) + "x" + std::to_string(height) + " pixels; 1 to " +
                     std::to_string(max_side) + " per side can be read");
  const int left = std::max(x, 0), top = std::max(y, 0);
  const int right = std::min(x + width, texture.width()), bottom = std::min(y + height, texture.height());
  if (left >= right || top >= bottom) return false;

  asked_ = {left, top, right - left, bottom - top, texture.format(), {}};
  const auto& info = gl::info_of(texture.format());
  glBindBuffer(GL_PIXEL_PACK_BUFFER, buffer_.id());
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glGetTextureSubImage(texture.id(), 0, left, top, 0, asked_.width, asked_.height, 1, info.layout, info.type,
                       static_cast<GLsizei>(buffer_.size()), nullptr);
  glPixelStorei(GL_PACK_ALIGNMENT, 4);
  glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
  fence_.place();
  pending_ = true;
  return true;
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
