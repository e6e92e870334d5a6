#pragma once
// A program for pictures of any size, with one variant for pictures in one texture and one for tiled pictures, which is
// compiled when the first tiled picture is drawn (shaders/tiles.glsl).

#include <array>
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
  /// The library must outlive the program.
  TiledProgram(const gl::ShaderLibrary& library, std::string_view compute)
      : library_(library), names_{std::string(compute), ""} {
    whole_ = make({});
  }
  TiledProgram(const gl::ShaderLibrary& library, std::string_view vertex, std::string_view fragment)
      : library_(library), names_{std::string(vertex), std::string(fragment)} {
    whole_ = make({});
  }

  /// The variant for this picture, made current. A second picture in the same draw has to be tiled like the first.
  gl::Program& use(const gl::Texture& picture) {
    gl::Program& program = picture.tiled() ? tiled_ : whole_;
    if (picture.tiled() && tiled_.id() == 0) tiled_ = make(tile_defines(picture));
    program.use();
    set_tiles(program, picture);
    return program;
  }
  [[nodiscard]] const std::string& error() const { return whole_.error(); }

 private:
  [[nodiscard]] gl::Program make(const std::string& defines) const {
    return names_[1].empty() ? gl::Program::of_compute(library_, names_[0], defines)
                             : gl::Program(library_, names_[0], names_[1], defines);
  }

  const gl::ShaderLibrary& library_;
  std::array<std::string, 2> names_;
  gl::Program whole_, tiled_;
};

}  // namespace threadscape::render
