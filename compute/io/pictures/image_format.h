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

#include "compute/io/bytes.h"
#include "compute/io/file_extension.h"
#include "compute/io/file_writer.h"
#include "compute/io/limits.h"
#include "compute/io/pictures/image_file.h"
#include "generated/file_libraries.h"

namespace threadscape::io {

/// The types of numbers that a format is written with.
struct WrittenNumbers {
  bool u8 = false, u16 = false, f32 = false;

  [[nodiscard]] constexpr bool hold(Element element) const {
    return element == Element::u8 ? u8 : element == Element::u16 ? u16 : element == Element::f32 && f32;
  }
};

/// How a picture is written.
struct EncodeOptions {
  FileColour colour = FileColour::grey;
  int quality = 0;          ///< 1..100; 0 = save_picture() explains.
  PictureFacts facts = {};  ///< What the file states beside its pixels, as far as the format holds it.
};

struct ImageFormat {
  std::string_view name;                         ///< Name of the format in messages, for example "PNG".
  std::span<const std::string_view> extensions;  ///< In lower case with the dot; at least one.
  /// Returns true if the file begins as this format does. Needs not be exact where a file is corrupt.
  bool (*sniff)(Bytes file);
  /// Called for files that `sniff` accepts. Throws DecodeFailure.
  Loaded (*decode)(Bytes file, const ReadingWatch& watch);
  /// Returns the largest number of bytes that a file has whose first `picture_beginning` bytes are these, according to
  /// its header; nothing after them is read. Throws DecodeFailure for a header that check_header() refuses. Null if
  /// Limit::file_bytes alone decides.
  std::int64_t (*max_bytes)(Bytes beginning) = nullptr;
  /// Null where the format is only read. Called with 1 or 4 channels of numbers and with a colour that the members
  /// below allow. Throws EnvironmentError.
  void (*encode)(FileWriter& file, HostIn pixels, const EncodeOptions& options) = nullptr;
  WrittenNumbers numbers = {.u8 = true, .u16 = true};
  bool colour = false;    ///< The format holds RGB beside grey.
  bool alpha = false;     ///< The format holds an alpha channel.
  bool profiles = false;  ///< The format holds colour profiles.
  /// Returns whether the library writes this profile beside these colours; null where it writes every profile.
  bool (*takes_profile)(Bytes profile, FileColour colour) = nullptr;
  bool grey_profiles = true;  ///< Profiles of grey pictures are for grey; false where all files have colours.
  bool windows = false;       ///< The format holds the windows of an EXR.
};

// Formats whose library was found when the program was configured (cmake/FileLibraries.cmake).
#if TS_HAS_TIFF
#define THREADSCAPE_TIFF_FORMAT(FORMAT) FORMAT(tiff)
#else
#define THREADSCAPE_TIFF_FORMAT(FORMAT)
#endif
#if TS_HAS_WEBP
#define THREADSCAPE_WEBP_FORMAT(FORMAT) FORMAT(webp)
#else
#define THREADSCAPE_WEBP_FORMAT(FORMAT)
#endif
#if TS_HAS_EXR
#define THREADSCAPE_EXR_FORMAT(FORMAT) FORMAT(exr)
#else
#define THREADSCAPE_EXR_FORMAT(FORMAT)
#endif

// The order of the entries is the order in which formats are listed and sniffed. TGA is the last one, because it has no
// signature.
#define THREADSCAPE_IMAGE_FORMATS(FORMAT) \
  FORMAT(png)                             \
  FORMAT(jpeg)                            \
  THREADSCAPE_TIFF_FORMAT(FORMAT)         \
  THREADSCAPE_WEBP_FORMAT(FORMAT)         \
  THREADSCAPE_EXR_FORMAT(FORMAT)          \
  FORMAT(npy) FORMAT(npz) FORMAT(bmp) FORMAT(pgm) FORMAT(ppm) FORMAT(pnm) FORMAT(pfm) FORMAT(tga)

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
[[nodiscard]] Loaded decode_picture(Bytes file, const ReadingWatch& watch = {},
                                    std::span<const ImageFormat> formats = image_formats());

/// Throws UsageError where the format cannot hold these pixels: the wrong type of numbers, colours in a grey format,
/// alpha in a format without (of floats, alpha is left out there). `path` is for the message. Returns the colour to
/// encode, which is `colour` unless the pixels have more to them (colours in what was read from a grey file).
FileColour require_encodable(const std::filesystem::path& path, const ImageFormat& format, HostIn pixels,
                             FileColour colour, std::span<const ImageFormat> formats = image_formats());

/// What of the facts about an input a file of this format and colour states, with pixels of this shape: a profile that
/// is for other colours is left out, and so are windows of another size. Adds to `note`, unless that is null, what is
/// left out and why.
[[nodiscard]] PictureFacts written_facts(const ImageFormat& format, const PictureFacts& facts, const Shape& shape,
                                         FileColour colour, std::string* note = nullptr);

/// How many bytes of a file are read before its header is judged.
inline constexpr std::int64_t picture_beginning = std::int64_t{1} << 20;

/// Reads a picture's file, but no more of it than its header asks for. Throws EnvironmentError if it cannot be read,
/// and DecodeFailure if it is empty, of no known format, too long, or has a header that check_header() refuses.
[[nodiscard]] std::vector<std::byte> read_picture_file(const std::filesystem::path& path, const LoadOptions& options,
                                                       std::span<const ImageFormat> formats = image_formats());

/// Throws DecodeFailure if a header claims an empty picture, more pixels than Limit::pixels, or more memory than is
/// free.
void check_header(std::int64_t width, std::int64_t height, std::size_t pixel_bytes);

/// Calls check_header(), and throws DecodeFailure if a compressed file of so many bytes does not justify the memory.
void check_header(std::int64_t width, std::int64_t height, std::size_t pixel_bytes, std::size_t file_bytes);

/// Calls check_header(), and returns an upper limit of the bytes of a compressed file: the pixels without compression,
/// half as many again, and 64 MiB for colour profiles, thumbnails and texts.
[[nodiscard]] std::int64_t max_compressed_bytes(std::int64_t width, std::int64_t height, std::size_t pixel_bytes);

}  // namespace threadscape::io
