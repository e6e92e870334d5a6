#pragma once
// Finds libraries and headers of NVIDIA on this machine: in CUDA Toolkits and packages of the Python index.

#include <filesystem>
#include <initializer_list>
#include <string_view>
#include <vector>

namespace threadscape::warp {

/// The folders of CUDA Toolkits and of Python's packages that match a pattern below them, whose parts may end in "*".
[[nodiscard]] std::vector<std::filesystem::path> toolkit_folders(const char* of_toolkit, const char* of_package);

/// The files of a folder whose names begin so, the newest version first.
[[nodiscard]] std::vector<std::filesystem::path> libraries_in(const std::filesystem::path& folder,
                                                              std::string_view beginning);

/// Where a library may be, the first choice first: the file, or those in the folder, that the environment variable
/// states; the names, which the loader looks up; and files of toolkits and packages that begin with `beginning`.
[[nodiscard]] std::vector<std::filesystem::path> library_candidates(const char* variable,
                                                                    std::initializer_list<const char*> names,
                                                                    std::string_view beginning);

}  // namespace threadscape::warp
