#pragma once
// Data of any kind from and to files: pictures through image_file.h, other kinds in the formats that are named there.

#include "compute/core/algorithm.h"
#include "compute/io/image_file.h"

namespace threadscape::io {

/// Reads what an algorithm takes. `wanted` says the kind, and for files without a header the type of the numbers; the
/// extents come from the file. Throws EnvironmentError with the path and the cause; UsageError for a kind that is not
/// read from files.
[[nodiscard]] Picture load_data(const std::filesystem::path& path, const Shape& wanted, const LoadOptions& options);

struct SaveOptions {
  FileColour colour = FileColour::grey;  ///< of pictures
  FileNotes notes = {};                  ///< bits: of heightfields in PNG, 8 or 16
};
/// Writes a result by its kind and the path's extension, to a temporary name that is renamed at the end. Throws
/// EnvironmentError / UsageError.
void save_data(const std::filesystem::path& path, HostIn data, const SaveOptions& options);

/// Throws what save_data() would throw for this path, before time is spent on the result.
void require_data_path(const std::filesystem::path& path, Kind kind);

}  // namespace threadscape::io
