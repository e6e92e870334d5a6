#include "app/live/frame_decoder.h"

#include <exception>
#include <utility>

#include "compute/core/errors.h"

namespace threadscape::app {

FrameDecoder::FrameDecoder(std::filesystem::path name, LogBook& log, std::function<void()> wake, Opener open)
    : name_(std::move(name)),
      log_(log),
      wake_(std::move(wake)),
      open_(std::move(open)),
      thread_([this](const std::stop_token& stop) { run(stop); }) {}

void FrameDecoder::run(const std::stop_token& stop) {
  std::unique_ptr<io::FrameSource> source;
  try {
    source = open_(name_, {.stop = stop});
    const std::lock_guard lock(mutex_);
    info_ = source->info();
  } catch (const Cancelled&) {
    return;
  } catch (const std::exception& error) {
    fail(error.what());
    return wake_();
  }
  bool counted = false;
  while (wait_for_work(stop)) {
    try {
      decode_next(*source);
      if (!std::exchange(counted, true)) count_frames(*source);
    } catch (const Cancelled&) {
      return;
    } catch (const std::exception& error) {
      fail(error.what());
      wake_();
    }
  }
}

bool FrameDecoder::wait_for_work(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  return changed_.wait(lock, stop, [this] { return seek_ || (!finished_ && ring_.size() < ring_frames); });
}

void FrameDecoder::decode_next(io::FrameSource& source) {
  const std::optional<std::int64_t> target = [this] {
    const std::lock_guard lock(mutex_);
    return std::exchange(seek_, std::nullopt);
  }();
  const bool seekable = source.info().seekable;
  if (target && seekable) source.seek(*target);
  io::Frame frame;
  frame.pixels = used_memory();
  bool there = source.next(frame);
  // At the end of each round of a loop the source has the same to say.
  if (const std::string note = there ? "" : source.note(); !note.empty() && std::exchange(note_, note) != note)
    log_.warning(note);
  if (!there && seekable && loops()) {
    source.seek(0);
    there = source.next(frame);
  }
  std::shared_ptr<cuda::DeviceFrame> on_device = there ? uploaded(source, frame) : nullptr;
  bool first = false;
  {
    const std::lock_guard lock(mutex_);
    // A frame from before a jump is not wanted any more.
    if (seek_) return;
    finished_ = !there;
    first = ring_.empty();
    if (there) {
      ++decoded_;
      ring_.push_back(packed(std::move(frame)));
      ring_.back().source->on_device = std::move(on_device);
    }
  }
  if (first || !there) wake_();
}

std::shared_ptr<cuda::DeviceFrame> FrameDecoder::uploaded(const io::FrameSource& source, const io::Frame& frame) {
  gpu::Device* const device = upload_to_;
  if (device == nullptr || upload_failed_) return nullptr;
  try {
    if (!device_frames_ || frames_device_ != device) {
      device_frames_.reset();
      device_frames_ = cuda::make_device_frames(*device);
      frames_device_ = device;
    }
    if (const std::optional<YuvPlanes> planes = source.planes()) return device_frames_->upload(*planes);
    return device_frames_->upload(std::as_const(frame.pixels).view());
  } catch (const std::exception& error) {
    upload_failed_ = true;
    device_frames_.reset();
    log_.warning("frames are uploaded one after another, and not ahead of their turn: " + std::string(error.what()));
    return nullptr;
  }
}

void FrameDecoder::count_frames(io::FrameSource& source) {
  if (source.info().frames >= 0 || !source.info().seekable) return;
  const std::int64_t frames = source.count();
  const std::lock_guard lock(mutex_);
  info_->frames = frames;
}

void FrameDecoder::fail(const std::string& why) {
  log_.error(why);  // First, so that who sees the end of the source also sees the reason.
  const std::lock_guard lock(mutex_);
  failure_ = why;
  finished_ = true;
}

bool FrameDecoder::loops() const {
  const std::lock_guard lock(mutex_);
  // A single frame stays as it is.
  return loop_ && !seek_ && info_->frames != 1;
}

HostArray FrameDecoder::used_memory() {
  const std::lock_guard lock(pool_->mutex);
  if (pool_->free.empty()) return {};
  HostArray memory = std::move(pool_->free.back());
  pool_->free.pop_back();
  return memory;
}

DecodedFrame FrameDecoder::packed(io::Frame frame) const {
  const auto give_back = [pool = pool_](Source* source) {
    const std::unique_ptr<Source> owner(source);
    const std::lock_guard lock(pool->mutex);
    if (pool->free.size() < ring_frames) pool->free.push_back(std::move(owner->picture.pixels));
  };
  auto source = std::make_unique<Source>();
  source->path = name_;
  source->frame = static_cast<std::uint64_t>(frame.index);
  source->picture.colour = frame.pixels.shape().channels == 1 ? io::FileColour::grey : io::FileColour::rgb;
  source->picture.pixels = std::move(frame.pixels);
  return {.source = std::shared_ptr<Source>(source.release(), give_back),
          .index = frame.index,
          .seconds = frame.seconds,
          .decode_ms = frame.decode_ms,
          .decoded = std::chrono::steady_clock::now()};
}

std::optional<io::FrameInfo> FrameDecoder::info() const {
  const std::lock_guard lock(mutex_);
  return info_;
}

std::optional<double> FrameDecoder::next_seconds(std::size_t place) const {
  const std::lock_guard lock(mutex_);
  if (ring_.size() <= place) return std::nullopt;
  return ring_[place].seconds;
}

std::size_t FrameDecoder::ready() const {
  const std::lock_guard lock(mutex_);
  return ring_.size();
}

std::optional<DecodedFrame> FrameDecoder::take() {
  const std::lock_guard lock(mutex_);
  if (ring_.empty()) return std::nullopt;
  DecodedFrame frame = std::move(ring_.front());
  ring_.pop_front();
  changed_.notify_all();
  return frame;
}

bool FrameDecoder::ended() const {
  const std::lock_guard lock(mutex_);
  return finished_ && ring_.empty() && !seek_;
}

void FrameDecoder::seek(std::int64_t index) {
  std::deque<DecodedFrame> dropped;  // Their memory goes back to the pool after the mutex is free again.
  const std::lock_guard lock(mutex_);
  if (info_ && !info_->seekable) return;
  seek_ = index;
  finished_ = false;
  dropped.swap(ring_);
  changed_.notify_all();
}

void FrameDecoder::set_loop(bool loop) {
  const std::lock_guard lock(mutex_);
  loop_ = loop;
  // A decoder that has met the end goes on with the first frame.
  if (loop && failure_.empty()) finished_ = false;
  changed_.notify_all();
}

std::int64_t FrameDecoder::decoded() const {
  const std::lock_guard lock(mutex_);
  return decoded_;
}

}  // namespace threadscape::app
