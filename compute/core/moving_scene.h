#pragma once
// A moving scene that needs no file: discs of several sizes and a bar that move at constant speeds over a textured
// background at rest, seen through noise that is new in every frame. It is the input of algorithms on clips that have
// no other one, and a source of frames for tests and demonstrations.

#include <cstdint>

#include "compute/core/data.h"

namespace threadscape {

class MovingScene {
 public:
  /// Prepares frames of this size and format: 8 bit, 16 bit or float, grey or RGBA. Throws UsageError for other pixels,
  /// and EnvironmentError if memory runs out.
  MovingScene(const Shape& frame, std::uint64_t seed);

  [[nodiscard]] const Shape& shape() const { return shape_; }
  /// Draws a frame. Frames are numbered from 0 on; frame, size, format and seed determine every value on every machine,
  /// so frames can be drawn in any order. Several threads may draw at the same time. `to` has the shape of the scene.
  /// Throws UsageError for a negative number and for another shape.
  void draw(std::int64_t number, HostOut to) const;

 private:
  Shape shape_;
  HostArray background_;  ///< 16 bit, with the channels of the frames.
  std::uint64_t seed_ = 0;
};

/// The frames 0 .. clip.depth - 1 of the scene as a clip. Throws what the class throws.
[[nodiscard]] HostArray make_moving_clip(const Shape& clip, std::uint64_t seed);

}  // namespace threadscape
