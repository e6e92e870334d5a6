// Lessons as one file, a ZIP archive.

#include <array>
#include <cstdint>
#include <cstdio>
#include <set>

#include "app/lesson/lesson.h"
#include "app/session/user_folders.h"
#include "compute/core/errors.h"
#include "compute/io/file_writer.h"
#include "compute/io/zip_archive.h"

namespace threadscape::app {

namespace fs = std::filesystem;

fs::path unpacked_lesson(const fs::path& archive) {
  constexpr std::size_t most_files = 1000, most_bytes = std::size_t{64} << 20;
  const auto files = io::load_zip(archive, most_files, most_bytes);
  // An archive that is changed stays the lesson that it was, with the progress of the learner.
  std::error_code error;
  std::uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a.
  for (const char c : fs::weakly_canonical(archive, error).string())
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  std::array<char, 20> digits{};
  std::snprintf(digits.data(), digits.size(), "%016llx", static_cast<unsigned long long>(hash));
  const fs::path folder = cache_folder() / "lessons" / digits.data() / archive.stem();
  fs::remove_all(folder, error);
  fs::create_directories(folder, error);
  if (error) throw EnvironmentError(folder.string() + " cannot be made: " + error.message());
  std::set<std::string> names;
  for (const auto& [path, bytes] : files) {
    // Folders in the archive have no meaning, as pages name files without them.
    const std::string name = path.substr(path.find_last_of("/\\") + 1);
    if (name.empty() || name.starts_with('.')) continue;
    if (!names.insert(name).second)
      throw UsageError("'" + archive.string() + "' is no lesson: two of its files are named " + name);
    io::save_bytes(folder / name, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  }
  return folder;
}

}  // namespace threadscape::app
