#pragma once
// A program for pictures of any size. It has a variant for pictures in one texture, one for tiled pictures
// (shaders/tiles.glsl), and those that the pass selects by definitions. All but the first one are compiled when they
// are used for the first time.

#include <array>
#include <map>
#include <string>
#include <string_view>

#include "render/gl/program.h"
#include "render/gl/texture.h"

namespace threadscape::render {

/// The definitions for gl::Program that select the variant for a picture.
[[nodiscard]] inline std::string tile_defines(const gl::Texture& picture) {
  return picture.tiled() ? "#define TILED\n" : "";
}

/// Sets the uniforms of shaders/tiles.glsl in the current program.
inline void set_tiles(gl::Program& program, const gl::Texture& picture) {
  if (!picture.tiled()) return;
  const auto [columns, rows] = picture.tile_counts();
  program.set("whole_size", glm::ivec2(picture.width(), picture.height()));
  program.set("tile_step", picture.tile_step());
  program.set("tile_counts", glm::ivec2(columns, rows));
}

/// A program with a variant for tiled pictures.
class TiledProgram {
 public:
  /// The library must outlive the program. The variant with `defines` is compiled at once.
  TiledProgram(const gl::ShaderLibrary& library, std::string_view compute)
      : library_(library), names_{std::string(compute), ""} {
    (void)variant({});
  }
  TiledProgram(const gl::ShaderLibrary& library, std::string_view vertex, std::string_view fragment,
               const std::string& defines = {})
      : library_(library), names_{std::string(vertex), std::string(fragment)} {
    (void)variant(defines);
  }

  /// The variant for this picture and these definitions, made current. A second picture in the same draw has to be
  /// tiled like the first.
  gl::Program& use(const gl::Texture& picture, const std::string& defines = {}) {
    gl::Program& program = variant(tile_defines(picture) + defines);
    program.use();
    set_tiles(program, picture);
    return program;
  }
  /// The message of a reloaded variant that does not compile; empty if all do.
  [[nodiscard]] const std::string& error() const {
    for (const auto& [defines, program] : variants_)
      if (!program.error().empty()) return program.error();
    return variants_.begin()->second.error();
  }

 private:
  gl::Program& variant(const std::string& defines) {
    const auto found = variants_.find(defines);
    if (found != variants_.end()) return found->second;
    return variants_
        .emplace(defines, names_[1].empty() ? gl::Program::of_compute(library_, names_[0], defines)
                                            : gl::Program(library_, names_[0], names_[1], defines))
        .first->second;
  }

  const gl::ShaderLibrary& library_;
  std::array<std::string, 2> names_;
  std::map<std::string, gl::Program> variants_;  ///< The programs that were used, by their definitions.
};

}  // namespace threadscape::render
