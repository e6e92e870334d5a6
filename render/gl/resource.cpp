#include "render/gl/resource.h"

#include <algorithm>
#include <cstring>

#include "compute/core/errors.h"

namespace threadscape::gl {

namespace {

constexpr std::size_t part_bytes = std::size_t{1} << 20;

}  // namespace

Resource::Resource(const Shape& shape) : shape_(shape) {
  // GL has no empty buffers, but an empty sequence is a valid result.
  if (is_texture(shape.kind))
    texture_ = Texture(shape);
  else if (VolumeTexture::can_hold(shape))
    volume_ = VolumeTexture(shape);
  else
    buffer_ = Buffer(BufferUse::device, std::max<std::size_t>(shape.bytes(), 1));
}

void Resource::write(HostIn data) {
  if (!fits(data.shape)) throw UsageError(to_string(data.shape) + " does not fit memory for " + to_string(shape_));
  if (Texture* picture = texture()) return picture->write(data);
  if (VolumeTexture* voxels = volume()) return voxels->write(data);
  if (shape_.bytes() == 0) return;
  const Buffer staging(BufferUse::upload, shape_.bytes());
  const auto row = static_cast<std::size_t>(shape_.width) * shape_.pixel_bytes();
  copy(data, {staging.data(), shape_, row});
  glCopyNamedBufferSubData(staging.id(), buffer_.id(), 0, 0, static_cast<GLsizeiptr>(shape_.bytes()));
}

int Resource::part_extent() const {
  const std::size_t row = static_cast<std::size_t>(shape_.width) * shape_.pixel_bytes();
  const std::size_t unit = volume() != nullptr ? volume_.slice_bytes() : row;
  return static_cast<int>(std::max<std::size_t>(1, part_bytes / std::max<std::size_t>(unit, 1)));
}

int Resource::write_parts() const {
  if (buffer() != nullptr)
    return has_pieces() ? std::max(1, static_cast<int>((shape_.bytes() + part_bytes - 1) / part_bytes)) : 1;
  const int extent = volume() != nullptr ? volume_.size().z : texture_.height();
  return (extent + part_extent() - 1) / part_extent();
}

void Resource::write_part(HostIn data, int part) {
  if (!has_pieces() && buffer() != nullptr) return write(data);
  if (!fits(data.shape)) throw UsageError(to_string(data.shape) + " does not fit memory for " + to_string(shape_));
  const int first = part * part_extent();
  if (Texture* picture = texture())
    return picture->write_rows(data, first, std::min(part_extent(), picture->height() - first));
  if (VolumeTexture* voxels = volume()) {
    const std::byte* from = data.data + voxels->slice_bytes() * static_cast<std::size_t>(first);
    return voxels->write_slices(from, first, std::min(part_extent(), voxels->size().z - first));
  }
  const std::size_t begin = static_cast<std::size_t>(part) * part_bytes;
  const std::size_t bytes = std::min(part_bytes, shape_.bytes() - begin);
  if (bytes == 0) return;
  const Buffer staging(BufferUse::upload, bytes);
  std::memcpy(staging.data(), data.data + begin, bytes);
  glCopyNamedBufferSubData(staging.id(), buffer_.id(), 0, static_cast<GLintptr>(begin), static_cast<GLsizeiptr>(bytes));
}

PendingRead Resource::begin_read() const {
  if (const Texture* picture = texture()) return {*picture, shape_};
  if (const VolumeTexture* voxels = volume()) return PendingRead(*voxels);
  return {buffer_, shape_};
}

HostArray Resource::read() const {
  if (const VolumeTexture* voxels = volume()) return voxels->read();
  HostArray data(shape_);
  if (const Texture* picture = texture()) {
    const HostArray pixels = picture->read();
    copy({pixels.data(), shape_, pixels.pitch()}, data.view());  // the pixels with the kind of this resource
    return data;
  }
  if (shape_.bytes() == 0) return data;
  PendingRead contents(buffer_, shape_);
  copy(contents.wait(), data.view());
  return data;
}

}  // namespace threadscape::gl
