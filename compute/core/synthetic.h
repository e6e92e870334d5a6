#pragma once
// Synthetic inputs for `bench`, `verify` and the tests; a pattern, a shape and a seed determine every value.

#include <array>
#include <cstdint>
#include <string_view>

#include "compute/core/data.h"

namespace threadscape {

/// photo: random values smoothed over several scales, as busy and as continuous as a photograph. noise: independent
/// random values over the full range. gradient: a diagonal ramp from the lowest to the highest value. impulse: zero,
/// but the highest value in the centre. constant: one third of the full range.
enum class InputPattern : std::uint8_t { photo, noise, gradient, impulse, constant };
inline constexpr std::array<std::string_view, 5> input_pattern_names{"photo", "noise", "gradient", "impulse",
                                                                     "constant"};

/// The pattern with this name. Throws UsageError with the list of names where there is none.
[[nodiscard]] InputPattern parse_input_pattern(std::string_view name);

/// Makes data of this shape. Integers use their full range, except that i32 and i64 use the range of u16, so that sums
/// stay representable; floats are in 0..1. Channels differ, and alpha of four-channel data varies too. The values are
/// equal on every machine. Meshes are random triangles (make_random_mesh()), or arbitrary words if they are too short
/// for that. Throws EnvironmentError when memory runs out.
[[nodiscard]] HostArray make_synthetic(InputPattern pattern, const Shape& shape, std::uint64_t seed = 0);

}  // namespace threadscape
