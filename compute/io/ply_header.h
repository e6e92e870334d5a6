#pragma once
// The header of PLY files, checked before Assimp reads them: Assimp takes memory for what the header says, and searches
// without end for what a damaged header lacks.

#include <filesystem>
#include <stop_token>

namespace threadscape::io {

/// Refuses a PLY file whose header has a line that the format does not know, does not end, or counts more elements than
/// the file has bytes. Other files, those that do not begin with "ply", are accepted. Throws UsageError, and Cancelled.
/// Source: G. Turk, "The PLY Polygon File Format", 1994.
void check_ply_header(const std::filesystem::path& path, const std::stop_token& stop);

}  // namespace threadscape::io
