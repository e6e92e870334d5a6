#pragma once
// Folders that a dialog for files offers by their names.

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace threadscape::app {

struct FilePlace {
  std::string title;
  std::filesystem::path folder;
};

/// The folder that a file in the format of xdg-user-dirs names by this key, such as "XDG_PICTURES_DIR"; "" if it names
/// none, or the home folder itself, which stands for a folder that the user has not got.
[[nodiscard]] std::filesystem::path user_folder(std::string_view text, std::string_view key,
                                                const std::filesystem::path& home);
/// The home folder, the user's folders for documents, downloads and pictures, the folder in which the program was
/// started, and at most four folders of the files that were opened last, as far as they exist and differ.
[[nodiscard]] std::vector<FilePlace> file_places(std::span<const std::filesystem::path> recent = {});

}  // namespace threadscape::app
