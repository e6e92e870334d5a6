#pragma once
// Masks that the user paints over a picture: what has to stay, and what has to be removed. They reach the algorithm as
// files, as masks from elsewhere do, so settings, presets and the command line know them. Files of large pictures take
// longer than a frame to write, so they are written on a thread, and parameters name them only when they are complete.

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
  /// Files of earlier strokes are kept, so that these can be taken back and a run in progress can read them. The oldest
  /// are removed when all of them are larger than this number of bytes.
  static constexpr std::uintmax_t max_kept_bytes = std::uintmax_t{256} << 20;
  /// So many files are kept even if they are larger.
  static constexpr std::size_t min_kept = 4;

  explicit MaskPainter(std::uintmax_t kept_bytes = max_kept_bytes) : kept_bytes_(kept_bytes) {}

  /// The files of the two masks; "" where nothing is marked.
  struct Files {
    std::string protect, remove;
    bool operator==(const Files&) const = default;
  };

  /// Loads the masks from files, for a picture of `size`. Does nothing while size and files are unchanged, or are those
  /// that this painter has written. A mask that cannot be read, or has another size, counts as empty.
  void follow(glm::ivec2 size, const Files& files);

  /// A stroke: a round brush of `radius` pixels moves between two places. All lengths are in pixels of the picture.
  void begin_stroke();
  void paint(Brush brush, glm::vec2 from, glm::vec2 to, float radius);
  void end_stroke();
  [[nodiscard]] bool painting() const { return painting_; }
  void clear();
  /// Takes back what no file holds yet: the stroke in progress, and strokes that are being written. Returns false if
  /// there is nothing of that kind.
  bool discard();
  [[nodiscard]] bool marks(Brush brush) const { return counts_[index(brush)] > 0; }
  [[nodiscard]] bool empty() const { return !marks(Brush::protect) && !marks(Brush::remove); }

  /// Called on the writing thread with complete files, so that caches of their contents can be filled there.
  using Reader = std::function<void(const Files&)>;
  /// Called once a frame. Starts to write what has changed, unless a stroke is in progress, to files with names that
  /// were never used before, so that caches by name stay correct. What changes during a write is written afterwards.
  /// Returns the files that parameters shall name from now on, once they are complete. Throws EnvironmentError; what
  /// could not be written is tried again after the next stroke.
  std::optional<Files> poll(const Reader& read_next = {});
  /// Writes all changes and waits until that is done. Throws EnvironmentError.
  Files write();
  /// Removes the files of earlier strokes that were kept for undo, except those that are named here.
  void remove_files_except(const Files& named);
  /// Returns whether something is being written or has to be written.
  [[nodiscard]] bool pending() const { return writing_ || changed(); }
  /// A function that writes one of the masks, as it is now, to a file of the user's choice, on any thread. It throws
  /// EnvironmentError and UsageError, and has to be destroyed on the thread that paints.
  [[nodiscard]] std::function<void()> writer(Brush brush, const std::filesystem::path& path) const;

  /// The marks in green and red, to be blended over the picture. Null without a picture.
  [[nodiscard]] const gl::Texture* overlay();

 private:
  /// The pixels [lo, hi).
  struct Area {
    glm::ivec2 lo{0, 0}, hi{0, 0};
    [[nodiscard]] bool empty() const { return hi.x <= lo.x || hi.y <= lo.y; }
    void include(const Area& other);
  };
  /// A file of a mask that was written.
  struct Kept {
    std::string path;
    std::uintmax_t bytes = 0;
  };
  using Marks = std::vector<Brush>;  ///< Row by row; Brush::erase where nothing is marked.
  struct Writing {
    std::array<bool, 3> brushes;
    std::shared_ptr<const Marks> marks;
    Files files;             ///< The files as they will be after this write.
    bool wanted = true;      ///< False once another picture's masks were loaded.
    std::future<void> done;  // Must be the last member: its destructor waits for the thread.
  };
  static std::size_t index(Brush brush) { return static_cast<std::size_t>(brush); }
  static std::string& name_of(Brush brush, Files& files) {
    return brush == Brush::protect ? files.protect : files.remove;
  }
  static void save_marks(const Marks& marks, glm::ivec2 size, Brush brush, const std::filesystem::path& path);
  [[nodiscard]] Brush* row(int y) { return marks_->data() + static_cast<std::ptrdiff_t>(y) * size_.x; }
  [[nodiscard]] Area everything() const { return {{0, 0}, size_}; }
  [[nodiscard]] bool changed() const { return write_due_ && !painting(); }
  /// Loads the masks that files_ names.
  void load_files();
  void load(Brush brush, const std::string& file);
  void count();
  /// Adds a file to kept_ and removes the oldest ones beyond the limit.
  void keep(const std::string& file);
  /// Copies marks_ if they are being written, before they are changed.
  void detach();
  /// Records that both masks may have changed in an area.
  void mark_changed(const Area& area);
  void start_writing(const Reader& read_next);
  /// Takes the result of a finished write. Throws EnvironmentError.
  std::optional<Files> end_writing();

  glm::ivec2 size_{0, 0};
  Files files_;
  std::shared_ptr<Marks> marks_ = std::make_shared<Marks>();
  std::array<std::int64_t, 3> counts_{};
  bool painting_ = false;   ///< A stroke is in progress.
  bool write_due_ = false;  ///< If true, something has changed since the last attempt to write.
  /// If true, the mask of each brush has changed since it was written, indexed by Brush.
  std::array<bool, 3> changed_{};
  std::uintmax_t kept_bytes_;
  std::deque<Kept> kept_;  ///< The files that were written, the oldest first.
  std::optional<Writing> writing_;

  gl::Texture overlay_;
  Area dirty_;  ///< Area of overlay_ that is out of date.
};

}  // namespace threadscape::app
