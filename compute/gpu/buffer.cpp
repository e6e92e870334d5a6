#include "compute/gpu/buffer.h"

namespace threadscape::gpu {

namespace {

void copy(const std::byte* from, std::size_t from_pitch, std::byte* to, std::size_t to_pitch, const Shape& shape,
          CopyKind kind, CudaStream stream) {
  const auto rows = static_cast<std::size_t>(shape.items() == 0 ? 0 : shape.height * shape.depth);
  if (rows == 0) return;
  stream.device->copy({.from = from,
                       .from_pitch = from_pitch,
                       .to = to,
                       .to_pitch = to_pitch,
                       .row_bytes = static_cast<std::size_t>(shape.width) * shape.pixel_bytes(),
                       .rows = rows},
                      kind, stream);
}

}  // namespace

DeviceArray& DeviceArray::operator=(DeviceArray&& other) noexcept {
  std::swap(device_, other.device_);
  std::swap(data_, other.data_);
  std::swap(capacity_, other.capacity_);
  std::swap(pitch_, other.pitch_);
  std::swap(shape_, other.shape_);
  return *this;
}

void DeviceArray::release() {
  device_->release(std::exchange(data_, nullptr));
  capacity_ = pitch_ = 0;
  shape_ = {};
}

void DeviceArray::reshape(const Shape& shape) {
  const std::size_t bytes = bytes_for(shape);
  if (bytes > capacity_) {
    release();  // The old memory is freed first, so that both never exist together.
    data_ = device_->allocate(bytes);
    capacity_ = bytes;
  }
  shape_ = shape;
  pitch_ = row_bytes(shape, row_alignment);
}

std::size_t DeviceArray::bytes_for(const Shape& shape) {
  return array_bytes(shape, row_alignment);
}

void upload(HostIn from, DeviceOut to, CudaStream stream) {
  copy(from.data, from.pitch, to.data, to.pitch, from.shape, CopyKind::to_device, stream);
}

void download(DeviceIn from, HostOut to, CudaStream stream) {
  copy(from.data, from.pitch, to.data, to.pitch, from.shape, CopyKind::to_host, stream);
}

void PinnedBuffer::release() {
  device_->release_pinned(std::exchange(data_, nullptr));
  size_ = 0;
}

void PinnedBuffer::reserve(std::size_t bytes) {
  if (bytes <= size_) return;
  release();
  data_ = device_->allocate_pinned(bytes);
  size_ = bytes;
}

}  // namespace threadscape::gpu
