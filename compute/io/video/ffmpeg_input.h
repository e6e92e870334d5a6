#pragma once
// A file as the input of FFmpeg's libraries, which read nothing else through it.

#include <filesystem>
#include <stop_token>
#include <string_view>
#include <utility>

#include "compute/io/input_file.h"
#include "compute/io/video/ffmpeg.h"

namespace threadscape::io {

/// Decoders that are used, in the form of the option "codec_whitelist".
extern const char* const video_decoders;

/// An opened container. Neither other files that it names nor addresses in a network are opened. Stays where it is in
/// memory, because the libraries keep its address.
class FfmpegInput {
 public:
  /// Opens the file at its beginning. Throws EnvironmentError with the path and the cause, and Cancelled.
  FfmpegInput(const std::filesystem::path& path, const std::stop_token& stop);
  FfmpegInput(const FfmpegInput&) = delete;
  FfmpegInput& operator=(const FfmpegInput&) = delete;
  ~FfmpegInput() = default;

  [[nodiscard]] AVFormatContext* get() const { return format_.get(); }
  AVFormatContext* operator->() const { return format_.get(); }
  /// Closes the container and opens it again at its beginning.
  void reopen();
  /// The track of pictures that is read, and its decoder. Throws EnvironmentError with the name of a codec that is not
  /// read.
  [[nodiscard]] std::pair<AVStream*, const AVCodec*> pictures() const;
  /// Throws the exception for an error number of the libraries.
  [[noreturn]] void fail(int error) const;
  /// Throws Cancelled if a stop was requested.
  void check_stop() const;

 private:
  struct Close {
    void operator()(AVFormatContext* format) const { avformat_close_input(&format); }
  };
  static int read(void* self, std::uint8_t* to, int bytes);
  static std::int64_t move(void* self, std::int64_t offset, int whence);
  static int interrupted(void* self);

  std::filesystem::path path_;
  std::stop_token stop_;
  InputFile file_;
  std::int64_t position_ = 0;
  ffmpeg::Io io_;
  std::unique_ptr<AVFormatContext, Close> format_;
};

}  // namespace threadscape::io
