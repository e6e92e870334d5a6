#pragma once
// Decoded frames of FFmpeg's libraries as pictures.

#include <optional>
#include <string>

#include "compute/core/data.h"
#include "compute/io/video/ffmpeg.h"
#include "compute/io/video/frame_source.h"

namespace threadscape::io {

/// Converts decoded frames. Keeps what the conversion of one format and size needs.
class PictureConverter {
 public:
  /// Writes the frame into `pixels`, whose memory is used again if its shape is right: grey frames with one channel,
  /// all others as RGBA; frames of more than 8 bits in RGB or grey with 16 bits. YUV 4:2:0 of 8 bits in
  /// BT.601 and BT.709 is converted by yuv_to_rgba(), what remains by libswscale. Throws DecodeFailure.
  void to_picture(const AVFrame& frame, HostArray& pixels);

 private:
  ffmpeg::Scaler scaler_;
};

/// The planes of a frame in YUV 4:2:0 with 8 bits, in BT.601 or BT.709; nothing for other formats.
[[nodiscard]] std::optional<YuvPlanes> planes_of(const AVFrame& frame);

/// The orientation that the container states for the frames, as orientation.h numbers them; 1 if it states none.
[[nodiscard]] int orientation_of(const AVStream& stream);

/// What the pictures of a file have that is not read, as a part of a sentence for the user; "" if nothing.
[[nodiscard]] std::string left_out(const AVFormatContext& file, const AVStream& stream);

}  // namespace threadscape::io
