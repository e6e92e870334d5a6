#pragma once
// The parts of picture formats that read and write several frames in one file, for compute/io/pictures/clip_file.cpp.

#include <cstdint>
#include <memory>
#include <string>

#include "compute/io/pictures/image_format.h"

namespace threadscape::io {

/// Throws DecodeFailure for a clip without frames, or with more than Limit::frames.
void require_frame_count(std::int64_t frames);

/// Puts pictures together to a clip, one after another.
class ClipBuilder {
 public:
  /// The number of frames that will be added.
  explicit ClipBuilder(std::int64_t frames) : frames_(frames) { require_frame_count(frames); }
  /// Adds the next frame; `name` is for messages. Throws DecodeFailure if its size or format is not that of the first
  /// frame, and EnvironmentError if memory runs out.
  void add(const Loaded& frame, const std::string& name);
  /// The clip, once all frames are added.
  [[nodiscard]] Loaded take() { return std::move(clip_); }

 private:
  std::int64_t frames_ = 0, added_ = 0;
  Loaded clip_;
};

/// The arrays (frames, height, width) and (frames, height, width, channels) of .npy files and .npz archives; an array
/// (height, width) is one frame. Throws DecodeFailure.
[[nodiscard]] Loaded decode_npy_clip(Bytes file);
/// Writes such an array. Throws EnvironmentError.
void encode_npy_clip(FileWriter& file, HostIn clip, FileColour colour);

/// The pages of a TIFF in memory. Smaller copies of a page are no pages. Only in builds with libtiff.
class TiffFile {
 public:
  /// Reads the list of the pages. Throws DecodeFailure for a file without a first page.
  explicit TiffFile(Bytes file);
  TiffFile(const TiffFile&) = delete;
  TiffFile& operator=(const TiffFile&) = delete;
  ~TiffFile();

  /// The number of pages up to where the list is damaged; the list is not read much further than Limit::frames.
  [[nodiscard]] std::int64_t pages() const;
  [[nodiscard]] bool damaged() const;
  /// Throws DecodeFailure, for a page that cannot be decoded.
  [[nodiscard]] Loaded page(std::int64_t number, const ReadingWatch& watch = {}) const;

 private:
  struct Open;
  std::unique_ptr<Open> open_;
};

/// All pages of a TIFF file, which have one size and format. Throws DecodeFailure. Only in builds with libtiff.
[[nodiscard]] Loaded decode_tiff_clip(Bytes file);

}  // namespace threadscape::io
