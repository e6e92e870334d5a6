#pragma once
// Replays on the GPU how a picture loses or gains seams, from the map that states for each pixel which seam takes it.
// Any size is made without a search. A run of several seams of one direction is one move of pixels.

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

/// Size of the picture after the first `step` seams.
[[nodiscard]] glm::ivec2 size_after(glm::ivec2 size, std::span<const SeamRun> runs, int step);

class SeamsPass {
 public:
  /// The library must outlive the pass.
  explicit SeamsPass(const gl::ShaderLibrary& library);

  /// Sets what is replayed: a picture, and a texture of its size with 16-bit numbers, i for the pixels of the i-th seam
  /// and 0 for those that stay. Seams are numbered through all runs. Both textures must outlive their use; `version` is
  /// a version number of their contents.
  void begin(const gl::Texture& input, const gl::Texture& orders, std::vector<SeamRun> runs, std::uint64_t version);
  /// Makes picture(): the picture after `step` seams, with the next `highlighted` ones coloured (of enlarging runs the
  /// last ones).
  void move(int step, int highlighted);
  /// Makes painted(): the input, with the pixels that the first `known` seams take coloured by when they are taken.
  /// `map` is an index into colour_map.glsl.
  void paint_when(int map, int known);
  /// Makes painted(): the input, coloured by how often the first `known` seams pass through each place of the picture
  /// of their time.
  void paint_often(int map, int known);
  /// Makes candidates(): the seams that the picture of this state could lose next, coloured by their cost over its grey
  /// values, with the cheapest marked; only the cheapest one unless `all`. `state` is a picture of
  /// SeamState::candidates and `white` its grey value of white. Needs no begin().
  void paint_candidates(const gl::Texture& state, float white, int map, bool all);
  /// Makes composed(): the input, picture() at a step, the input scaled to that size and the input cropped to it, side
  /// by side.
  void compare(int step, const glm::vec3& background);

  /// RGBA; only the size() pixels from the upper left corner are valid.
  [[nodiscard]] const gl::Texture& picture() const { return moved_.colours; }
  [[nodiscard]] glm::ivec2 size() const { return size_; }
  [[nodiscard]] const gl::Texture& painted() const { return painted_; }
  [[nodiscard]] const gl::Texture& composed() const { return composed_; }
  [[nodiscard]] const gl::Texture& candidates() const { return candidates_; }
  /// Columns of background between the pictures of composed().
  [[nodiscard]] int gap() const { return gap_; }
  [[nodiscard]] int total() const { return total_; }

 private:
  struct Pictures {
    gl::Texture colours, orders;
  };
  /// The picture at the begin of a run.
  struct Start {
    const gl::Texture* colours = nullptr;
    const gl::Texture* orders = nullptr;
    glm::ivec2 size{0, 0};
    int seams_before = 0;
    std::size_t run = 0;
  };
  void restart();
  /// Advances to the run that contains `step` or ends with it.
  void seek(int step);
  void move_run(const Start& start, const SeamRun& run, int seams, int highlighted, Pictures& to);
  void allocate(Pictures& pictures);
  void allocate_painted();
  void set_lines(gl::Program& program, const Start& start, const SeamRun& run, int seams);
  void paint(bool often, int map, int known);

  gl::Program count_, move_, heat_, paint_, compare_, paint_candidates_;
  gl::Buffer counts_, heat_counts_;
  const gl::Texture* input_ = nullptr;
  const gl::Texture* orders_ = nullptr;
  std::array<GLuint, 2> ids_{};
  std::vector<SeamRun> runs_;
  std::uint64_t version_ = 0;
  int total_ = 0;
  glm::ivec2 max_size_{0, 0};  ///< Maximum over all intermediate pictures, in pixels.

  Start start_;
  std::array<Pictures, 2> starts_;  ///< Begin of later runs, alternating.
  Pictures moved_;
  glm::ivec2 size_{0, 0};
  std::array<int, 2> moved_step_{-1, -1};  ///< The step and the number of highlighted seams of moved_.
  int heat_seams_ = -1;                    ///< How many seams heat_counts_ has counted; -1 = none yet.
  gl::Texture painted_, composed_, candidates_;
  int gap_ = 0;
};

}  // namespace threadscape::render
