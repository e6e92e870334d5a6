#pragma once
// What the clipboard holds: paths and addresses of files as text, pictures as text, and pictures themselves by programs
// that the desktop has for that, because GLFW passes text only.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace threadscape::app {

/// The files that a text names, one in each line, as a path, in quotation marks or not, or as file:// address. Empty if
/// a line is anything else, or names no existing file.
[[nodiscard]] std::vector<std::filesystem::path> files_in_text(std::string_view text);

/// A picture file in memory.
struct PictureBytes {
  std::string extension;  ///< With the dot: ".png".
  std::string bytes;
};
/// The picture of a data address such as "data:image/png;base64,iVBO..."; none if the text is no such address.
[[nodiscard]] std::optional<PictureBytes> picture_in_text(std::string_view text);

/// Puts a PNG file into the clipboard by wl-copy or xclip, which keep it for other programs. Throws EnvironmentError if
/// neither is installed, or it fails. Waits at most five seconds; called on a thread that does not draw.
void copy_picture_file(const std::filesystem::path& png);
/// Writes the picture in the clipboard to a PNG file by wl-paste or xclip. Throws and waits as copy_picture_file(), and
/// throws if the clipboard holds no picture.
void paste_picture_file(const std::filesystem::path& png);

}  // namespace threadscape::app
