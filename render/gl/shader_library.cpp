#include <fstream>
#include <sstream>

#include "compute/core/errors.h"
#include "compute/core/resources.h"
#include "generated/shaders.h"
#include "render/gl/program.h"

namespace threadscape::gl {

namespace fs = std::filesystem;

fs::path ShaderLibrary::source_folder() {
  // Installed programs use the built-in shaders.
  return installed_folder().empty() ? fs::path(TS_SHADER_DIR) : fs::path();
}

std::string ShaderLibrary::file_text(std::string_view name) const {
  if (!folder_.empty()) {
    // An editor may be writing the file at this moment. The built-in source is used instead of an empty or absent file,
    // and the next poll finds the change.
    if (std::ifstream file(folder_ / name, std::ios::binary); file) {
      std::ostringstream text;
      text << file.rdbuf();
      if (!text.str().empty()) return text.str();
    }
  }
  for (const auto& shader : shaders::all())
    if (shader.name == name) return std::string(shader.text);
  throw UsageError("no shader named " + std::string(name));
}

std::string ShaderLibrary::text(std::string_view name) const {
  std::istringstream lines(file_text(name));
  std::string result;
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    constexpr std::string_view directive = "#include \"";
    if (line.starts_with(directive)) {
      const auto end = line.find('"', directive.size());
      // The included file is source string 1, so that messages of the compiler distinguish the two files.
      result += "#line 1 1\n" + file_text(line.substr(directive.size(), end - directive.size())) + "\n#line " +
                std::to_string(number + 1) + " 0\n";
    } else {
      result += line + "\n";
    }
  }
  return result;
}

void ShaderLibrary::poll(bool now) {
  const auto time = std::chrono::steady_clock::now();
  if (folder_.empty() || (!now && time - last_poll_ < std::chrono::milliseconds(500))) return;
  last_poll_ = time;

  bool changed = false;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder_, ignored)) {
    const auto modified = entry.last_write_time(ignored);
    auto [known, added] = times_.try_emplace(entry.path(), modified);
    if (!added && known->second == modified) continue;
    known->second = modified;
    changed = true;
  }
  // The first check counts as a change. That is harmless, since programs rebuild only if their own sources differ.
  if (changed) ++generation_;
}

}  // namespace threadscape::gl
