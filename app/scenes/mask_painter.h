#pragma once
// Masks of a picture that the user paints: what has to stay, and what has to go. They reach the algorithm as files, as
// masks from elsewhere do, so settings, presets and the command line know them.

#include <array>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <glm/vec2.hpp>
#include <optional>
#include <string>
#include <vector>

#include "render/gl/texture.h"

namespace threadscape::app {

enum class Brush : std::uint8_t { erase, protect, remove };

class MaskPainter {
 public:
  /// The files of the two masks; "" = nothing is marked.
  struct Files {
    std::string protect, remove;
    bool operator==(const Files&) const = default;
  };

  /// Shows what the files hold, for a picture of `size`; does nothing while both are as they were, and for those that
  /// it has written itself. A mask that cannot be read, or is of another size, counts as empty.
  void follow(glm::ivec2 size, const Files& files);

  /// A round brush of `radius` pixels goes from one place to another, in pixels of the picture.
  void begin_stroke();
  void paint(Brush brush, glm::vec2 from, glm::vec2 to, float radius);
  void end_stroke();
  [[nodiscard]] bool painting() const { return before_.has_value(); }
  [[nodiscard]] bool can_undo() const { return !undo_.empty(); }
  /// Takes the last stroke back, or the last clear().
  void undo();
  void clear();
  [[nodiscard]] bool marks(Brush brush) const { return counts_[index(brush)] > 0; }
  [[nodiscard]] bool empty() const { return !marks(Brush::protect) && !marks(Brush::remove); }

  /// Whether there is something to write() since the last call, and no stroke is under way.
  [[nodiscard]] bool changed() const {
    return (changed_[index(Brush::protect)] || changed_[index(Brush::remove)]) && !painting();
  }
  /// Writes what has changed, under names that were never used before: who keeps the contents of files by their name
  /// reads them again. Returns what the parameters shall name. Throws EnvironmentError.
  Files write();
  /// Writes one of the masks where the user wants it. Throws EnvironmentError and UsageError.
  void save(Brush brush, const std::filesystem::path& path) const;

  /// What is marked, green and red, to be blended over the picture. Null without a picture.
  [[nodiscard]] const gl::Texture* overlay();

 private:
  /// Pixels [lo, hi).
  struct Area {
    glm::ivec2 lo{0, 0}, hi{0, 0};
    [[nodiscard]] bool empty() const { return hi.x <= lo.x || hi.y <= lo.y; }
    void take_in(const Area& other);
  };
  struct Undo {
    Area area;
    std::vector<Brush> marks;  ///< of the area, as they were
  };
  static constexpr std::size_t most_undo = 32;
  static std::size_t index(Brush brush) { return static_cast<std::size_t>(brush); }
  [[nodiscard]] Brush* row(int y) { return marks_.data() + static_cast<std::ptrdiff_t>(y) * size_.x; }
  [[nodiscard]] const Brush* row(int y) const { return marks_.data() + static_cast<std::ptrdiff_t>(y) * size_.x; }
  [[nodiscard]] Area everything() const { return {{0, 0}, size_}; }
  void load(Brush brush, const std::string& file);
  void count();
  void remember(const Area& area, const std::vector<Brush>& before);
  /// Both masks may be others now.
  void touch(const Area& area);
  void write_one(Brush brush, std::string& file);

  glm::ivec2 size_{0, 0};
  Files files_;
  std::vector<Brush> marks_;  ///< Brush::erase = none
  std::array<std::int64_t, 3> counts_{};
  std::optional<std::vector<Brush>> before_;  ///< the stroke
  Area stroke_;
  std::deque<Undo> undo_;
  std::array<bool, 3> changed_{};                    ///< by Brush, as all of these
  std::array<std::string, 3> written_, superseded_;  ///< own files: the last one, and the one before

  gl::Texture overlay_;
  Area dirty_;  ///< of overlay_
};

}  // namespace threadscape::app
