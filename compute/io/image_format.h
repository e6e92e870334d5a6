#pragma once
// The table of picture formats. A format is one codec file (png_codec.cpp, ...) that defines `NAME_format()`, and one
// entry of THREADSCAPE_IMAGE_FORMATS below. Readers, writers, extension lists, help texts and error messages are made
// from the table.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compute/io/file_extension.h"
#include "compute/io/file_writer.h"
#include "compute/io/image_file.h"

namespace threadscape::io {

/// The content of a file.
using Bytes = std::span<const std::byte>;

/// The exception for a file whose content cannot be decoded. Decoders throw it. load_picture() and similar functions
/// turn it into an EnvironmentError with the path, so it never leaves compute/io.
struct DecodeFailure {
  std::string cause;
};

struct ImageFormat {
  std::string_view name;                         ///< Name of the format in messages, for example "PNG".
  std::span<const std::string_view> extensions;  ///< In lower case with the dot; at least one.
  /// Whether the file begins as this format does. Needs not be exact where a file is corrupt.
  bool (*sniff)(Bytes file);
  /// Called for files that `sniff` accepts. Throws DecodeFailure.
  Picture (*decode)(Bytes file, const LoadOptions& options);
  /// Null where the format is only read. Called with u8 or u16 pixels (f32 pixels where `floats` is set) of 1 or 4
  /// channels, and with a `colour` that the flags below allow. Throws EnvironmentError.
  void (*encode)(FileWriter& file, HostIn pixels, FileColour colour) = nullptr;
  bool floats = false;  ///< The format holds f32 pixels and no others; otherwise u8 and u16 pixels.
  bool colour = false;  ///< The format holds RGB beside grey.
  bool alpha = false;   ///< The format holds an alpha channel.
};

// The order of the entries is the order in which formats are listed and sniffed.
#define THREADSCAPE_IMAGE_FORMATS(FORMAT) \
  FORMAT(png) FORMAT(jpeg) FORMAT(bmp) FORMAT(tga) FORMAT(pgm) FORMAT(ppm) FORMAT(pnm) FORMAT(pfm)

#define THREADSCAPE_DECLARE_FORMAT(name) [[nodiscard]] ImageFormat name##_format();
THREADSCAPE_IMAGE_FORMATS(THREADSCAPE_DECLARE_FORMAT)
#undef THREADSCAPE_DECLARE_FORMAT

/// All formats.
[[nodiscard]] std::span<const ImageFormat> image_formats();

// The functions below take the table as an argument, so that tests can pass one of their own.

/// The first format whose `sniff` accepts the file; null where there is none.
[[nodiscard]] const ImageFormat* sniffed_format(Bytes file, std::span<const ImageFormat> formats = image_formats());

/// The format that a file of this name is written in. Throws UsageError, with the list of written extensions, where no
/// format that can be written has the path's extension.
[[nodiscard]] const ImageFormat& written_format(const std::filesystem::path& path,
                                                std::span<const ImageFormat> formats = image_formats());

/// The names of all formats, or of those that can be written, for example "PNG, JPEG or BMP" with `last` = "or".
[[nodiscard]] std::string format_names(FormatUse use, std::string_view last = "or",
                                       std::span<const ImageFormat> formats = image_formats());
/// The extensions of all formats, or of those that can be written.
[[nodiscard]] std::vector<std::string_view> format_extensions(FormatUse use,
                                                              std::span<const ImageFormat> formats = image_formats());

/// Decodes a file in the format that its content shows. Throws DecodeFailure where there is none, and what the decoder
/// throws.
[[nodiscard]] Picture decode_picture(Bytes file, const LoadOptions& options,
                                     std::span<const ImageFormat> formats = image_formats());

/// Throws UsageError where the format cannot hold these pixels: the wrong type of numbers, colours in a grey format,
/// alpha in a format without. `path` is for the message. Returns the colour to encode, which is `colour` unless the
/// pixels have more to them (colours in what was read from a grey file).
FileColour require_encodable(const std::filesystem::path& path, const ImageFormat& format, HostIn pixels,
                             FileColour colour, std::span<const ImageFormat> formats = image_formats());

/// Reads a whole file. Throws EnvironmentError.
[[nodiscard]] std::vector<std::byte> read_file(const std::filesystem::path& path);

/// Throws DecodeFailure when a header claims an empty picture, more pixels than allowed, or more memory than is free.
void check_header(std::int64_t width, std::int64_t height, std::size_t pixel_bytes, const LoadOptions& options);

}  // namespace threadscape::io
