#pragma once
// Sequences and scalars from and to raw files: nothing but the numbers, little endian, one after another.

#include <array>
#include <filesystem>
#include <stop_token>
#include <string_view>

#include "compute/core/data.h"

namespace threadscape::io {

/// The extensions that sequences are written with, in lower case with the dot.
inline constexpr std::array<std::string_view, 2> sequence_extensions{".raw", ".bin"};

/// Reads a file of any name; its length says how many numbers of this type it holds. Throws EnvironmentError with the
/// path and the cause (missing, directory, device, empty, a length that is no multiple of the type's, more than
/// Limit::numbers, too large for the memory).
[[nodiscard]] HostArray load_sequence(const std::filesystem::path& path, Element element,
                                      const std::stop_token& stop = {});
/// Writes all rows, one after another: sorted pairs as all keys, then all values. Throws EnvironmentError, and
/// UsageError for an extension that is not one of sequence_extensions.
void save_sequence(const std::filesystem::path& path, HostIn data);
/// Throws what save_sequence() would throw for this path, so that callers can ask before they compute the numbers.
void require_sequence_path(const std::filesystem::path& path);

}  // namespace threadscape::io
