#pragma once
// Shader programs from the sources in shaders/, which are built into the executable, or read from the folder at run
// time.

#include <glad/gl.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace threadscape::gl {

/// Returns shader sources by file name. A line `#include "name"` is replaced by that file, one level deep.
class ShaderLibrary {
 public:
  /// A library of the sources built into the executable.
  ShaderLibrary() = default;
  /// A library of the files in `folder`, and of the built-in sources of files that it does not have. poll() looks for
  /// changes.
  explicit ShaderLibrary(std::filesystem::path folder) : folder_(std::move(folder)) {}
  /// The source folder of this build; it need not exist at run time.
  [[nodiscard]] static std::filesystem::path source_folder();

  /// The source of a shader. Throws UsageError if there is no shader with this name.
  [[nodiscard]] std::string text(std::string_view name) const;
  /// Checks the modification times of the files, at most twice a second unless `now` is set. Programs reload changed
  /// sources at their next use.
  void poll(bool now = false);
  /// A number that grows by one whenever poll() finds a change.
  [[nodiscard]] std::uint64_t generation() const { return generation_; }

 private:
  [[nodiscard]] std::string file_text(std::string_view name) const;

  std::filesystem::path folder_;
  std::map<std::filesystem::path, std::filesystem::file_time_type> times_;
  std::chrono::steady_clock::time_point last_poll_{};
  std::uint64_t generation_ = 0;
};

/// One shader of a program: its type, its name in the library, and the source that was compiled last, with or without
/// success.
struct ShaderStage {
  GLenum type = 0;
  std::string name, text;
};

/// A program of a vertex and a fragment shader, or of a compute shader. If a reloaded source does not compile, the last
/// valid program stays in use and error() returns the reason. The library must outlive the program. Move-only.
class Program {
 public:
  Program() = default;
  /// `defines` are lines that are inserted after the #version of both shaders, for variants of a program: code that a
  /// uniform switches off would still cost time in a software renderer. Throws EnvironmentError with the message of the
  /// compiler.
  Program(const ShaderLibrary& library, std::string_view vertex, std::string_view fragment, std::string defines = {});
  Program(const ShaderLibrary& library, std::string_view compute);
  [[nodiscard]] static Program of_compute(const ShaderLibrary& library, std::string_view compute, std::string defines);
  ~Program();
  Program(Program&& other) noexcept { swap(other); }
  Program& operator=(Program&& other) noexcept {
    Program(std::move(other)).swap(*this);
    return *this;
  }

  /// Rebuilds the program if its sources have changed, and makes it current.
  void use();
  [[nodiscard]] GLuint id() const { return id_; }
  /// The message of the last failed reload; empty if the program is up to date.
  [[nodiscard]] const std::string& error() const { return error_; }

  /// Sets a uniform by name. A uniform that the compiler removed is ignored.
  void set(std::string_view name, bool value) { set(name, static_cast<int>(value)); }
  void set(std::string_view name, int value);
  void set(std::string_view name, float value);
  void set(std::string_view name, const glm::ivec2& value);
  void set(std::string_view name, const glm::ivec3& value);
  void set(std::string_view name, const glm::vec2& value);
  void set(std::string_view name, const glm::vec3& value);
  void set(std::string_view name, const glm::vec4& value);
  void set(std::string_view name, const glm::mat4& value);

 private:
  Program(const ShaderLibrary& library, std::vector<ShaderStage> stages, std::string defines);
  [[nodiscard]] std::string text_of(const ShaderStage& stage) const;
  void swap(Program& other) noexcept;
  void reload();
  [[nodiscard]] GLint location(std::string_view name);

  const ShaderLibrary* library_ = nullptr;
  std::vector<ShaderStage> stages_;
  std::string defines_;
  std::uint64_t generation_ = 0;
  GLuint id_ = 0;
  std::string error_;
  std::map<std::string, GLint, std::less<>> locations_;
};

}  // namespace threadscape::gl
