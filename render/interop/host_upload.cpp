#include "render/interop/host_upload.h"

#include <algorithm>
#include <chrono>

#include "compute/core/errors.h"

namespace threadscape::interop {

namespace {

constexpr std::size_t row_alignment = 64;
/// Buffers up to this size are kept, even if later results are smaller.
constexpr std::size_t kept_bytes = std::size_t{1} << 20;
/// A buffer that is more than a quarter too large for this number of results in a row is given back, so that one large
/// result does not cost its memory for ever, and results of two sizes in turns do not cost an allocation each.
constexpr int max_oversized_uses = 3;

}  // namespace

HostUploader::HostUploader() = default;

HostOut HostUploader::acquire(const Shape& shape) {
  if (acquired_) throw UsageError("HostUploader: the last result was neither submitted nor cancelled");
  if (gl::Resource::is_texture(shape.kind)) {
    (void)gl::format_of(shape);  // refuses what is no texture before memory is taken
    if (shape.width < 1 || shape.height < 1) throw UsageError("HostUploader: " + to_string(shape) + " is empty");
  }
  const std::size_t pitch = row_bytes(shape, row_alignment);
  const std::size_t bytes = std::max<std::size_t>(array_bytes(shape, row_alignment), 1);
  Slot& slot = ring_[current_];
  slot.fence.wait();
  const bool oversized = slot.buffer.size() > kept_bytes && slot.buffer.size() / 5 * 4 > bytes;
  slot.oversized_uses = oversized ? slot.oversized_uses + 1 : 0;
  if (slot.buffer.size() < bytes || slot.oversized_uses >= max_oversized_uses) {
    slot.buffer = {};  // The old buffer is freed first, so that both never exist together.
    slot.buffer = gl::Buffer(gl::BufferUse::upload, bytes);
    slot.oversized_uses = 0;
  }
  shape_ = shape;
  pitch_ = pitch;
  acquired_ = true;
  return {slot.buffer.data(), shape_, pitch_};
}

template <class Copy>
void HostUploader::queue(Copy copy) {
  Slot& slot = ring_[current_];
  const auto begin = std::chrono::steady_clock::now();
  const bool timed = timer_.begin();
  copy(slot.buffer);
  timer_.end();
  slot.fence.place();
  if (timed) {
    const std::chrono::duration<double, std::milli> call = std::chrono::steady_clock::now() - begin;
    call_ms_.push_back(call.count());
  }

  acquired_ = false;
  current_ = (current_ + 1) % slots;
}

void HostUploader::submit(gl::Texture& texture) {
  if (!acquired_) throw UsageError("HostUploader: nothing to submit");
  if (!texture.fits(shape_))
    throw UsageError(to_string(shape_) + " does not fit a texture of " + to_string(texture.shape()));
  queue([&](const gl::Buffer& from) {
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, from.id());
    texture.copy_from(nullptr, pitch_);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
  });
}

void HostUploader::submit(gl::Resource& resource) {
  if (gl::Texture* texture = resource.texture()) return submit(*texture);
  if (!acquired_) throw UsageError("HostUploader: nothing to submit");
  if (!resource.fits(shape_))
    throw UsageError(to_string(shape_) + " does not fit memory for " + to_string(resource.shape()));
  if (gl::VolumeTexture* volume = resource.volume())
    return queue([&](const gl::Buffer& from) {
      glBindBuffer(GL_PIXEL_UNPACK_BUFFER, from.id());
      volume->write_slices(nullptr, 0, volume->size().z);
      glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    });
  queue([&](const gl::Buffer& from) {
    if (shape_.bytes() == 0) return;
    glCopyNamedBufferSubData(from.id(), resource.buffer()->id(), 0, 0, static_cast<GLsizeiptr>(shape_.bytes()));
  });
}

void HostUploader::submit_slices(gl::VolumeTexture& volume, int first, int count) {
  if (!acquired_) throw UsageError("HostUploader: nothing to submit");
  if (!volume.fits(shape_))
    throw UsageError(to_string(shape_) + " does not fit a texture of " + to_string(volume.shape()));
  if (first < 0 || count < 0 || first + count > volume.size().z)
    throw UsageError("HostUploader: slices beyond the end of " + to_string(shape_));
  const std::size_t slice = pitch_ * static_cast<std::size_t>(shape_.height);
  Slot& slot = ring_[current_];
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, slot.buffer.id());
  volume.write_slices(reinterpret_cast<const void*>(slice * static_cast<std::size_t>(first)), first, count);
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
  slot.fence.place();  // also where the rest is never submitted
}

void HostUploader::submit_part(gl::Texture& texture) {
  if (!acquired_) throw UsageError("HostUploader: nothing to submit");
  if (!texture.fits(shape_))
    throw UsageError(to_string(shape_) + " does not fit a texture of " + to_string(texture.shape()));
  Slot& slot = ring_[current_];
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, slot.buffer.id());
  texture.copy_from(nullptr, pitch_);
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
  slot.fence.place();  // also where the rest is never submitted
}

template <class Target>
void HostUploader::upload_to(HostIn data, Target& target) {
  copy(data, acquire(data.shape));
  try {
    submit(target);
  } catch (...) {
    cancel();
    throw;
  }
}

void HostUploader::upload(HostIn pixels, gl::Texture& texture) {
  upload_to(pixels, texture);
}

void HostUploader::upload(HostIn data, gl::Resource& resource) {
  upload_to(data, resource);
}

std::optional<double> HostUploader::poll_upload_ms() {
  const auto gpu = timer_.poll_ms();
  if (!gpu) return {};
  const double call = call_ms_.front();
  call_ms_.pop_front();
  return std::max(call, *gpu);
}

std::size_t HostUploader::bytes() const {
  std::size_t total = 0;
  for (const Slot& slot : ring_)
    total += slot.buffer.size();
  return total;
}

}  // namespace threadscape::interop
