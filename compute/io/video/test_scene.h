#pragma once
// The built-in moving test scene, and the bar code with the number of a frame that tests read back.

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "compute/core/data.h"
#include "compute/io/video/frame_source.h"

namespace threadscape::io {

/// Returns true for "test:" and what begins with it.
[[nodiscard]] bool is_test_scene(std::string_view name);

/// Opens "test:", "test:WIDTHxHEIGHT", "test:WIDTHxHEIGHT@RATE" or "test:WIDTHxHEIGHT@RATE:FRAMES"; without the last
/// ones 640 x 360 pixels, 30 frames per second and 300 frames. Throws UsageError with the accepted forms.
[[nodiscard]] std::unique_ptr<FrameSource> open_test_scene(std::string_view name);

/// Width of a bar code in cells: one that is white, one that is black, 24 bits of the number from the highest to the
/// lowest, and the number of ones in them modulo 4 as two bits.
inline constexpr int frame_code_cells = 28;

/// Draws the number of a frame as a bar code over the full width in the lowest eighth of a picture of bytes, grey or
/// RGBA. A 1 is white and a 0 is black. Pictures of less than 28 x 8 pixels stay as they are.
void draw_frame_code(HostOut picture, std::int64_t index);

/// The number in the bar code of a picture of bytes, or nothing if there is none. Reads the centres of the cells, so
/// that codecs with losses and small filters do not change it.
[[nodiscard]] std::optional<std::int64_t> read_frame_code(HostIn picture);

}  // namespace threadscape::io
