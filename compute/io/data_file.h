#pragma once
// Data of any kind from and to files: pictures through image_file.h, other kinds in the formats that are named there.

#include <string_view>
#include <vector>

#include "compute/io/file_extension.h"
#include "compute/io/image_file.h"
#include "compute/registry/algorithm.h"

namespace threadscape::io {

/// Reads what an algorithm takes. `wanted` says the kind, and for files without a header the type of the numbers; the
/// extents come from the file. Throws EnvironmentError with the path and the cause; UsageError for a kind that is not
/// read from files.
[[nodiscard]] Picture load_data(const std::filesystem::path& path, const Shape& wanted, const LoadOptions& options);

/// Names and values that a file has for parameters.
using Settings = decltype(Picture::settings);
/// Gives parameters what a file says of them. A name that begins with "voxels." holds where the file
/// is taken for an object, one that begins with "views." where it is taken for views of one, which the algorithm's
/// diagram tells (ScannerDiagram::input); a name without such a beginning always. What the algorithm has no parameter
/// for, or what its parameter does not accept, is left as it is. Returns what was set, as "name = value, name = value".
std::string apply_settings(const AlgorithmInfo& algorithm, const Settings& settings, ParamBox& params);

/// The extensions, in lower case with the dot, of the files that data of this kind is read from or written to. Empty
/// for kinds without a file format.
[[nodiscard]] std::vector<std::string_view> data_extensions(Kind kind, FormatUse use);
/// The extensions for all kinds together, each once.
[[nodiscard]] std::vector<std::string_view> data_extensions(FormatUse use);

struct SaveOptions {
  FileColour colour = FileColour::grey;  ///< of pictures
  FileNotes notes = {};                  ///< bits: of heightfields in PNG, 8 or 16
};
/// Writes a result by its kind and the path's extension, to a temporary name that is renamed at the end. Throws
/// EnvironmentError / UsageError.
void save_data(const std::filesystem::path& path, HostIn data, const SaveOptions& options);

/// Throws what save_data() would throw for this path, so that callers can ask before they compute the result.
void require_data_path(const std::filesystem::path& path, Kind kind);

}  // namespace threadscape::io
