#pragma once
// Stacks of pictures in several files: the pictures in a folder, or those whose names a pattern numbers.

#include <filesystem>
#include <vector>

namespace threadscape::io {

/// Whether the file name of the path has the place of a number: "%d", "%4d" or "%04d".
[[nodiscard]] bool has_number_pattern(const std::filesystem::path& path);

/// The paths of a stack of pictures: those in a folder, in the order of their names, or those that the pattern of a
/// path numbers without a gap from 0 or 1 on. Empty where there are none. Throws DecodeFailure (image_format.h) for
/// more than Limit::frames.
[[nodiscard]] std::vector<std::filesystem::path> stack_of_pictures(const std::filesystem::path& path);

/// The path of a picture of a stack that is written: NAME_0007.png for the number 7 of NAME.png.
[[nodiscard]] std::filesystem::path numbered_path(const std::filesystem::path& path, std::int64_t number);

}  // namespace threadscape::io
