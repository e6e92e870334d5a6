// Pictures whose rows are read one after another: TIFF and BigTIFF in strips and tiles, and NPY. What is read equals
// the picture that is read as a whole, and is written and read again, as `run --memory` does.

#include <algorithm>
#include <string>
#include <utility>

#include "compute/io/pictures/image_file.h"
#include "compute/io/pictures/row_files.h"
#include "tests/fuzz/fuzzing.h"

namespace threadscape::fuzz {

namespace {

constexpr std::int64_t most_pixels = 1 << 16;
constexpr std::size_t most_held_bytes = 1 << 24;

/// Reads all rows, so many at a time.
HostArray read_all(io::PictureRows& rows, std::int64_t together) {
  HostArray picture(rows.shape());
  HostOut part = picture.view();
  for (std::int64_t y = 0; y < rows.shape().height; y += together) {
    part.shape.height = std::min(together, rows.shape().height - y);
    rows.read(part);
    part.data += static_cast<std::size_t>(part.shape.height) * part.pitch;
  }
  return picture;
}

void write_and_read_rows(const io::PictureRows& rows, const HostArray& picture, std::int64_t together,
                         const std::string& extension) {
  const auto path = scratch_path("written" + extension);
  const auto writer = io::make_picture_rows(path, picture.shape(), rows.colour(), rows.facts(), 1);
  const std::int64_t strip = together * writer->rows_together();
  HostIn part = picture.view();
  for (std::int64_t y = 0; y < picture.shape().height; y += strip) {
    part.shape.height = std::min(strip, picture.shape().height - y);
    writer->write(part);
    part.data += static_cast<std::size_t>(part.shape.height) * part.pitch;
  }
  writer->finish();
  std::string why_not;
  const auto again = io::open_picture_rows(path, why_not);
  expect(again != nullptr, extension + " is not read again: " + why_not);
  expect(again->colour() == rows.colour(), extension + " is read back with another colour");
  expect(equal_data(picture.view(), std::as_const(*again).shape() == picture.shape()
                                        ? read_all(*again, 1 + strip / 2).view()
                                        : HostArray().view()),
         extension + " is read back with other pixels");
}

}  // namespace

FUZZ_TARGET(rows) {
  const auto together = static_cast<std::int64_t>(1 + input.choice(9));
  const std::string extension = input.choice(2) == 0 ? ".tif" : ".npy";
  const auto path = scratch_file("rows", input.bytes());
  std::string why_not;
  const auto rows = io::open_picture_rows(path, why_not);
  if (!rows) {
    expect(!why_not.empty(), "rows are not read, and no reason is given");
    note_result(why_not);
    return;
  }
  // A header may claim any size; memory is asked for before the first row is read.
  const Shape shape = rows->shape();
  expect(shape.width > 0 && shape.height > 0, "the picture is empty");
  if (shape.items() > most_pixels || rows->held_bytes() > most_held_bytes) return;
  const HostArray picture = read_all(*rows, together);
  note_result(picture.view());
  const io::Loaded whole = io::load_picture(path);
  expect(whole.colour == rows->colour() && equal_data(picture.view(), whole.pixels.view()),
         "the rows are other than those of the picture that is read as a whole");
  write_and_read_rows(*rows, picture, together, extension);
}

}  // namespace threadscape::fuzz
