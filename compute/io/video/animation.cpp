#include "compute/io/video/animation.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "compute/core/errors.h"
#include "compute/io/file_extension.h"

namespace threadscape::io {

namespace {

const std::byte* pixel_row(HostIn picture, std::int64_t y) {
  return picture.data + static_cast<std::size_t>(y) * picture.pitch;
}

}  // namespace

void AnimationWriter::fail(const std::string& why) const {
  throw EnvironmentError("cannot write '" + path_.string() + "': " + why);
}

void AnimationWriter::add(HostIn picture) {
  add_with(picture, {.seconds = next_seconds_});
}

void AnimationWriter::add_with(HostIn picture, const FrameFacts& facts) {
  if (ended_) throw UsageError("'" + path_.string() + "' has ended");
  if (picture.shape.element != Element::u8)
    throw UsageError("cannot write '" + path_.string() + "': " + extension_of(path_) +
                     " has 8 bits, and the frames are a " + to_string(picture.shape) + "; frame_%04d.png keeps them");
  if (waiting_.empty()) {
    shape_ = picture.shape;
    waiting_ = HostArray(Shape::image(Element::u8, 4, shape_.width, shape_.height));
    begin(static_cast<int>(shape_.width), static_cast<int>(shape_.height));
  } else if (picture.shape != shape_) {
    const int added = frames_ + 1;
    if (!std::exchange(ended_, options_.only_whole)) finish();
    refuse_size(path_, options_, added, picture.shape, shape_);
  } else {
    put_waiting(std::max(facts.seconds, waiting_from_));
  }
  waiting_from_ = std::max(facts.seconds, waiting_from_);
  next_seconds_ = waiting_from_ + (facts.lasts > 0 ? facts.lasts : 1 / options_.frames_per_second);
  if (shape_.channels != 1) return copy(picture, waiting_.view());
  const auto from = picture.image<std::uint8_t>();
  const auto to = waiting_.image<Rgba8>();
  for (int y = 0; y < from.height; ++y)
    for (int x = 0; x < from.width; ++x)
      to(x, y) = {from(x, y), from(x, y), from(x, y), 255};
}

void AnimationWriter::put_waiting(double end) {
  ended_ = true;  // A part of a frame, which is what a failure leaves, cannot be completed.
  add_rgba(std::as_const(waiting_).view(), waiting_from_, end);
  ended_ = false;
  ++frames_;
}

void AnimationWriter::finish() {
  // An animation without frames is no file.
  if (ended_ || waiting_.empty()) {
    ended_ = true;
    return;
  }
  put_waiting(next_seconds_);
  ended_ = true;
  end();
}

FrameBox changed_box(const std::optional<HostArray>& before, HostIn picture) {
  const auto width = static_cast<int>(picture.shape.width), height = static_cast<int>(picture.shape.height);
  if (!before) return {0, 0, width, height};
  const std::size_t bytes = picture.shape.pixel_bytes();
  const auto differs = [&](int x, int y) {
    const std::size_t at = static_cast<std::size_t>(x) * bytes;
    return std::memcmp(pixel_row(before->view(), y) + at, pixel_row(picture, y) + at, bytes) != 0;
  };
  int left = width, right = -1, top = height, bottom = -1;
  for (int y = 0; y < height; ++y) {
    if (std::memcmp(pixel_row(before->view(), y), pixel_row(picture, y), static_cast<std::size_t>(width) * bytes) == 0)
      continue;
    top = std::min(top, y);
    bottom = y;
    int x = 0;
    while (x < left && !differs(x, y))
      ++x;
    left = std::min(left, x);
    x = width - 1;
    while (x > right && !differs(x, y))
      --x;
    right = std::max(right, x);
  }
  if (bottom < 0) return {};
  return {left, top, right - left + 1, bottom - top + 1};
}

}  // namespace threadscape::io
