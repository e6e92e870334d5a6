#include "compute/io/result_extensions.h"

#include "compute/io/data_file.h"
#include "compute/io/pictures/image_format.h"

namespace threadscape::io {

namespace {

/// Returns true if a file with this extension can hold a picture of this shape, as far as the shape tells.
bool holds_picture(const std::string& extension, const Shape& shape) {
  const HostArray pixel(Shape::image(shape.element, shape.channels, 1, 1));
  const std::filesystem::path path = "picture" + extension;
  const FileColour colour = shape.channels == 1 ? FileColour::grey : FileColour::rgb;
  try {
    (void)require_encodable(path, written_format(path), pixel.view(), colour);
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

std::vector<std::string> extensions_that_hold(const Shape& shape) {
  std::vector<std::string> extensions;
  for (const std::string_view extension : data_extensions(shape.kind, FormatUse::written))
    if (shape.kind != Kind::image || holds_picture(std::string(extension), shape)) extensions.emplace_back(extension);
  return extensions;
}

}  // namespace threadscape::io
