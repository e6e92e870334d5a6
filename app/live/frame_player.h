#pragma once
// The transport of a moving source: which of its frames is to be shown when. It knows nothing of what is done with a
// frame, so that it can be tested with a clock that stands still.

#include <chrono>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/live/frame_decoder.h"

namespace threadscape::app {

/// Events per second over the last second.
class RateMeter {
 public:
  using Clock = std::chrono::steady_clock;
  void count(Clock::time_point now, std::int64_t events = 1);
  [[nodiscard]] double per_second(Clock::time_point now) const;

 private:
  struct Event {
    Clock::time_point time;
    std::int64_t count = 0;
  };
  std::deque<Event> events_;
};

/// Plays the frames of a source in their time. update() gives a frame out, and shown() says that it is on the screen;
/// no other frame is given out in between, so none is lost by a change of what is computed from it.
class FramePlayer {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr double min_speed = 0.1, max_speed = 8.0;

  /// `log` is told what is wrong with a source. `wake` is called on another thread when a frame has arrived that may be
  /// due.
  FramePlayer(LogBook& log, std::function<void()> wake, FrameDecoder::Opener open = io::open_frames);

  /// Plays this source from its first frame, which is shown as soon as it is there.
  void open(const std::filesystem::path& name);
  void close() { decoder_.reset(); }
  [[nodiscard]] bool active() const { return decoder_ != nullptr; }

  /// The frame that is due, if there is one, and if the one before is shown. Frames whose time has passed are dropped,
  /// unless every frame is to be shown.
  [[nodiscard]] std::optional<DecodedFrame> update(Clock::time_point now);
  /// Returns true while a frame is given out that is not shown yet.
  [[nodiscard]] bool awaits() const { return awaited_; }
  /// Returns true if the frame that was given out last does not follow the one before, because the user has gone to it,
  /// or the source has begun again. Frames that are left out in between do not count as a jump.
  [[nodiscard]] bool has_jumped() const { return has_jumped_; }
  /// The frame that was given out is on the screen. Does nothing if it was already.
  void shown(Clock::time_point now);
  /// Seconds until update() has something to do; nothing if it has to be called only after a wake or shown().
  [[nodiscard]] std::optional<double> seconds_to_next(Clock::time_point now) const;
  /// While this is set, time stands still and no further frame is given out: nobody can use it now.
  void hold(bool hold) { held_ = hold; }

  /// Decides to which device frames are uploaded as soon as they are decoded (FrameDecoder::set_upload()), if any.
  void upload_ahead(gpu::Device* device);

  [[nodiscard]] bool playing() const { return active() && playing_; }
  /// Plays on, at the end from the first frame.
  void play(Clock::time_point now);
  void pause() { playing_ = false; }
  /// Pauses, and gives out the frame `by` places further on. Cameras take only 1.
  void step(int by);
  /// Gives out this frame, and plays on from there if it was playing. Of many calls while a frame is awaited, the last
  /// one counts. Does nothing for cameras.
  void seek(std::int64_t index);
  /// Sets the speed in times of the source's own, within the limits.
  void set_speed(double speed, Clock::time_point now);
  [[nodiscard]] double speed() const { return speed_; }
  void set_loop(bool loop);
  [[nodiscard]] bool loop() const { return loop_; }
  /// Returns whether every frame is shown even if that takes longer than the time of the video.
  void show_every_frame(bool every) { every_frame_ = every; }
  [[nodiscard]] bool shows_every_frame() const { return every_frame_; }

  /// What is known of the source; nothing until it is open.
  [[nodiscard]] std::optional<io::FrameInfo> info() const { return decoder_ ? decoder_->info() : std::nullopt; }

  /// The number and the time of the frame that was given out last.
  [[nodiscard]] std::int64_t index() const { return index_; }
  [[nodiscard]] double seconds() const { return seconds_; }
  /// The frame that is being gone to, or else index().
  [[nodiscard]] std::int64_t aim() const { return asked_.value_or(jumped_ ? aim_ : index_); }
  /// Number of frames that were shown, and of those that were left out because their time had passed.
  [[nodiscard]] std::int64_t kept() const { return kept_; }
  [[nodiscard]] std::int64_t dropped() const { return dropped_; }
  /// Number of frames that are decoded ahead.
  [[nodiscard]] std::size_t ready() const { return decoder_ ? decoder_->ready() : 0; }
  /// Frames per second that are decoded, and that are shown.
  [[nodiscard]] double decoded_per_second(Clock::time_point now) const { return in_.per_second(now); }
  [[nodiscard]] double shown_per_second(Clock::time_point now) const { return out_.per_second(now); }
  /// Milliseconds of decoding a frame, from its being decoded to its being shown, and from its being given out to its
  /// being shown, each smoothed over about ten frames.
  [[nodiscard]] double decode_ms() const { return decode_ms_; }
  [[nodiscard]] double latency_ms() const { return latency_ms_; }
  [[nodiscard]] double turn_ms() const { return turn_ms_; }

 private:
  [[nodiscard]] bool is_camera() const;
  /// Asks the decoder for the frame that is wanted.
  void start_jump(std::int64_t index);
  [[nodiscard]] std::optional<DecodedFrame> next_due(Clock::time_point now);
  /// The time of the source at which a frame with the time `next` is due. The first frame of a loop is due when the
  /// last one was shown for its time.
  [[nodiscard]] double due(double next) const;
  /// Lets the time of the source be `seconds` at `now`.
  void set_clock(double seconds, Clock::time_point now);
  [[nodiscard]] double clock(Clock::time_point now) const;

  LogBook& log_;
  std::function<void()> wake_;
  FrameDecoder::Opener open_;
  std::unique_ptr<FrameDecoder> decoder_;

  bool playing_ = true, loop_ = true, every_frame_ = false, held_ = false;
  gpu::Device* upload_to_ = nullptr;
  bool stands_ = false;   ///< If true, update() has found that it is held.
  bool jumped_ = false;   ///< If true, the next frame is given out whatever its time.
  std::int64_t aim_ = 0;  ///< The number of that frame.
  bool has_jumped_ = false;
  std::optional<std::int64_t> asked_;  ///< Where to jump to after that.
  bool begins_again_ = false;          ///< If true, play() was called since the last frame, so that the end is no end.
  bool awaited_ = false;
  bool starts_when_shown_ = false;  ///< If true, the time of the source starts when the awaited frame is shown.
  double speed_ = 1;
  double clock_seconds_ = 0;  ///< The time of the source at clock_start_.
  Clock::time_point clock_start_;

  std::int64_t index_ = 0, kept_ = 0, dropped_ = 0, decoded_ = 0;
  double seconds_ = 0, decode_ms_ = 0, latency_ms_ = 0, turn_ms_ = 0;
  Clock::time_point given_, ready_;  ///< When the frame was given out, and when it was decoded.
  RateMeter in_, out_;
};

}  // namespace threadscape::app
