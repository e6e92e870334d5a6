#pragma once
// Pictures that lose or gain seams, replayed on the GPU from the map of which seam takes each pixel: any size at once,
// and nothing is searched again. A pass of several seams of one direction is one move of pixels.

#include <array>
#include <cstdint>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <span>
#include <vector>

#include "compute/registry/diagram.h"
#include "render/gl/buffer.h"
#include "render/gl/program.h"
#include "render/gl/texture.h"

namespace threadscape::render {

/// Size of the picture behind `step` seams.
[[nodiscard]] glm::ivec2 size_after(glm::ivec2 size, std::span<const SeamRun> runs, int step);

class SeamsPass {
 public:
  /// The library must outlive the pass.
  explicit SeamsPass(const gl::ShaderLibrary& library);

  /// What is replayed: a picture, and a texture of its size with 16-bit numbers: pixels of the i-th seam hold i, those
  /// that stay 0. Seams are numbered through all runs. Both must stay; `version` differs when their contents do.
  void begin(const gl::Texture& input, const gl::Texture& orders, std::vector<SeamRun> runs, std::uint64_t version);
  /// Makes picture(): behind `step` seams, the next `highlighted` ones coloured, or the last of those that enlarge.
  void move(int step, int highlighted);
  /// Makes painted(): the input with false colours (index into colour_map.glsl), over the pixels that the first `known`
  /// seams take.
  void paint_when(int map, int known);
  /// The same by how often seams went through each place of the picture as it was at their time.
  void paint_often(int map, int known);
  /// Makes composed(): the picture() of a step, the input scaled and the input cropped to its size, side by side.
  void compare(int step, const glm::vec3& background);

  /// RGBA; size() pixels from its upper left corner count.
  [[nodiscard]] const gl::Texture& picture() const { return moved_.colours; }
  [[nodiscard]] glm::ivec2 size() const { return size_; }
  [[nodiscard]] const gl::Texture& painted() const { return painted_; }
  [[nodiscard]] const gl::Texture& composed() const { return composed_; }
  /// Columns between the pictures of composed().
  [[nodiscard]] int gap() const { return gap_; }
  [[nodiscard]] int total() const { return total_; }

 private:
  struct Pictures {
    gl::Texture colours, orders;
  };
  /// Where a run starts.
  struct Start {
    const gl::Texture* colours = nullptr;
    const gl::Texture* orders = nullptr;
    glm::ivec2 size{0, 0};
    int seams_before = 0;
    std::size_t run = 0;
  };
  void restart();
  /// Goes on to the run in which `step` lies, or that ends with it.
  void seek(int step);
  void move_run(const Start& start, const SeamRun& run, int seams, int highlighted, Pictures& to);
  void fit(Pictures& pictures);
  void fit_painted();
  void set_lines(gl::Program& program, const Start& start, const SeamRun& run, int seams);
  void paint(bool often, int map, int known);

  gl::Program count_, move_, heat_, paint_, compare_;
  gl::Buffer counts_, heat_counts_;
  const gl::Texture* input_ = nullptr;
  const gl::Texture* orders_ = nullptr;
  std::array<GLuint, 2> ids_{};
  std::vector<SeamRun> runs_;
  std::uint64_t version_ = 0;
  int total_ = 0;
  glm::ivec2 largest_{0, 0};  ///< of all pictures on the way

  Start start_;
  std::array<Pictures, 2> starts_;  ///< of later runs, in turns
  Pictures moved_;
  glm::ivec2 size_{0, 0};
  std::array<int, 2> moved_for_{-1, -1};  ///< step and highlighted of moved_
  int heat_seams_ = -1;                   ///< of heat_counts_; -1: not counted
  gl::Texture painted_, composed_;
  int gap_ = 0;
};

}  // namespace threadscape::render
