#include "app/session/moving_file.h"

#include <memory>
#include <system_error>
#include <utility>

#include "compute/core/convert.h"
#include "compute/core/errors.h"
#include "compute/io/file_extension.h"
#include "compute/io/numbered_files.h"
#include "compute/io/video/frame_source.h"
#include "compute/io/video/numbered_pictures.h"
#include "compute/io/video/test_scene.h"
#include "compute/io/video/video_reader.h"

namespace threadscape::app {

namespace fs = std::filesystem;

bool moves(const fs::path& name) {
  if (!io::is_moving(name)) return false;
  // Without the libraries the first picture of a GIF can be read, but no other one.
  return io::extension_of(name) != ".gif" || io::video_reader_absent().empty();
}

bool names_no_file(const fs::path& name) {
  return io::is_test_scene(name.string()) || io::reads_numbered_files(name);
}

bool can_be_opened(const fs::path& name) {
  std::error_code unknown;
  return names_no_file(name) || fs::exists(name, unknown);
}

fs::path absolute_name(const fs::path& name) {
  if (io::is_test_scene(name.string())) return name;
  std::error_code failed;
  fs::path full = fs::absolute(name, failed);
  return failed ? name : full.lexically_normal();
}

io::Loaded first_frame(const fs::path& name, const io::LoadOptions& options) {
  const std::unique_ptr<io::FrameSource> source = io::open_frames(name, {.stop = options.stop});
  io::Frame frame;
  if (!source->next(frame)) {
    const std::string why = source->note();
    throw EnvironmentError("'" + name.string() + "' has no frames" + (why.empty() ? "" : ": " + why));
  }
  io::Loaded picture;
  picture.colour = frame.pixels.shape().channels == 1 ? io::FileColour::grey : io::FileColour::rgb;
  picture.pixels =
      options.element ? convert_picture(std::as_const(frame.pixels).view(), *options.element) : std::move(frame.pixels);
  return picture;
}

}  // namespace threadscape::app
