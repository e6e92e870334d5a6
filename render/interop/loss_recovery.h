#pragma once

#include <chrono>
#include <optional>

#include "compute/gpu/device.h"
#include "render/gl/pending_read.h"
#include "render/gl/texture.h"
#include "render/interop/host_upload.h"

namespace threadscape::interop {

/// Brings OpenGL back after the CUDA device was lost while both shared memory.
///
/// The command stream of OpenGL waits for kernels that will never end, and the driver gives up commands that are queued
/// meanwhile without an error: fences pass, but copies were not made. So the context of CUDA is destroyed, and then
/// pictures are sent to the GPU and read back until they come back right.
///
/// Everything that was uploaded between the loss and State::recovered has to be uploaded again, into new textures and
/// buffers. The thread that owns the GL context constructs, polls and destroys the object. Nothing may use the device
/// until it is revived.
class LossRecovery {
 public:
  enum class State {
    waiting,
    recovered,
    failed,  ///< Pictures have come back wrong, or not at all, for two minutes.
  };

  /// Destroys the context of CUDA, which takes seconds (13 s on an H200 after an illegal address). OpenGL can draw
  /// nothing in that time. On a thread without the GL context the call did not help: OpenGL still stood still after
  /// 100 s.
  explicit LossRecovery(gpu::Device& device);

  /// Looks whether OpenGL works. Does not wait, except after a picture that came back wrong: only glFinish() makes the
  /// driver start again (44 ms on an H200).
  [[nodiscard]] State poll();

 private:
  /// A picture that is on its way to a texture and back.
  struct Trial {
    explicit Trial(int number);
    /// Nothing until it is back.
    [[nodiscard]] std::optional<bool> came_back_right();

    int number;
    HostUploader uploader;
    gl::Texture texture;
    std::optional<gl::PendingRead> read;
  };

  std::optional<Trial> trial_;
  int trials_ = 0;
  int successes_ = 0;  ///< Trials in a row that came back right.
  std::chrono::steady_clock::time_point limit_;
};

}  // namespace threadscape::interop
