#include "render/gl/volume_texture.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include "compute/core/errors.h"

namespace threadscape::gl {

namespace {

constexpr std::array volume_formats{Format::r8, Format::r16, Format::r32f};

}  // namespace

bool VolumeTexture::can_hold(const Shape& shape) {
  return shape.kind == Kind::volume && shape.channels == 1 &&
         std::ranges::any_of(volume_formats, [&](Format format) { return info_of(format).element == shape.element; });
}

VolumeTexture::VolumeTexture(const Shape& shape) {
  if (!can_hold(shape))
    throw UsageError("no texture format for " + to_string(shape) + "; volumes of u8, u16 and f32 have one");
  GLint limit = 0;
  glGetIntegerv(GL_MAX_3D_TEXTURE_SIZE, &limit);
  const std::int64_t max_side = std::max({shape.width, shape.height, shape.depth});
  const std::int64_t min_side = std::min({shape.width, shape.height, shape.depth});
  if (min_side < 1 || max_side > limit)
    throw EnvironmentError("OpenGL: a texture of " + to_string(shape) + " cannot be made; this driver takes 1 to " +
                           std::to_string(limit) + " voxels per side");
  size_ = {static_cast<int>(shape.width), static_cast<int>(shape.height), static_cast<int>(shape.depth)};
  format_ = *std::ranges::find(volume_formats, shape.element, [](Format format) { return info_of(format).element; });
  while (glGetError() != GL_NO_ERROR) {
  }
  glCreateTextures(GL_TEXTURE_3D, 1, &id_);
  glTextureStorage3D(id_, 1, info_of(format_).internal, size_.x, size_.y, size_.z);
  if (const GLenum error = glGetError(); error != GL_NO_ERROR) {
    glDeleteTextures(1, &id_);
    id_ = 0;
    throw EnvironmentError("OpenGL: no memory for a texture of " + to_string(shape));
  }
  for (const GLenum axis : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T, GL_TEXTURE_WRAP_R})
    glTextureParameteri(id_, axis, GL_CLAMP_TO_EDGE);
  glTextureParameteri(id_, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTextureParameteri(id_, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
}

VolumeTexture::~VolumeTexture() {
  if (id_) glDeleteTextures(1, &id_);
}

Shape VolumeTexture::shape() const {
  return {Kind::volume, info_of(format_).element, 1, size_.x, size_.y, size_.z};
}

std::size_t VolumeTexture::slice_bytes() const {
  return static_cast<std::size_t>(size_.x) * static_cast<std::size_t>(size_.y) *
         static_cast<std::size_t>(info_of(format_).pixel_bytes);
}

int VolumeTexture::slices_at_once() const {
  return static_cast<int>(std::clamp<std::size_t>((std::size_t{1} << 30) / slice_bytes(), 1, 1 << 20));
}

void VolumeTexture::clear(float value) {
  glClearTexImage(id_, 0, GL_RED, GL_FLOAT, &value);
}

void VolumeTexture::write(HostIn voxels) {
  if (!fits(voxels.shape))
    throw UsageError(to_string(voxels.shape) + " does not fit a texture of " + to_string(shape()));
  write_slices(voxels.data, 0, size_.z);
}

void VolumeTexture::write_slices(const void* data, int first, int count) {
  const auto& info = info_of(format_);
  const auto* from = static_cast<const std::byte*>(data);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  for (int done = 0; done < count;) {
    const int part = std::min(slices_at_once(), count - done);
    glTextureSubImage3D(id_, 0, 0, 0, first + done, size_.x, size_.y, part, info.layout, info.type,
                        from + slice_bytes() * static_cast<std::size_t>(done));
    done += part;
  }
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
}

void VolumeTexture::copy_to(std::byte* data) const {
  const auto& info = info_of(format_);
  const auto address = reinterpret_cast<std::uintptr_t>(data);  // an integer, since `data` may be an offset
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  for (int first = 0; first < size_.z;) {
    const int part = std::min(slices_at_once(), size_.z - first);
    const std::size_t bytes = slice_bytes() * static_cast<std::size_t>(part);
    glGetTextureSubImage(id_, 0, 0, 0, first, size_.x, size_.y, part, info.layout, info.type,
                         static_cast<GLsizei>(bytes),
                         reinterpret_cast<void*>(address + slice_bytes() * static_cast<std::size_t>(first)));
    first += part;
  }
  glPixelStorei(GL_PACK_ALIGNMENT, 4);
}

HostArray VolumeTexture::read() const {
  HostArray voxels(shape());
  copy_to(voxels.data());
  return voxels;
}

}  // namespace threadscape::gl
