// Videos: what is read again after a jump is what was read before it.

#include "compute/io/frame_source.h"
#include "compute/io/video_reader.h"
#include "tests/fuzz/fuzzing.h"
#include "tests/support/compute/scoped_limit.h"

namespace threadscape::fuzz {

FUZZ_TARGET(videos) {
  const ScopedLimit pixels(io::Limit::pixels, 1 << 16);
  const auto source = io::open_video(scratch_file("video", input.bytes()), {.threads = 1});
  const io::FrameInfo& info = source->info();
  expect(info.width > 0 && info.height > 0 && info.frames_per_second > 0, "the video has no size or no rate");
  constexpr int most = 40;
  io::Frame frame;
  int frames = 0;
  for (; frames < most && source->next(frame); ++frames) {
    expect(frame.index == frames, "frames are not counted one by one");
    expect(frame.pixels.shape().width > 0 && frame.pixels.shape().height > 0, "a frame has no size");
  }
  expect(source->note().find('\n') == std::string::npos, "the note has several lines");
  expect(source->count() >= 0, "the number of frames is negative");
  source->seek(0);
  expect(source->next(frame) == (frames > 0), "the first frame is not found again");
  if (frames > 0) expect(frame.index == 0, "the first frame has another number");
  source->seek(frames / 2);
  if (source->next(frame)) expect(frame.index == frames / 2, "a frame has another number than was asked for");
}

}  // namespace threadscape::fuzz
