#pragma once

#include <array>
#include <deque>
#include <optional>

#include "compute/core/data.h"
#include "render/gl/buffer.h"
#include "render/gl/resource.h"
#include "render/gl/texture.h"
#include "render/gl/timer.h"

namespace threadscape::interop {

/// The host route: a result is computed into mapped memory from which the GPU copies it, up to three results in flight.
/// The thread that owns the GL context acquires and submits; any thread may fill the memory in between.
class HostUploader {
 public:
  static constexpr std::size_t slots = 3;

  HostUploader();

  /// Memory for a result of this shape: rows of pictures and heightfields 64-byte aligned and padded to that, others
  /// without gaps; contents undefined, readable at full speed (cached memory). Waits only when the GPU is three uploads
  /// behind. One at a time: submit() or cancel() it before the next. Throws UsageError for pictures that are no texture
  /// and for empty ones, EnvironmentError when memory is short.
  [[nodiscard]] HostOut acquire(const Shape& shape);
  [[nodiscard]] bool acquired() const { return acquired_; }
  /// Queues the copy of the acquired memory into `texture`. Throws UsageError when that has another size or format.
  void submit(gl::Texture& texture);
  /// Queues the copy of the acquired memory into a texture, a volume or a buffer. Throws UsageError when that has
  /// another shape.
  void submit(gl::Resource& resource);
  /// Queues the copy of slices [first, first + count) of the acquired memory, which stays acquired: what a long run has
  /// finished, while it goes on with the rest.
  void submit_slices(gl::VolumeTexture& volume, int first, int count);
  /// Queues the copy of all of the acquired memory, which stays acquired: a picture while it is computed.
  void submit_part(gl::Texture& texture);
  /// Gives the acquired memory back unused. No thread may be writing to it any more.
  void cancel() { acquired_ = false; }
  /// Copies data into acquired memory and submits that.
  void upload(HostIn pixels, gl::Texture& texture);
  void upload(HostIn data, gl::Resource& resource);

  /// The time in milliseconds of the oldest finished upload that was not returned yet: of the call on the CPU or of the
  /// copy on the GPU, whichever is longer. None if no upload is finished.
  [[nodiscard]] std::optional<double> poll_upload_ms();
  /// Bytes of host memory that are held.
  [[nodiscard]] std::size_t bytes() const;

 private:
  struct Slot {
    gl::Buffer buffer;
    gl::Fence fence;
    int oversized_uses = 0;  ///< Number of its last results for which the buffer was much too large.
  };

  /// Queues `copy` for the acquired slot, timed, and goes on to the next.
  template <class Copy>
  void queue(Copy copy);
  template <class Target>
  void upload_to(HostIn data, Target& target);

  std::array<Slot, slots> ring_;
  std::size_t current_ = 0;
  bool acquired_ = false;
  Shape shape_;
  std::size_t pitch_ = 0;
  gl::GpuTimer timer_;
  std::deque<double> call_ms_;  ///< CPU times of the submits that timer_ is measuring, oldest first.
};

}  // namespace threadscape::interop
