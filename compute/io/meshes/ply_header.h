#pragma once
// The header of PLY files, checked before Assimp reads them: Assimp takes memory for what the header says, and searches
// without end for what a damaged header lacks.

#include <filesystem>
#include <stop_token>

namespace threadscape::io {

/// Refuses a PLY file whose header counts more elements than the file has bytes, or has no line that begins with the
/// word end_header. Other files, those that do not begin with "ply", are accepted. Throws UsageError, and Cancelled.
void check_ply_header(const std::filesystem::path& path, const std::stop_token& stop);

}  // namespace threadscape::io
