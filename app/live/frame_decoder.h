#pragma once

#include <atomic>
#include <chrono>
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
#include <vector>

#include "app/session/log_book.h"
#include "app/session/work.h"
#include "compute/engines/yuv/device_frames.h"
#include "compute/io/video/frame_source.h"

namespace threadscape::app {

/// A decoded frame that waits for being shown. Its memory goes back to the decoder when nobody uses it any more, so
/// that a video of any length takes the memory of a few frames.
struct DecodedFrame {
  std::shared_ptr<Source> source;                 ///< The picture; without an id.
  std::int64_t index = 0;                         ///< The number of the frame, from 0.
  double seconds = 0;                             ///< Time after the first frame of the source.
  double decode_ms = 0;                           ///< How long decoding and conversion to a picture took.
  std::chrono::steady_clock::time_point decoded;  ///< When it was ready.
};

/// Decodes a moving source ahead on a thread of its own, into a ring of a few frames. All functions but the constructor
/// and the destructor may be called on any thread, and none of them waits for the decoder.
class FrameDecoder {
 public:
  /// Number of frames that are decoded ahead.
  static constexpr std::size_t ring_frames = 6;
  /// Opens the source on the decoder's thread (io::open_frames()). Tests replace it.
  using Opener = std::function<std::unique_ptr<io::FrameSource>(const std::filesystem::path&, const io::FrameOptions&)>;

  /// Begins to open the source. The thread tells `log` why it cannot be opened or read on, and what is wrong with it.
  /// `wake` is called on the thread after each frame that has come while the ring was empty, and at the end.
  FrameDecoder(std::filesystem::path name, LogBook& log, std::function<void()> wake, Opener open = io::open_frames);
  /// Ends decoding, also of a camera that is silent.
  ~FrameDecoder() = default;
  FrameDecoder(const FrameDecoder&) = delete;
  FrameDecoder& operator=(const FrameDecoder&) = delete;

  /// What is known of the source; nothing until it is open. `frames` is the exact number as soon as that is known.
  [[nodiscard]] std::optional<io::FrameInfo> info() const;

  /// The time of the frame with this place in the ring, if there is one; 0 is the next frame.
  [[nodiscard]] std::optional<double> next_seconds(std::size_t place = 0) const;
  /// The number of frames in the ring.
  [[nodiscard]] std::size_t ready() const;
  /// Takes the next frame out of the ring; nothing if the ring is empty.
  [[nodiscard]] std::optional<DecodedFrame> take();
  /// Returns true if no frame follows, because the last one was taken or the source cannot be read on.
  [[nodiscard]] bool ended() const;
  /// Drops the ring and goes on at this frame. Does nothing for a source that is not seekable.
  void seek(std::int64_t index);
  /// Decides whether the first frame follows the last one. The ring may hold frames of the next round when that ends.
  void set_loop(bool loop);
  /// Decides to which device the frames that follow are uploaded as soon as they are decoded (Source::on_device), if
  /// any. They are copied to page-locked memory for that, and have their pictures in host memory nevertheless.
  void set_upload(gpu::Device* device) { upload_to_ = device; }
  /// The number of frames that were decoded.
  [[nodiscard]] std::int64_t decoded() const;

 private:
  /// Memory of frames that were shown.
  struct Pool {
    std::mutex mutex;
    std::vector<HostArray> free;
  };

  void run(const std::stop_token& stop);
  /// Puts the next frame into the ring, or notes that there is none.
  void decode_next(io::FrameSource& source);
  /// Waits until there is something to do. Returns false when the decoder ends.
  bool wait_for_work(const std::stop_token& stop);
  /// Finds the number of frames of a source that does not state it, once the first frame is on its way.
  void count_frames(io::FrameSource& source);
  void fail(const std::string& why);
  [[nodiscard]] bool loops() const;
  [[nodiscard]] HostArray used_memory();
  [[nodiscard]] DecodedFrame packed(io::Frame frame) const;
  /// Queues the upload of the frame of the last advance(). Null if that is not wanted, or not possible: the drawing
  /// thread uploads the picture then.
  [[nodiscard]] std::shared_ptr<cuda::DeviceFrame> uploaded(const io::FrameSource& source, const io::Frame& frame);

  std::filesystem::path name_;
  LogBook& log_;
  std::function<void()> wake_;
  Opener open_;
  std::shared_ptr<Pool> pool_ = std::make_shared<Pool>();
  std::atomic<gpu::Device*> upload_to_{nullptr};
  /// What uploads frames, and to which device; null until it is needed, and after it has failed. Only the decoder's
  /// thread uses it.
  std::unique_ptr<cuda::DeviceFrames> device_frames_;
  gpu::Device* frames_device_ = nullptr;
  bool upload_failed_ = false;  ///< True after an upload has failed. Only the decoder's thread uses it.
  std::string note_;  ///< What the log was told last of what is wrong with the source. Only that thread uses it.

  mutable std::mutex mutex_;  ///< Protects everything below but the thread.
  std::condition_variable_any changed_;
  std::optional<io::FrameInfo> info_;
  std::string failure_;  ///< Why the source could not be opened or read on; "" if that is not so.
  std::deque<DecodedFrame> ring_;
  std::optional<std::int64_t> seek_;  ///< Where to go on; nothing if the next frame follows.
  bool loop_ = false;
  bool finished_ = false;  ///< True once the source has no more frames.
  std::int64_t decoded_ = 0;
  std::jthread thread_;  ///< The last member: starts when everything else exists, ends first.
};

}  // namespace threadscape::app
