#include "compute/core/errors.h"
#include "compute/io/video/video_reader.h"

namespace threadscape::io {

std::string video_reader_absent() {
  return "needs a build with FFmpeg's libraries (packages libavformat-dev, libavcodec-dev, libavutil-dev and "
         "libswscale-dev)";
}

void choose_video_decoder(VideoDecoder) {}

std::unique_ptr<FrameSource> open_video(const std::filesystem::path& path, const FrameOptions&) {
  throw UsageError("cannot read '" + path.string() + "' as a video: that " + video_reader_absent() +
                   "; numbered pictures (frame_%04d.png) and test: need no library");
}

}  // namespace threadscape::io
