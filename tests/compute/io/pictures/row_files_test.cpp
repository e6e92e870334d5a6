// Pictures whose rows are read and written one after another: their files equal those that are read and written whole.

#include "compute/io/pictures/row_files.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "compute/core/errors.h"
#include "compute/core/synthetic.h"
#include "compute/io/pictures/image_file.h"
#include "compute/run/similarity.h"
#include "tests/support/compute/test_files.h"

namespace threadscape {
namespace {

namespace fs = std::filesystem;

class RowFilesTest : public TestFolder {
 protected:
  /// Writes a picture in pieces of `rows` rows.
  static void write_rows(const fs::path& path, const HostArray& picture, io::FileColour colour, std::int64_t pieces) {
    const auto writer = io::make_picture_rows(path, picture.shape(), colour, {}, 2);
    const std::int64_t rows = pieces * writer->rows_together();
    for (std::int64_t y = 0; y < picture.shape().height; y += rows) {
      HostIn part = picture.view();
      part.data += static_cast<std::size_t>(y) * part.pitch;
      part.shape.height = std::min(rows, picture.shape().height - y);
      writer->write(part);
    }
    writer->finish();
  }

  /// Reads a picture, the first row alone and then several at once.
  static HostArray read_rows(const fs::path& path) {
    std::string why_not;
    const auto reader = io::open_picture_rows(path, why_not);
    EXPECT_TRUE(reader) << why_not;
    if (!reader) return {};
    HostArray picture(reader->shape());
    std::int64_t rows = 1;
    for (std::int64_t y = 0; y < picture.shape().height; y += rows, rows = 7) {
      HostOut part = picture.view();
      part.data += static_cast<std::size_t>(y) * part.pitch;
      part.shape.height = std::min(rows, picture.shape().height - y);
      reader->read(part);
      rows = part.shape.height;
    }
    return picture;
  }

  static std::string why_not(const fs::path& path) {
    std::string reason;
    EXPECT_FALSE(io::open_picture_rows(path, reason));
    return reason;
  }
};

TEST_F(RowFilesTest, FilesAreThoseOfPicturesThatAreWrittenWhole) {
  for (const Element element : {Element::u8, Element::u16, Element::f32})
    for (const int channels : {1, 4})
      for (const std::string extension : {".npy", ".tif"}) {
        const HostArray picture = make_synthetic(InputPattern::photo, Shape::image(element, channels, 700, 201), 1);
        const io::FileColour colour = channels == 1 ? io::FileColour::grey : io::FileColour::rgb;
        io::save_picture(path("whole" + extension), picture.view(), colour);
        write_rows(path("rows" + extension), picture, colour, 2);
        EXPECT_EQ(read_bytes(path("rows" + extension)), read_bytes(path("whole" + extension)));
        const io::Loaded loaded = io::load_picture(path("whole" + extension));
        const HostArray rows = read_rows(path("whole" + extension));
        ASSERT_EQ(rows.shape(), loaded.pixels.shape());
        EXPECT_EQ(measure_similarity(rows.view(), loaded.pixels.view()).different, 0);
      }
}

TEST_F(RowFilesTest, AFileThatIsNotFinishedLeavesTheOldOne) {
  const HostArray picture = make_synthetic(InputPattern::photo, Shape::image(Element::u8, 1, 40, 30), 1);
  io::save_picture(path("a.tif"), picture.view(), io::FileColour::grey);
  const std::string before = read_bytes(path("a.tif"));
  {
    const auto writer = io::make_picture_rows(path("a.tif"), picture.shape(), io::FileColour::grey, {}, 1);
    writer->write(picture.view());
  }
  EXPECT_EQ(read_bytes(path("a.tif")), before);
  EXPECT_EQ(names(), std::vector<std::string>{"a.tif"});
}

TEST_F(RowFilesTest, WhatIsReadAsAWholeSaysWhy) {
  const HostArray colours = make_synthetic(InputPattern::photo, Shape::image(Element::u8, 4, 40, 30), 1);
  io::save_picture(path("a.png"), colours.view(), io::FileColour::rgb);
  EXPECT_NE(why_not(path("a.png")).find("PNG is read as a whole"), std::string::npos);
  io::save_picture(path("alpha.tif"), colours.view(), io::FileColour::rgba);
  EXPECT_NE(why_not(path("alpha.tif")).find("without alpha"), std::string::npos);
  io::save_picture(path("alpha.npy"), colours.view(), io::FileColour::rgba);
  EXPECT_NE(why_not(path("alpha.npy")).find("(height, width, 3)"), std::string::npos);
  write_bytes(path("text.tif"), "no picture");
  EXPECT_NE(why_not(path("text.tif")).find("read as a whole"), std::string::npos);
  EXPECT_THROW((void)io::make_picture_rows(path("a.png"), colours.shape(), io::FileColour::rgb, {}, 1), UsageError);
}

TEST_F(RowFilesTest, TruncatedFilesAreRefused) {
  const HostArray picture = make_synthetic(InputPattern::photo, Shape::image(Element::u8, 1, 400, 300), 1);
  for (const std::string name : {"a.tif", "a.npy"}) {
    io::save_picture(path(name), picture.view(), io::FileColour::grey);
    const auto bytes = fs::file_size(path(name));
    for (const std::uintmax_t left : {bytes * 3 / 4, bytes / 2, std::uintmax_t{20}}) {
      fs::resize_file(path(name), left);
      EXPECT_THROW((void)read_rows(path(name)), EnvironmentError) << name << " of " << left << " bytes";
    }
  }
}

}  // namespace
}  // namespace threadscape
