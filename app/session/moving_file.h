#pragma once
// Moving pictures as something that is opened: video files, cameras, numbered pictures and the built-in scene.

#include <filesystem>

#include "compute/io/loaded.h"

namespace threadscape::app {

/// Returns true if what has this name is played when it is opened, and not shown as one picture. Does not look at the
/// content. Videos count in every build: without FFmpeg's libraries, opening them says what is missing. A GIF is a
/// picture in such a build.
[[nodiscard]] bool moves(const std::filesystem::path& name);

/// Returns true for the built-in scene and for numbered pictures, whose names are not those of files.
[[nodiscard]] bool names_no_file(const std::filesystem::path& name);

/// Returns whether there is a file with this name, or the name is that of no file.
[[nodiscard]] bool can_be_opened(const std::filesystem::path& name);

/// The absolute path of a file; the name itself for the built-in scene.
[[nodiscard]] std::filesystem::path absolute_name(const std::filesystem::path& name);

/// Reads the first frame of what moves(). Throws EnvironmentError and UsageError, and Cancelled after a request to
/// stop.
[[nodiscard]] io::Loaded first_frame(const std::filesystem::path& name, const io::LoadOptions& options = {});

}  // namespace threadscape::app
