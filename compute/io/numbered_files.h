#pragma once
// Pictures in several files in their order: those in a folder, or those whose names a pattern numbers. Stacks of
// slices, clips and moving pictures are read from them.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace threadscape::io {

/// Returns whether the file name of the path has one place for a number, as printf() has them: "%d", "%4d" or "%04d".
[[nodiscard]] bool is_number_pattern(const std::filesystem::path& path);
/// Returns whether several files are read at the path: it is such a pattern, and no file has this very name.
[[nodiscard]] bool reads_numbered_files(const std::filesystem::path& path);
/// The name with the number in its place: number_name("frame_%04d.png", 7) is "frame_0007.png". Throws UsageError for a
/// name without such a place.
[[nodiscard]] std::string number_name(const std::filesystem::path& pattern, std::int64_t number);

/// The paths of several pictures: those in a folder, in the order of their names with numbers in them ordered by their
/// values, or those of a pattern with consecutive numbers, from the lowest that exists. Empty where there are none.
/// Throws DecodeFailure (bytes.h) for more than Limit::frames, and for a folder that cannot be read.
[[nodiscard]] std::vector<std::filesystem::path> stack_of_pictures(const std::filesystem::path& path);

/// The path of a picture of a stack that is written: NAME_0007.png for the number 7 of NAME.png.
[[nodiscard]] std::filesystem::path numbered_path(const std::filesystem::path& path, std::int64_t number);

}  // namespace threadscape::io
