// Reads and writes files of painted masks. They are read in the frame that first shows them, and written on a thread.

#include <unistd.h>

#include <algorithm>
#include <chrono>

#include "app/scenes/seams/mask_painter.h"
#include "app/session/user_folders.h"
#include "compute/core/errors.h"
#include "compute/core/mask.h"
#include "compute/io/pictures/image_file.h"

namespace threadscape::app {

namespace {

constexpr std::array both{Brush::protect, Brush::remove};

/// A file name that was never used before. PGM is not compressed: a mask of a large picture is written after every
/// stroke.
std::filesystem::path new_file(const std::filesystem::path& folder, std::string_view what) {
  static int number = 0;
  const auto now =
      std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch());
  return folder / (std::string(what) + "-" + std::to_string(now.count()) + "-" + std::to_string(getpid()) + "-" +
                   std::to_string(number++) + ".pgm");
}

void make_folder(const std::filesystem::path& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) throw EnvironmentError("cannot make the folder " + folder.string() + ": " + failed.message());
}

void remove_file(const std::string& file) {
  std::error_code ignored;
  if (!file.empty()) std::filesystem::remove(file, ignored);
}

}  // namespace

void MaskPainter::load(Brush brush, const std::string& file) {
  if (file.empty()) return;
  try {
    const io::Loaded picture = io::load_picture(file);
    const Shape& shape = picture.pixels.shape();
    if (shape.width == size_.x && shape.height == size_.y)
      for_white(picture.pixels, [&](int x, int y) { row(y)[x] = brush; });
  } catch (const Error&) {
    // The workspace reports what is wrong with the file.
  }
}

void MaskPainter::save_marks(const Marks& marks, glm::ivec2 size, Brush brush, const std::filesystem::path& path) {
  HostArray mask(Shape::image(Element::u8, 1, size.x, size.y));
  const auto pixels = mask.image<std::uint8_t>();
  for (int y = 0; y < size.y; ++y) {
    const Brush* const row = marks.data() + static_cast<std::ptrdiff_t>(y) * size.x;
    std::transform(row, row + size.x, pixels.row(y),
                   [brush](Brush mark) { return static_cast<std::uint8_t>(mark == brush ? 255 : 0); });
  }
  io::save_picture(path, std::as_const(mask).view(), io::FileColour::grey);
}

std::function<void()> MaskPainter::writer(Brush brush, const std::filesystem::path& path) const {
  return [marks = std::shared_ptr<const Marks>(marks_), size = size_, brush, path] {
    save_marks(*marks, size, brush, path);
  };
}

void MaskPainter::start_writing(const Reader& read_next) {
  write_due_ = false;
  const std::filesystem::path folder = cache_folder() / "masks";
  Writing& now = writing_.emplace(Writing{std::exchange(changed_, {}), marks_, files_});
  std::array<std::string, 3> names;  // "" where nothing is to be written.
  for (const Brush brush : both) {
    if (!now.brushes[index(brush)]) continue;
    if (marks(brush)) names[index(brush)] = new_file(folder, brush == Brush::protect ? "protect" : "remove").string();
    name_of(brush, now.files) = names[index(brush)];
  }
  now.done =
      std::async(std::launch::async, [folder, names, read_next, marks = now.marks, size = size_, files = now.files] {
        make_folder(folder);
        for (const Brush brush : both)
          if (const std::string& name = names[index(brush)]; !name.empty()) save_marks(*marks, size, brush, name);
        if (read_next) read_next(files);
      });
}

std::optional<MaskPainter::Files> MaskPainter::end_writing() {
  Writing writing = std::move(*writing_);
  writing_.reset();
  const auto drop = [&] {
    for (const Brush brush : both)
      if (writing.brushes[index(brush)]) remove_file(name_of(brush, writing.files));
  };
  try {
    writing.done.get();
  } catch (const std::exception&) {
    drop();
    if (!writing.wanted) return {};
    for (const Brush brush : both)
      changed_[index(brush)] |= writing.brushes[index(brush)];
    throw;
  }
  if (!writing.wanted) {
    drop();
    return {};
  }
  files_ = writing.files;
  for (const Brush brush : both)
    if (writing.brushes[index(brush)]) keep(name_of(brush, files_));
  return files_;
}

void MaskPainter::keep(const std::string& file) {
  if (file.empty()) return;
  std::error_code unknown;
  const std::uintmax_t bytes = std::filesystem::file_size(file, unknown);
  kept_.push_back({file, unknown ? 0 : bytes});
  std::uintmax_t sum = 0;
  for (const Kept& kept : kept_)
    sum += kept.bytes;
  for (auto at = kept_.begin(); sum > kept_bytes_ && kept_.end() - at > static_cast<std::ptrdiff_t>(min_kept);) {
    if (at->path == files_.protect || at->path == files_.remove) {  // A mask that has not changed for long.
      ++at;
      continue;
    }
    remove_file(at->path);
    sum -= at->bytes;
    at = kept_.erase(at);
  }
}

void MaskPainter::remove_files_except(const Files& named) {
  std::erase_if(kept_, [&named](const Kept& kept) {
    if (kept.path == named.protect || kept.path == named.remove) return false;
    remove_file(kept.path);
    return true;
  });
}

std::optional<MaskPainter::Files> MaskPainter::poll(const Reader& read_next) {
  std::optional<Files> written;
  const bool done = writing_ && writing_->done.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  if (done) written = end_writing();
  if (!writing_ && changed()) start_writing(read_next);
  return written;
}

MaskPainter::Files MaskPainter::write() {
  while (pending()) {
    if (writing_)
      (void)end_writing();
    else
      start_writing({});
  }
  return files_;
}

}  // namespace threadscape::app
