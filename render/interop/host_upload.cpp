#include "render/interop/host_upload.h"

#include <algorithm>
#include <chrono>

#include "compute/core/errors.h"

namespace threadscape::interop {

namespace {

constexpr std::size_t row_alignment = 64;

std::size_t padded(std::size_t bytes) {
  return (bytes + row_alignment - 1) / row_alignment * row_alignment;
}

}  // namespace

HostUploader::HostUploader() = default;

HostOut HostUploader::acquire(const Shape& shape) {
  if (acquired_) throw UsageError("HostUploader: the last result was neither submitted nor cancelled");
  (void)gl::format_of(shape);  // refuses what is no texture before memory is taken
  if (shape.width < 1 || shape.height < 1) throw UsageError("HostUploader: " + to_string(shape) + " is empty");

  const std::size_t pitch = padded(static_cast<std::size_t>(shape.width) * shape.pixel_bytes());
  const std::size_t bytes = pitch * static_cast<std::size_t>(shape.height);
  Slot& slot = ring_[current_];
  slot.fence.wait();
  if (slot.buffer.size() < bytes) {
    slot.buffer = {};  // first, so that both never exist at once
    slot.buffer = gl::Buffer(gl::BufferUse::upload, bytes);
  }
  shape_ = shape;
  pitch_ = pitch;
  acquired_ = true;
  return {slot.buffer.data(), shape_, pitch_};
}

void HostUploader::submit(gl::Texture& texture) {
  if (!acquired_) throw UsageError("HostUploader: nothing to submit");
  if (!texture.fits(shape_))
    throw UsageError(to_string(shape_) + " does not fit a texture of " + to_string(texture.shape()));
  const auto& info = gl::info_of(texture.format());
  Slot& slot = ring_[current_];

  const auto begin = std::chrono::steady_clock::now();
  const bool timed = timer_.begin();
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, slot.buffer.id());
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glPixelStorei(GL_UNPACK_ROW_LENGTH, static_cast<GLint>(pitch_ / static_cast<std::size_t>(info.pixel_bytes)));
  glTextureSubImage2D(texture.id(), 0, 0, 0, texture.width(), texture.height(), info.layout, info.type, nullptr);
  glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
  timer_.end();
  slot.fence.place();
  if (timed) {
    const std::chrono::duration<double, std::milli> call = std::chrono::steady_clock::now() - begin;
    call_ms_.push_back(call.count());
  }

  acquired_ = false;
  current_ = (current_ + 1) % slots;
}

void HostUploader::upload(HostIn pixels, gl::Texture& texture) {
  copy(pixels, acquire(pixels.shape));
  try {
    submit(texture);
  } catch (...) {
    cancel();
    throw;
  }
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
