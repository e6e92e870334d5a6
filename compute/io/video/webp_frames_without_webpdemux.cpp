// In the place of webp_frames.cpp in builds without libwebpdemux.

#include "compute/core/errors.h"
#include "compute/io/video/webp_frames.h"

namespace threadscape::io {

std::unique_ptr<FrameSource> open_animated_webp(const std::filesystem::path& path, const FrameOptions&) {
  throw UsageError("cannot read '" + path.string() +
                   "': this build has no libwebpdemux (package libwebp-dev), which reads animated WebP files");
}

}  // namespace threadscape::io
