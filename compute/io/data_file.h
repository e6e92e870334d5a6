#pragma once
// Data of any kind from and to files. The list of kinds with their readers and writers is in data_file.cpp.

#include <string_view>
#include <vector>

#include "compute/core/file_notes.h"
#include "compute/io/file_extension.h"
#include "compute/io/loaded.h"

namespace threadscape::io {

/// Reads what an algorithm takes. `wanted` says the kind, and for files without a header the type of the numbers; the
/// extents come from the file. Throws EnvironmentError with the path and the cause; UsageError for a kind that is not
/// read from files.
[[nodiscard]] Loaded load_data(const std::filesystem::path& path, const Shape& wanted, const LoadOptions& options);

/// Names and values that a file has for parameters; registry/file_settings.h says what they mean.
using Settings = decltype(Loaded::settings);

/// Returns whether any file can be read as data of this kind, because it has no header: sequences of numbers.
[[nodiscard]] bool reads_any_file(Kind kind);

/// The extensions, in lower case with the dot, of the files that data of this kind is read from or written to. Empty
/// for kinds without a file format.
[[nodiscard]] std::vector<std::string_view> data_extensions(Kind kind, FormatUse use);
/// Returns true if the path can only be read as a volume: it is a folder, a file of DICOM, or a file with an extension
/// that volumes alone have. Looks at the file for its type and its signature.
[[nodiscard]] bool is_only_volume(const std::filesystem::path& path);
/// The extensions for all kinds together, each once.
[[nodiscard]] std::vector<std::string_view> data_extensions(FormatUse use);

struct SaveOptions {
  FileColour colour = FileColour::grey;  ///< Colour type of a picture's file.
  FileNotes notes = {};                  ///< What the file states beside its values.
  int quality = 0;                       ///< Of pictures in formats with losses; see save_picture().
  PictureFacts facts = {};               ///< What the file of a picture states beside its pixels.
};
/// Writes a result by its kind and the path's extension, to a temporary name that is renamed at the end. Throws
/// EnvironmentError / UsageError.
void save_data(const std::filesystem::path& path, HostIn data, const SaveOptions& options);

/// What save_data() leaves out of the facts, as a sentence for the user that names the file; "" if nothing.
[[nodiscard]] std::string left_out_of(const std::filesystem::path& path, HostIn data, const SaveOptions& options);

/// Throws what save_data() would throw for this path, so that callers can ask before they compute the result.
void require_data_path(const std::filesystem::path& path, Kind kind);

}  // namespace threadscape::io
