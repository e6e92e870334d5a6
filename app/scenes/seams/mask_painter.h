#pragma once
// Masks of a picture that the user paints: what has to stay, and what has to go. They reach the algorithm as files, as
// masks from elsewhere do, so settings, presets and the command line know them. Files are written on a thread of their
// own, since those of large pictures take longer than a frame, and named when they are whole: nobody reads a part.

#include <array>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <future>
#include <glm/vec2.hpp>
#include <memory>
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
  [[nodiscard]] bool painting() const { return before_ != nullptr; }
  [[nodiscard]] bool can_undo() const { return !undo_.empty(); }
  /// Takes the last stroke back, or the last clear().
  void undo();
  void clear();
  [[nodiscard]] bool marks(Brush brush) const { return counts_[index(brush)] > 0; }
  [[nodiscard]] bool empty() const { return !marks(Brush::protect) && !marks(Brush::remove); }

  /// Called on the writing thread with files that are whole: for who keeps what it reads.
  using Reader = std::function<void(const Files&)>;
  /// Once a frame. Has written what has changed, unless a stroke is under way, under names that were never used before:
  /// who keeps the contents of files by their name reads them again. What changes while something is being written is
  /// written next, as it is then. Returns what the parameters shall name from now on, when that is whole. Throws
  /// EnvironmentError; what could not be written is tried again after the next stroke.
  std::optional<Files> poll(const Reader& read_next = {});
  /// The same, and waits until everything is written.
  Files write();
  /// Something is to be written, or being written.
  [[nodiscard]] bool pending() const { return writing_ || changed(); }
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
  using Marks = std::vector<Brush>;  ///< row by row; Brush::erase = none
  struct Writing {
    std::array<bool, 3> brushes;
    std::shared_ptr<const Marks> marks;
    Files files;             ///< as they will be
    bool wanted = true;      ///< not another picture's, meanwhile
    std::future<void> done;  // last: its end waits for the thread
  };
  static std::size_t index(Brush brush) { return static_cast<std::size_t>(brush); }
  static std::string& name_of(Brush brush, Files& files) {
    return brush == Brush::protect ? files.protect : files.remove;
  }
  static void save_marks(const Marks& marks, glm::ivec2 size, Brush brush, const std::filesystem::path& path);
  [[nodiscard]] Brush* row(int y) { return marks_->data() + static_cast<std::ptrdiff_t>(y) * size_.x; }
  [[nodiscard]] Area everything() const { return {{0, 0}, size_}; }
  [[nodiscard]] bool changed() const { return due_ && !painting(); }
  void load(Brush brush, const std::string& file);
  void count();
  void remember(const Area& area, const Marks& before);
  /// Before marks_ are changed other than by strokes, which have a copy of their own: what is being written stays.
  void detach();
  /// Both masks may be others now.
  void touch(const Area& area);
  void start_writing(const Reader& read_next);
  /// What the thread is done with. Throws EnvironmentError.
  std::optional<Files> take_written();

  glm::ivec2 size_{0, 0};
  Files files_;
  std::shared_ptr<Marks> marks_ = std::make_shared<Marks>();
  std::array<std::int64_t, 3> counts_{};
  std::shared_ptr<const Marks> before_;  ///< the stroke
  Area stroke_;
  std::deque<Undo> undo_;
  bool due_ = false;                                 ///< something has changed since the last try to write it
  std::array<bool, 3> changed_{};                    ///< since it was written; by Brush, as all of these
  std::array<std::string, 3> written_, superseded_;  ///< own files: the last one, and the one before
  std::optional<Writing> writing_;

  gl::Texture overlay_;
  Area dirty_;  ///< of overlay_
};

}  // namespace threadscape::app
