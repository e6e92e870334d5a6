#include "render/gl/program.h"

#include <glm/gtc/type_ptr.hpp>
#include <utility>

#include "compute/core/errors.h"

namespace threadscape::gl {

namespace {

/// A shader object that exists until its program is linked.
class Shader {
 public:
  Shader(GLenum stage, std::string_view name, const std::string& text) : id_(glCreateShader(stage)) {
    const char* source = text.c_str();
    glShaderSource(id_, 1, &source, nullptr);
    glCompileShader(id_);
    GLint good = GL_FALSE, length = 0;
    glGetShaderiv(id_, GL_COMPILE_STATUS, &good);
    if (good) return;
    glGetShaderiv(id_, GL_INFO_LOG_LENGTH, &length);
    std::string message(static_cast<std::size_t>(length), '\0');
    glGetShaderInfoLog(id_, length, &length, message.data());
    message.resize(static_cast<std::size_t>(length));
    glDeleteShader(id_);
    throw EnvironmentError("shader " + std::string(name) + " does not compile: " + message);
  }
  ~Shader() { glDeleteShader(id_); }
  Shader(const Shader&) = delete;
  Shader& operator=(const Shader&) = delete;
  [[nodiscard]] GLuint id() const { return id_; }

 private:
  GLuint id_;
};

GLuint build(const std::vector<ShaderStage>& stages) {
  const GLuint id = glCreateProgram();
  std::string names;
  try {
    for (const ShaderStage& stage : stages) {
      const Shader shader(stage.type, stage.name, stage.text);
      glAttachShader(id, shader.id());  // The program keeps the shader object alive.
      names += (names.empty() ? "" : " and ") + stage.name;
    }
  } catch (...) {
    glDeleteProgram(id);
    throw;
  }
  glLinkProgram(id);
  GLint good = GL_FALSE, length = 0;
  glGetProgramiv(id, GL_LINK_STATUS, &good);
  if (good) return id;
  glGetProgramiv(id, GL_INFO_LOG_LENGTH, &length);
  std::string message(static_cast<std::size_t>(length), '\0');
  glGetProgramInfoLog(id, length, &length, message.data());
  message.resize(static_cast<std::size_t>(length));
  glDeleteProgram(id);
  throw EnvironmentError("shaders " + names + " do not link: " + message);
}

}  // namespace

Program::Program(const ShaderLibrary& library, std::vector<ShaderStage> stages, std::string defines)
    : library_(&library), stages_(std::move(stages)), defines_(std::move(defines)), generation_(library.generation()) {
  for (ShaderStage& stage : stages_)
    stage.text = text_of(stage);
  id_ = build(stages_);
}

Program::Program(const ShaderLibrary& library, std::string_view vertex, std::string_view fragment, std::string defines)
    : Program(library, {{GL_VERTEX_SHADER, std::string(vertex), {}}, {GL_FRAGMENT_SHADER, std::string(fragment), {}}},
              std::move(defines)) {}

Program::Program(const ShaderLibrary& library, std::string_view compute)
    : Program(library, {{GL_COMPUTE_SHADER, std::string(compute), {}}}, {}) {}

Program Program::of_compute(const ShaderLibrary& library, std::string_view compute, std::string defines) {
  return {library, {{GL_COMPUTE_SHADER, std::string(compute), {}}}, std::move(defines)};
}

std::string Program::text_of(const ShaderStage& stage) const {
  std::string text = library_->text(stage.name);
  if (!defines_.empty())  // #version has to be the first line
    text.insert(text.find('\n') + 1, defines_ + "#line 2 0\n");
  return text;
}

Program::~Program() {
  if (id_) glDeleteProgram(id_);
}

void Program::swap(Program& other) noexcept {
  std::swap(library_, other.library_);
  std::swap(stages_, other.stages_);
  std::swap(defines_, other.defines_);
  std::swap(generation_, other.generation_);
  std::swap(id_, other.id_);
  std::swap(error_, other.error_);
  std::swap(locations_, other.locations_);
}

void Program::reload() {
  generation_ = library_->generation();
  bool changed = false;
  for (ShaderStage& stage : stages_) {
    std::string text = text_of(stage);
    changed = changed || text != stage.text;
    stage.text = std::move(text);
  }
  if (!changed) return;
  try {
    const GLuint fresh = build(stages_);
    glDeleteProgram(id_);
    id_ = fresh;
    locations_.clear();
    error_.clear();
  } catch (const EnvironmentError& error) {
    error_ = error.what();
  }
}

void Program::use() {
  if (library_->generation() != generation_) reload();
  glUseProgram(id_);
}

GLint Program::location(std::string_view name) {
  if (const auto known = locations_.find(name); known != locations_.end()) return known->second;
  const std::string text(name);
  return locations_[text] = glGetUniformLocation(id_, text.c_str());
}

void Program::set(std::string_view name, int value) {
  glProgramUniform1i(id_, location(name), value);
}
void Program::set(std::string_view name, float value) {
  glProgramUniform1f(id_, location(name), value);
}
void Program::set(std::string_view name, const glm::ivec2& value) {
  glProgramUniform2iv(id_, location(name), 1, glm::value_ptr(value));
}
void Program::set(std::string_view name, const glm::ivec3& value) {
  glProgramUniform3iv(id_, location(name), 1, glm::value_ptr(value));
}
void Program::set(std::string_view name, const glm::vec2& value) {
  glProgramUniform2fv(id_, location(name), 1, glm::value_ptr(value));
}
void Program::set(std::string_view name, const glm::vec3& value) {
  glProgramUniform3fv(id_, location(name), 1, glm::value_ptr(value));
}
void Program::set(std::string_view name, const glm::vec4& value) {
  glProgramUniform4fv(id_, location(name), 1, glm::value_ptr(value));
}
void Program::set(std::string_view name, const glm::mat4& value) {
  glProgramUniformMatrix4fv(id_, location(name), 1, GL_FALSE, glm::value_ptr(value));
}

}  // namespace threadscape::gl
