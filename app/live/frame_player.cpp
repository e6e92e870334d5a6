#include "app/live/frame_player.h"

#include <algorithm>
#include <utility>

namespace threadscape::app {

namespace {

using Seconds = std::chrono::duration<double>;

/// A playback that is later than this many seconds goes on from where it is, instead of hurrying after the time of the
/// video.
constexpr double patience_seconds = 0.25;

/// Smooths a measured time over about ten frames.
double smoothed(double before, double now) {
  return before == 0 ? now : before + 0.1 * (now - before);
}

double milliseconds(FramePlayer::Clock::duration time) {
  return Seconds(time).count() * 1e3;
}

}  // namespace

void RateMeter::count(Clock::time_point now, std::int64_t events) {
  if (events > 0) events_.push_back({now, events});
  while (!events_.empty() && now - events_.front().time > std::chrono::seconds(1))
    events_.pop_front();
}

double RateMeter::per_second(Clock::time_point now) const {
  std::int64_t sum = 0;
  for (const Event& event : events_)
    if (now - event.time <= std::chrono::seconds(1)) sum += event.count;
  return static_cast<double>(sum);
}

FramePlayer::FramePlayer(LogBook& log, std::function<void()> wake, FrameDecoder::Opener open)
    : log_(log), wake_(std::move(wake)), open_(std::move(open)) {}

void FramePlayer::open(const std::filesystem::path& name) {
  decoder_ = std::make_unique<FrameDecoder>(name, log_, wake_, open_);
  decoder_->set_loop(loop_);
  decoder_->set_upload(upload_to_);
  awaited_ = begins_again_ = false;
  playing_ = jumped_ = true;
  asked_.reset();
  aim_ = index_ = kept_ = dropped_ = decoded_ = 0;
  seconds_ = decode_ms_ = latency_ms_ = turn_ms_ = 0;
  in_ = out_ = {};
}

void FramePlayer::upload_ahead(gpu::Device* device) {
  upload_to_ = device;
  if (decoder_) decoder_->set_upload(device);
}

bool FramePlayer::is_camera() const {
  const auto known = info();
  return known && !known->seekable;
}

std::optional<DecodedFrame> FramePlayer::update(Clock::time_point now) {
  if (!decoder_) return std::nullopt;
  const std::int64_t decoded = decoder_->decoded();
  in_.count(now, decoded - std::exchange(decoded_, decoded));
  // The time that has passed until update() finds that it may go on does not count either.
  if (std::exchange(stands_, held_) || held_) set_clock(seconds_, now);
  if (held_ || awaited_) return std::nullopt;
  const bool gone_to = jumped_;
  std::optional<DecodedFrame> frame = next_due(now);
  if (!frame) return std::nullopt;
  has_jumped_ = gone_to ? frame->index != index_ + 1 : frame->index <= index_;
  index_ = frame->index;
  seconds_ = frame->seconds;
  decode_ms_ = smoothed(decode_ms_, frame->decode_ms);
  begins_again_ = false;
  given_ = now;
  ready_ = frame->decoded;
  awaited_ = true;
  return frame;
}

std::optional<DecodedFrame> FramePlayer::next_due(Clock::time_point now) {
  if (jumped_) {
    std::optional<DecodedFrame> frame = decoder_->take();
    if (frame) set_clock(frame->seconds, now);
    starts_when_shown_ = frame.has_value();
    if (frame || decoder_->ended()) jumped_ = false;
    return frame;
  }
  if (asked_) {
    start_jump(*std::exchange(asked_, std::nullopt));
    return std::nullopt;
  }
  if (!playing_) return std::nullopt;
  const std::optional<double> next = decoder_->next_seconds();
  if (!next) {
    playing_ = !decoder_->ended();
    return std::nullopt;
  }
  // What a camera gives is due at once.
  const bool camera = is_camera();
  if (!camera && due(*next) > clock(now)) return std::nullopt;
  if (!camera && *next <= seconds_ && !loop_ && !begins_again_) {
    playing_ = false;
    return std::nullopt;
  }
  if (!camera && *next <= seconds_) set_clock(*next, now);
  std::optional<DecodedFrame> frame = decoder_->take();
  while (frame && !every_frame_) {
    const std::optional<double> after = decoder_->next_seconds();
    if (!after || *after <= frame->seconds || (!camera && *after > clock(now))) break;
    frame = decoder_->take();
    ++dropped_;
  }
  if (frame && clock(now) - frame->seconds > patience_seconds * speed_) set_clock(frame->seconds, now);
  return frame;
}

void FramePlayer::shown(Clock::time_point now) {
  if (!std::exchange(awaited_, false)) return;
  if (std::exchange(starts_when_shown_, false)) set_clock(seconds_, now);
  ++kept_;
  out_.count(now);
  latency_ms_ = smoothed(latency_ms_, milliseconds(now - ready_));
  turn_ms_ = smoothed(turn_ms_, milliseconds(now - given_));
}

std::optional<double> FramePlayer::seconds_to_next(Clock::time_point now) const {
  if (!decoder_ || held_ || awaited_) return std::nullopt;
  const bool there = decoder_->ready() > 0;
  if (jumped_) return there || decoder_->ended() ? std::optional<double>(0.0) : std::nullopt;
  if (asked_) return 0.0;
  if (!playing_) return std::nullopt;
  const std::optional<double> next = decoder_->next_seconds();
  if (!next) return decoder_->ended() ? std::optional<double>(0.0) : std::nullopt;
  return is_camera() ? 0.0 : std::max(0.0, (due(*next) - clock(now)) / speed_);
}

double FramePlayer::due(double next) const {
  const auto known = info();
  return next > seconds_ ? next : seconds_ + 1.0 / (known ? known->frames_per_second : 25.0);
}

void FramePlayer::set_clock(double seconds, Clock::time_point now) {
  clock_seconds_ = seconds;
  clock_start_ = now;
}

double FramePlayer::clock(Clock::time_point now) const {
  return clock_seconds_ + Seconds(now - clock_start_).count() * speed_;
}

void FramePlayer::play(Clock::time_point now) {
  if (!decoder_) return;
  if (decoder_->ended()) seek(0);
  playing_ = begins_again_ = true;
  set_clock(seconds_, now);
}

void FramePlayer::step(int by) {
  if (!decoder_) return;
  pause();
  if (by != 1 || jumped_ || asked_) return seek(aim() + by);
  // The next frame is in the ring, or on its way.
  jumped_ = true;
  aim_ = index_ + 1;
}

void FramePlayer::seek(std::int64_t index) {
  const std::optional<io::FrameInfo> known = info();
  if (!known || !known->seekable) return;
  if (known->frames > 0) index = std::min(index, known->frames - 1);
  index = std::max<std::int64_t>(index, 0);
  if (jumped_ && !asked_ && aim_ == index) return;  // It is on its way.
  if (jumped_)
    asked_ = index;
  else
    start_jump(index);
}

void FramePlayer::start_jump(std::int64_t index) {
  decoder_->seek(index);
  jumped_ = true;
  aim_ = index;
}

void FramePlayer::set_speed(double speed, Clock::time_point now) {
  set_clock(clock(now), now);
  speed_ = std::clamp(speed, min_speed, max_speed);
}

void FramePlayer::set_loop(bool loop) {
  loop_ = loop;
  if (decoder_) decoder_->set_loop(loop);
}

}  // namespace threadscape::app
