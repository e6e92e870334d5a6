#pragma once
// Shader programs from the texts in shaders/: built into the program, or read from the folder while it runs.

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

/// Gives shader texts by file name. A line `#include "name"` is replaced by that file, one level deep.
class ShaderLibrary {
 public:
  /// The texts that were built in.
  ShaderLibrary() = default;
  /// Texts from `folder` where it has the file, else the built-in ones; poll() then looks for changes.
  explicit ShaderLibrary(std::filesystem::path folder) : folder_(std::move(folder)) {}
  /// The source folder of this build; it need not exist on the machine that runs it.
  [[nodiscard]] static std::filesystem::path source_folder();

  /// Throws UsageError when there is no such shader.
  [[nodiscard]] std::string text(std::string_view name) const;
  /// Looks at the files' times, at most twice a second unless `now`; programs notice at their next use.
  void poll(bool now = false);
  /// Grows by one whenever poll() sees a change.
  [[nodiscard]] std::uint64_t generation() const { return generation_; }

 private:
  [[nodiscard]] std::string file_text(std::string_view name) const;

  std::filesystem::path folder_;
  std::map<std::filesystem::path, std::filesystem::file_time_type> times_;
  std::chrono::steady_clock::time_point last_poll_{};
  std::uint64_t generation_ = 0;
};

/// One shader of a program: its kind, its name in the library, and the text that was last tried.
struct ShaderStage {
  GLenum type = 0;
  std::string name, text;
};

/// A vertex and a fragment shader, or a compute shader. When a reloaded text does not compile, the last good program
/// stays in use and error() says why. Move-only; the library must outlive it.
class Program {
 public:
  Program() = default;
  /// Throws EnvironmentError with the compiler's message.
  /// `defines`: lines that are put behind the #version of both, for variants of a program: a software renderer runs
  /// what is switched off by uniforms, too.
  Program(const ShaderLibrary& library, std::string_view vertex, std::string_view fragment, std::string defines = {});
  Program(const ShaderLibrary& library, std::string_view compute);
  [[nodiscard]] static Program of_compute(const ShaderLibrary& library, std::string_view compute, std::string defines);
  ~Program();
  Program(Program&& other) noexcept { swap(other); }
  Program& operator=(Program&& other) noexcept {
    Program(std::move(other)).swap(*this);
    return *this;
  }

  /// Rebuilds if the library saw a change of its texts, then makes it current.
  void use();
  [[nodiscard]] GLuint id() const { return id_; }
  /// Message of the last failed reload; "" when the texts in use are the newest.
  [[nodiscard]] const std::string& error() const { return error_; }

  /// Uniforms by name; one that the compiler removed is ignored.
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
