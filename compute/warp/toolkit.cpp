#include "compute/warp/toolkit.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <string>
#include <utility>

namespace threadscape::warp {

namespace fs = std::filesystem;

namespace {

/// The folders that match a pattern whose parts may be "*" or end in one, in the order of their names.
std::vector<fs::path> folders_like(const fs::path& pattern) {
  std::vector<fs::path> found{""};
  for (const fs::path& part : pattern) {
    const std::string text = part.string();
    std::vector<fs::path> next;
    for (const fs::path& folder : found) {
      std::error_code error;
      if (!text.ends_with('*')) {
        if (fs::is_directory(folder / part, error)) next.push_back(folder / part);
        continue;
      }
      for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
        if (entry.path().filename().string().starts_with(text.substr(0, text.size() - 1)) && entry.is_directory(error))
          next.push_back(entry.path());
    }
    std::ranges::sort(next);
    found = std::move(next);
  }
  return found;
}

}  // namespace

std::vector<fs::path> toolkit_folders(const char* of_toolkit, const char* of_package) {
  std::vector<fs::path> roots;
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char* folder = std::getenv(variable)) roots.emplace_back(folder);
  roots.insert(roots.end(), {"/usr/local/cuda", "/opt/cuda"});
  std::vector<fs::path> all;
  for (const fs::path& root : roots)
    for (const fs::path& folder : folders_like(root / of_toolkit))
      all.push_back(folder);
  std::vector<fs::path> of_python{"/usr/local/lib/python3*/dist-packages", "/usr/local/lib/python3*/site-packages",
                                  "/usr/lib/python3*/dist-packages"};
  for (const auto& [variable, below] :
       {std::pair{"VIRTUAL_ENV", "lib/python3*/site-packages"}, std::pair{"HOME", ".local/lib/python3*/site-packages"}})
    if (const char* folder = std::getenv(variable)) of_python.insert(of_python.begin(), fs::path(folder) / below);
  for (const fs::path& packages : of_python)
    for (const fs::path& folder : folders_like(packages / "nvidia/*" / of_package))
      all.push_back(folder);
  for (const fs::path& folder : folders_like(fs::path("/usr/local/cuda-*") / of_toolkit))
    all.push_back(folder);
  return all;
}

std::vector<fs::path> libraries_in(const fs::path& folder, std::string_view beginning) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(beginning)) files.push_back(entry.path());
  }
  std::ranges::sort(files, std::ranges::greater());
  return files;
}

std::vector<fs::path> library_candidates(const char* variable, std::initializer_list<const char*> names,
                                         std::string_view beginning) {
  std::vector<fs::path> all;
  if (const char* stated = std::getenv(variable)) {
    std::error_code error;
    if (!fs::is_directory(stated, error)) return {stated};
    return libraries_in(stated, beginning);
  }
  all.assign(names.begin(), names.end());
  for (const char* below : {"lib64", "lib"})
    for (const fs::path& folder : toolkit_folders(below, "lib"))
      for (const fs::path& file : libraries_in(folder, beginning))
        if (std::ranges::find(all, file) == all.end()) all.push_back(file);
  return all;
}

}  // namespace threadscape::warp
