#pragma once
// Files that the parameters of algorithms name: structuring elements, masks, maps, environments. Algorithms read them
// through this file, and threadscape_io provides the readers, so that kernels are linked without a codec.

#include <cstdint>
#include <filesystem>

#include "compute/core/data.h"

namespace threadscape {

enum class ParameterFile : std::uint8_t {
  picture,      ///< Pixels of any type that pictures have.
  heightfield,  ///< u8, u16 or f32 heights.
};

/// Reads a file. Throws EnvironmentError with the path and the cause.
using ParameterFileReader = HostArray (*)(const std::filesystem::path& path);

/// Sets the reader for files with this content. To be called before other threads read files. Returns true.
bool provide_parameter_files(ParameterFile content, ParameterFileReader reader);

/// Reads a file that a parameter names. Throws what the reader throws, and EnvironmentError in a program that has none.
[[nodiscard]] HostArray read_parameter_file(ParameterFile content, const std::filesystem::path& path);

}  // namespace threadscape
