// Videos: what is read again after a jump is what was read before it.

#include <cstring>

#include "compute/io/video/frame_source.h"
#include "compute/io/video/video_reader.h"
#include "compute/io/video/webp_frames.h"
#include "tests/fuzz/fuzzing.h"
#include "tests/support/compute/scoped_limit.h"

namespace threadscape::fuzz {

namespace {

/// Returns whether the bytes begin as a WebP file does, which has a reader of its own.
template <class Bytes>
bool is_webp(const Bytes& bytes) {
  return bytes.size() >= 12 && std::memcmp(bytes.data(), "RIFF", 4) == 0 &&
         std::memcmp(bytes.data() + 8, "WEBP", 4) == 0;
}

}  // namespace

FUZZ_TARGET(videos) {
  const ScopedLimit pixels(io::Limit::pixels, 1 << 14);
  const auto path = scratch_file("video", input.bytes());
  const auto source =
      is_webp(input.bytes()) ? io::open_animated_webp(path, {.threads = 1}) : io::open_video(path, {.threads = 1});
  const io::FrameInfo& info = source->info();
  expect(info.width > 0 && info.height > 0 && info.frames_per_second > 0, "the video has no size or no rate");
  constexpr int most = 12;
  io::Frame frame;
  int frames = 0;
  for (; frames < most && source->next(frame); ++frames) {
    expect(frame.index == frames, "frames are not counted one by one");
    note_result(frame.pixels.view());
    expect(frame.pixels.shape().width > 0 && frame.pixels.shape().height > 0, "a frame has no size");
  }
  expect(source->note().find('\n') == std::string::npos, "the note has several lines");
  // A jump opens the file again, and so does counting its frames. That takes most of the time, so that an input has one
  // of them or none.
  switch (input.bytes().size() % 4) {
    case 0:
      source->seek(0);
      expect(source->next(frame) == (frames > 0), "the first frame is not found again");
      if (frames > 0) expect(frame.index == 0, "the first frame has another number");
      break;
    case 1:
      source->seek(frames / 2);
      if (source->next(frame)) expect(frame.index == frames / 2, "a frame has another number than was asked for");
      break;
    case 2:
      expect(source->count() >= 0, "the number of frames is negative");
      break;
    default:
      break;
  }
}

}  // namespace threadscape::fuzz
