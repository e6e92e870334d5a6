#include "render/gl/resource.h"

#include <algorithm>

#include "compute/core/errors.h"

namespace threadscape::gl {

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
