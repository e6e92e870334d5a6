#pragma once

#include <filesystem>
#include <string>

#include "compute/io/limits.h"

namespace threadscape::io {

/// Reads a text file as a whole. Throws EnvironmentError with the path and the cause (missing, a folder, unreadable,
/// longer than the limit).
[[nodiscard]] std::string load_text(const std::filesystem::path& path, Limit limit = Limit::text_bytes);

/// Reads a JSON file as a whole and checks the limits of JSON. Throws EnvironmentError as load_text() does, and
/// UsageError for a text that is nested too deeply.
[[nodiscard]] std::string load_json_text(const std::filesystem::path& path);

}  // namespace threadscape::io
