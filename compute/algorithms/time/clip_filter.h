#pragma once
// The common part of the algorithms in time. They take a clip (compute/core/clip.h), use its newest frames, as many as
// their parameters say or as there are, and give a picture for the newest one. The depth of input_shape() is the number
// of frames that they use, so that callers with a moving source know how many to hand over. Without a file the clip
// shows the moving scene of compute/core/moving_scene.h.

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "compute/core/clip.h"
#include "compute/registry/algorithm.h"

namespace threadscape::clips {

/// The most frames that an algorithm uses, so that counts of frames fit into bytes.
inline constexpr int max_frames = 64;

/// The shape of the picture of a clip. Throws UsageError unless the input is a clip of 8 bit, 16 bit or float, grey or
/// RGBA. `algorithm` is named in the message.
[[nodiscard]] Shape picture_of_clip(std::string_view algorithm, const Shape& input);

/// The clip that algorithms work on without a file: so many frames of the moving scene.
[[nodiscard]] Shape scene_shape(int frames);
[[nodiscard]] HostArray scene(int frames, std::uint64_t seed);

/// The common base of the structs that describe algorithms in time. `P` is the struct of the parameters, which has the
/// name of the algorithm as `algorithm` and the number of frames that a run uses as used(). What remains for the
/// algorithm are title, summary, source, variants and the three backends.
template <class P>
struct ClipFilter {
  using Params = P;
  static constexpr std::string_view group = "Time";
  static constexpr Kind input = Kind::clip, output = Kind::image;
  static constexpr Tolerance tolerance = Tolerance::exact();
  static constexpr bool loops = true;

  static Shape input_shape(const P& params) { return scene_shape(params.used()); }
  static HostArray make_input(const P& params, std::uint64_t seed) { return scene(params.used(), seed); }
  static bool same_input(const P& a, const P& b) { return a.used() == b.used(); }
  static Shape output_shape(const P&, const Shape& input) { return picture_of_clip(P::algorithm, input); }
  /// A region of the result needs its own pixels of the frames that are used.
  static Region input_needed(const P& params, const Shape& input, Region output) {
    output.depth = std::min<std::int64_t>(params.used(), input.depth);
    output.z = input.depth - output.depth;
    return output;
  }
  static std::size_t scratch_bytes(const P&, const Shape&, Backend, int) { return 0; }
};

}  // namespace threadscape::clips
