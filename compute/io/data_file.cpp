#include "compute/io/data_file.h"

#include <string>

namespace threadscape::io {

namespace {

[[noreturn]] void no_file(const std::filesystem::path& path, Kind kind, const char* verb) {
  throw UsageError("cannot " + std::string(verb) + " '" + path.string() + "': there is no file format for a " +
                   std::string(name_of(kind)));
}

}  // namespace

Picture load_data(const std::filesystem::path& path, const Shape& wanted, const LoadOptions& options) {
  switch (wanted.kind) {
    case Kind::image:
      return load_picture(path, options);
    default:
      no_file(path, wanted.kind, "read");
  }
}

void save_data(const std::filesystem::path& path, HostIn data, FileColour colour) {
  switch (data.shape.kind) {
    case Kind::image:
      return save_picture(path, data, colour);
    default:
      no_file(path, data.shape.kind, "write");
  }
}

void require_data_path(const std::filesystem::path& path, Kind kind) {
  switch (kind) {
    case Kind::image:
      return require_picture_path(path);
    default:
      no_file(path, kind, "write");
  }
}

}  // namespace threadscape::io
