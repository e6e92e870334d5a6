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

/// The host route: a result is computed straight into memory that the GPU can copy from, three results in flight. The
/// thread that owns the GL context acquires and submits; any thread may fill the view in between.
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
  /// The same into memory of either sort.
  void submit(gl::Resource& resource);
  /// Queues the copy of slices [first, first + count) of the acquired memory, which stays acquired: what a long run has
  /// finished, while it goes on with the rest.
  void submit_slices(gl::VolumeTexture& volume, int first, int count);
  /// The same for a picture, as a whole.
  void submit_part(gl::Texture& texture);
  /// Gives the acquired memory back unused. Nobody may be writing to it any more.
  void cancel() { acquired_ = false; }
  /// acquire(), a copy of `pixels`, submit().
  void upload(HostIn pixels, gl::Texture& texture);
  void upload(HostIn data, gl::Resource& resource);

  /// What a finished upload cost: the time the call took on the CPU or the copy took on the GPU, whichever is longer.
  /// Oldest first; nothing when none is ready.
  [[nodiscard]] std::optional<double> poll_upload_ms();
  /// Host memory that it holds.
  [[nodiscard]] std::size_t bytes() const;

 private:
  struct Slot {
    gl::Buffer buffer;
    gl::Fence fence;
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
  std::deque<double> call_ms_;  ///< CPU times of the submits that timer_ is measuring, oldest first
};

}  // namespace threadscape::interop
