#pragma once
// Sequences and scalars from and to raw files: nothing but the numbers, little endian, one after another (.raw, .bin).

#include <filesystem>

#include "compute/core/data.h"

namespace threadscape::io {

/// A file of any name holds as many numbers of this type as its length says. Throws EnvironmentError with the path and
/// the cause (missing, directory, empty, a length that is no multiple of the type's, too large for the memory).
[[nodiscard]] HostArray load_sequence(const std::filesystem::path& path, Element element);
/// All rows, one after another: of sorted pairs first the keys, then their values. Throws EnvironmentError /
/// UsageError.
void save_sequence(const std::filesystem::path& path, HostIn data);
/// Throws what save_sequence() would throw for this path.
void require_sequence_path(const std::filesystem::path& path);

}  // namespace threadscape::io
