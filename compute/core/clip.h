#pragma once
// Clips: several frames of one size and format that follow each other in time. A clip is one contiguous array
// (Kind::clip) whose depth is the number of frames, with the oldest frame first; rows and frames are not padded.

#include "compute/core/data.h"

namespace threadscape {

/// Returns whether the depth of data of this kind counts frames, so that only width and height are a size.
[[nodiscard]] constexpr bool is_moving(Kind kind) {
  return kind == Kind::clip;
}

/// The shape of a clip of so many frames, which have the size and the format of this picture.
[[nodiscard]] inline Shape clip_shape(const Shape& picture, std::int64_t frames) {
  return {Kind::clip, picture.element, picture.channels, picture.width, picture.height, frames};
}

/// The shape of a frame as a picture.
[[nodiscard]] inline Shape frame_shape(const Shape& clip) {
  return Shape::image(clip.element, clip.channels, clip.width, clip.height);
}

/// A view of a frame as a picture; frame 0 is the oldest one, frame shape.depth - 1 the newest one.
template <class Byte, Space S>
[[nodiscard]] DataView<Byte, S> frame_of(const DataView<Byte, S>& clip, std::int64_t index) {
  const std::size_t bytes = clip.pitch * static_cast<std::size_t>(clip.shape.height);
  return {clip.data + bytes * static_cast<std::size_t>(index), frame_shape(clip.shape), clip.pitch};
}

/// A view of the newest frames of a clip, at most `frames` of them, as a shorter clip.
template <class Byte, Space S>
[[nodiscard]] DataView<Byte, S> newest_frames(const DataView<Byte, S>& clip, std::int64_t frames) {
  DataView<Byte, S> view = clip;
  if (frames >= clip.shape.depth) return view;
  view.data = frame_of(clip, clip.shape.depth - frames).data;
  view.shape.depth = frames;
  return view;
}

}  // namespace threadscape
