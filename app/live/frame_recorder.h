#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "compute/core/data.h"
#include "compute/io/video/frame_writer.h"
#include "render/gl/pending_read.h"

namespace threadscape::app {

/// Writes pictures that are on their way from the GPU as the frames of a video, while they are shown. Encoding happens
/// on a thread of its own; the drawing thread calls all functions and never waits, except in the destructor.
class FrameRecorder {
 public:
  /// Makes a frame from the contents. It is called on the encoding thread.
  using Convert = std::function<HostArray(HostIn)>;
  /// Frames that may be on their way or wait for being encoded.
  static constexpr std::size_t room = 8;

  /// Throws UsageError and EnvironmentError if the file cannot be written (io::make_frame_writer()). `wake` is called
  /// on the thread when there is room again, and at the end.
  FrameRecorder(std::filesystem::path path, const io::FrameWriterOptions& options, std::function<void()> wake);
  /// Completes the file with the frames that have arrived.
  ~FrameRecorder();
  FrameRecorder(const FrameRecorder&) = delete;
  FrameRecorder& operator=(const FrameRecorder&) = delete;

  /// Adds a frame, unless stop() was called or the recording has failed.
  void add(gl::PendingRead contents, Convert convert);
  /// Gives contents that have arrived to the thread.
  void update();
  /// Completes the file with the frames that were added.
  void stop() { stopped_ = true; }
  [[nodiscard]] bool stopped() const { return stopped_; }
  /// Returns whether no frame should be added now, because encoding is slower than playing.
  [[nodiscard]] bool full() const;
  /// Returns whether update() has to be called soon: contents are on their way, which wakes nobody.
  [[nodiscard]] bool needs_polling() const { return !arriving_.empty(); }
  /// Returns whether the file is complete, or the recording has failed.
  [[nodiscard]] bool ended() const;
  /// Why the recording has ended before stop(), or what could not be kept; "" if neither. The file holds frames() then.
  [[nodiscard]] std::string trouble() const;
  [[nodiscard]] bool failed() const;
  /// The number of frames in the file.
  [[nodiscard]] std::int64_t frames() const;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  struct Arriving {
    gl::PendingRead contents;
    Convert convert;
  };
  struct Item {
    HostArray contents;
    Convert convert;
  };

  void run();
  void encode(Item item);
  /// The next frame; nothing when no more will come.
  [[nodiscard]] std::optional<Item> next();
  void close();

  std::filesystem::path path_;
  std::unique_ptr<io::FrameWriter> writer_;
  std::function<void()> wake_;
  std::deque<Arriving> arriving_;
  bool stopped_ = false;

  mutable std::mutex mutex_;  ///< Protects what follows.
  std::condition_variable changed_;
  std::deque<Item> waiting_;
  bool encoding_ = false;  ///< If true, the thread works on a frame that it has taken.
  bool closed_ = false, ended_ = false, failed_ = false;
  std::string trouble_;
  std::int64_t frames_ = 0;
  std::jthread thread_;  ///< The last member: starts when everything else exists, ends first.
};

}  // namespace threadscape::app
