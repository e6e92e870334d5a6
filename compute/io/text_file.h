#pragma once

#include <filesystem>
#include <string>

namespace threadscape::io {

/// Reads a JSON file as a whole and checks the limits of JSON. Throws EnvironmentError with the path and the cause
/// (missing, a folder, a device, longer than Limit::json_bytes), and UsageError for a text that is nested too deeply.
[[nodiscard]] std::string load_json_text(const std::filesystem::path& path);

}  // namespace threadscape::io
