#pragma once
// Cameras through Video4Linux2.

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "compute/io/video/frame_source.h"

namespace threadscape::io {

/// The calls of the system that a camera is read with. Tests replace them by a camera that does not exist.
struct CameraCalls {
  std::function<int(const char* path)> open;  ///< Returns a descriptor, or -1 and errno.
  std::function<int(int file, unsigned long request, void* argument)> control;  ///< ioctl()
  std::function<void*(int file, std::size_t bytes, std::int64_t offset)> map;   ///< Null on failure.
  std::function<void(void* data, std::size_t bytes)> unmap;
  std::function<int(int file, int milliseconds)> wait;  ///< Positive when a frame is there, 0 after the time, or -1.
  std::function<void(int file)> close;
};
/// The calls of this system.
[[nodiscard]] CameraCalls system_camera_calls();

/// Returns true for "/dev/video0" and the like.
[[nodiscard]] bool is_camera(std::string_view name);

/// Opens a camera and starts it. Frames in YUYV, NV12, YUV420, RGB24, grey and JPEG are read. A camera that gives no
/// frame for Limit::silence seconds, or that vanishes, ends its frames, and note() says why. Throws EnvironmentError
/// with the cause and its cure.
[[nodiscard]] std::unique_ptr<FrameSource> open_camera(const std::string& path, const FrameOptions& options,
                                                       CameraCalls calls = system_camera_calls());

/// The cameras of this machine, or one line that says why there is none.
[[nodiscard]] std::vector<FrameSourceKind> camera_kinds();

}  // namespace threadscape::io
