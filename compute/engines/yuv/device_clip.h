#pragma once
// A clip of frames that are on the GPU already, so that the newest frame is all that is uploaded for it.

#include <memory>
#include <vector>

#include "compute/engines/yuv/device_frames.h"

namespace threadscape::cuda {

/// A clip (compute/core/clip.h) of these frames, the oldest first. There is at least one, none is null, and all have
/// one shape. convert() makes the pictures of all frames anew, because a conversion on the device takes as long as a
/// copy there, and no clip depends on what another one has left in the memory. times() has the upload of the newest
/// frame and the sum of all conversions.
[[nodiscard]] std::shared_ptr<DeviceFrame> make_device_clip(std::vector<std::shared_ptr<DeviceFrame>> frames);

}  // namespace threadscape::cuda
