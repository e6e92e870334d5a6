#include "app/live/frame_recorder.h"

#include <exception>
#include <optional>
#include <utility>

#include "compute/kernel/views.h"

namespace threadscape::app {

FrameRecorder::FrameRecorder(std::filesystem::path path, const io::FrameWriterOptions& options,
                             std::function<void()> wake)
    : path_(std::move(path)),
      writer_(io::make_frame_writer(path_, options)),
      wake_(std::move(wake)),
      thread_([this] { run(); }) {}

FrameRecorder::~FrameRecorder() {
  close();
}

void FrameRecorder::add(gl::PendingRead contents, Convert convert) {
  if (!stopped_ && !ended()) arriving_.push_back({std::move(contents), std::move(convert)});
}

void FrameRecorder::update() {
  while (!arriving_.empty()) {
    const std::optional<HostIn> there = arriving_.front().contents.poll();
    if (!there) break;
    HostArray copied(there->shape);
    copy(*there, copied.view());
    {
      const std::lock_guard lock(mutex_);
      if (!failed_) waiting_.push_back({std::move(copied), std::move(arriving_.front().convert)});
      changed_.notify_all();
    }
    arriving_.pop_front();
  }
  if (stopped_ && arriving_.empty()) close();
}

void FrameRecorder::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  changed_.notify_all();
}

void FrameRecorder::run() {
  try {
    while (std::optional<Item> item = next())
      encode(std::move(*item));
    writer_->finish();
    const std::lock_guard lock(mutex_);
    trouble_ = writer_->note();
  } catch (const std::exception& error) {
    const std::lock_guard lock(mutex_);
    failed_ = true;
    trouble_ = error.what();
    waiting_.clear();
  }
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  if (wake_) wake_();
}

std::optional<FrameRecorder::Item> FrameRecorder::next() {
  std::unique_lock lock(mutex_);
  encoding_ = false;
  changed_.wait(lock, [this] { return closed_ || !waiting_.empty(); });
  if (waiting_.empty()) return std::nullopt;
  std::optional<Item> item(std::move(waiting_.front()));
  waiting_.pop_front();
  encoding_ = true;
  return item;
}

void FrameRecorder::encode(Item item) {
  if (item.convert) item.contents = item.convert(std::as_const(item.contents).view());
  writer_->add(std::as_const(item.contents).view());
  {
    const std::lock_guard lock(mutex_);
    ++frames_;
  }
  if (wake_) wake_();
}

bool FrameRecorder::full() const {
  const std::lock_guard lock(mutex_);
  return !failed_ && arriving_.size() + waiting_.size() + (encoding_ ? 1 : 0) >= room;
}

bool FrameRecorder::ended() const {
  const std::lock_guard lock(mutex_);
  return ended_;
}

bool FrameRecorder::failed() const {
  const std::lock_guard lock(mutex_);
  return failed_;
}

std::string FrameRecorder::trouble() const {
  const std::lock_guard lock(mutex_);
  return trouble_;
}

std::int64_t FrameRecorder::frames() const {
  const std::lock_guard lock(mutex_);
  return frames_;
}

}  // namespace threadscape::app
