#pragma once
// Frames of moving pictures on their way to the GPU: a ring of page-locked memory that is uploaded on a stream of its
// own, beside the kernels that work on the frame before.
//
//   decoder      planes 0 | planes 1 | planes 2        copies each frame to page-locked memory
//   upload stream         upload 0 | upload 1 | ...    DeviceFrames::upload()
//   stream of the runs               convert 0, kernels 0 | convert 1, kernels 1      DeviceFrame::convert()
//
// Events order the streams: a conversion waits for its upload, and an upload into memory that is used again waits until
// the conversion of the frame before it has read that memory. This header needs no CUDA headers.

#include <memory>

#include "compute/core/data.h"
#include "compute/core/run.h"
#include "compute/core/yuv.h"

namespace threadscape::cuda {

/// A frame that is uploaded. It belongs to the thread that takes it from DeviceFrames::upload(), or any other one at a
/// time. When it is destroyed, its memory serves later frames.
class DeviceFrame {
 public:
  DeviceFrame() = default;
  DeviceFrame(const DeviceFrame&) = delete;
  DeviceFrame& operator=(const DeviceFrame&) = delete;
  virtual ~DeviceFrame() = default;

  /// The shape of the picture that convert() makes.
  [[nodiscard]] virtual const Shape& shape() const = 0;
  /// Queues on `stream`, behind the upload, what makes the picture of the frame in device memory. Planes are converted
  /// with the bits of yuv_to_rgba_serial(), and pixels are copied. Throws UsageError for a picture of another shape.
  virtual void convert(const DeviceOut& picture, CudaStream stream) = 0;
  /// Says that what was queued on `stream` after convert() still belongs to the conversion, for gpu_ms().
  virtual void converted(CudaStream stream) = 0;
  /// The milliseconds that the GPU has spent on the upload and on the conversion, each from its beginning to its end on
  /// its stream. Waits until both are done.
  struct Times {
    double upload_ms = 0, convert_ms = 0;
  };
  [[nodiscard]] virtual Times times() const = 0;
};

/// Uploads frames on a stream of its own. One thread calls upload(); frames may be destroyed on any thread, also after
/// this object.
class DeviceFrames {
 public:
  DeviceFrames() = default;
  DeviceFrames(const DeviceFrames&) = delete;
  DeviceFrames& operator=(const DeviceFrames&) = delete;
  virtual ~DeviceFrames() = default;

  /// Copies a frame into page-locked memory and queues its upload. Waits for the upload that has read that memory last,
  /// which is the third one before this one. Throws what gpu::Executor throws.
  [[nodiscard]] virtual std::unique_ptr<DeviceFrame> upload(const YuvPlanes& planes) = 0;
  [[nodiscard]] virtual std::unique_ptr<DeviceFrame> upload(const HostIn& pixels) = 0;
};

/// Throws BackendAbsent if the device cannot be used.
[[nodiscard]] std::unique_ptr<DeviceFrames> make_device_frames(gpu::Device& device);

}  // namespace threadscape::cuda
