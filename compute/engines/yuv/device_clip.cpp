#include "compute/engines/yuv/device_clip.h"

#include <utility>

#include "compute/core/clip.h"
#include "compute/core/errors.h"

namespace threadscape::cuda {

namespace {

class ClipOfFrames final : public DeviceFrame {
 public:
  explicit ClipOfFrames(std::vector<std::shared_ptr<DeviceFrame>> frames)
      : frames_(std::move(frames)),
        shape_(clip_shape(frames_.front()->shape(), static_cast<std::int64_t>(frames_.size()))) {}

  [[nodiscard]] const Shape& shape() const override { return shape_; }

  void convert(const DeviceOut& clip, CudaStream stream) override {
    if (clip.shape != shape_)
      throw UsageError("a clip of " + to_string(shape_) + " makes no clip of " + to_string(clip.shape));
    for (std::size_t i = 0; i < frames_.size(); ++i)
      frames_[i]->convert(frame_of(clip, static_cast<std::int64_t>(i)), stream);
  }

  void converted(CudaStream stream) override { frames_.back()->converted(stream); }

  [[nodiscard]] Times times() const override {
    Times sum;
    for (const std::shared_ptr<DeviceFrame>& frame : frames_)
      sum.convert_ms += frame->times().convert_ms;
    sum.upload_ms = frames_.back()->times().upload_ms;
    return sum;
  }

 private:
  std::vector<std::shared_ptr<DeviceFrame>> frames_;
  Shape shape_;
};

}  // namespace

std::shared_ptr<DeviceFrame> make_device_clip(std::vector<std::shared_ptr<DeviceFrame>> frames) {
  return std::make_shared<ClipOfFrames>(std::move(frames));
}

}  // namespace threadscape::cuda
