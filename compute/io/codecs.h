#pragma once
// One decoder per file format, over bytes that are already in memory. Used by image_file.cpp and heightfield_file.cpp.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "compute/io/file_writer.h"
#include "compute/io/image_file.h"

namespace threadscape::io {

using Bytes = std::span<const std::byte>;

/// What is wrong with a file; image_file.cpp adds the path. Not an Error: it never leaves compute/io.
struct DecodeFailure {
  std::string cause;
};

/// A whole file. Throws EnvironmentError.
[[nodiscard]] std::vector<std::byte> read_file(const std::filesystem::path& path);

/// Throws DecodeFailure when a header claims an empty picture, more pixels than allowed, or more memory than is free.
void check_header(std::int64_t width, std::int64_t height, std::size_t pixel_bytes, const LoadOptions& options);

[[nodiscard]] bool is_png(Bytes file);
[[nodiscard]] bool is_pnm(Bytes file);
[[nodiscard]] bool is_pfm(Bytes file);
[[nodiscard]] Picture decode_png(Bytes file, const LoadOptions& options);       ///< 1 to 16 bit, palette, interlaced
[[nodiscard]] Picture decode_pnm(Bytes file, const LoadOptions& options);       ///< P2, P3, P5, P6, up to 16 bit
[[nodiscard]] Picture decode_pfm(Bytes file, const LoadOptions& options);       ///< float, grey and RGB
[[nodiscard]] Picture decode_with_stb(Bytes file, const LoadOptions& options);  ///< JPEG, BMP, TGA

/// Text that stands in a PNG before its pixels.
struct PngText {
  std::string keyword, text;
};
void encode_png(FileWriter& writer, HostIn pixels, FileColour colour, const PngText& text = {});
/// "" where the PNG has no text with this keyword.
[[nodiscard]] std::string png_text(Bytes file, const char* keyword);
void encode_pnm(FileWriter& writer, HostIn pixels, bool colour);
void encode_pfm(FileWriter& writer, HostIn pixels);  ///< alpha is left out

}  // namespace threadscape::io
