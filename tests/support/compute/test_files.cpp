#include "tests/support/compute/test_files.h"

#include <png.h>

#include <cstdio>
#include <memory>

#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#include <stb_image_write.h>

namespace threadscape {

void write_png(const std::filesystem::path& path, int width, const std::vector<std::vector<std::uint8_t>>& rows,
               const PngForm& form) {
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  const std::unique_ptr<std::FILE, Close> file(std::fopen(path.c_str(), "wb"));
  ASSERT_TRUE(file);
  // The default error handler of libpng ends the test program, which is enough because the tests write valid input
  // themselves.
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  png_init_io(png, file.get());
  png_set_IHDR(png, info, static_cast<png_uint_32>(width), static_cast<png_uint_32>(rows.size()), form.bit_depth,
               form.colour_type, form.interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  if (!form.palette.empty())
    png_set_PLTE(png, info, reinterpret_cast<png_const_colorp>(form.palette.data()),
                 static_cast<int>(form.palette.size() / 3));
  if (!form.transparency.empty())
    png_set_tRNS(png, info, form.transparency.data(), static_cast<int>(form.transparency.size()), nullptr);
  std::vector<png_bytep> pointers;
  for (const auto& row : rows)
    pointers.push_back(const_cast<png_bytep>(row.data()));
  png_set_rows(png, info, pointers.data());
  png_write_png(png, info, PNG_TRANSFORM_IDENTITY, nullptr);
  png_destroy_write_struct(&png, &info);
}

void write_jpeg(const std::filesystem::path& path, int width, int height, int channels, const std::uint8_t* pixels) {
  ASSERT_NE(stbi_write_jpg(path.c_str(), width, height, channels, pixels, 95), 0);
}

void write_bmp(const std::filesystem::path& path, int width, int height, int channels, const std::uint8_t* pixels) {
  ASSERT_NE(stbi_write_bmp(path.c_str(), width, height, channels, pixels), 0);
}

void write_tga(const std::filesystem::path& path, int width, int height, int channels, const std::uint8_t* pixels,
               bool run_length) {
  stbi_write_tga_with_rle = run_length ? 1 : 0;
  ASSERT_NE(stbi_write_tga(path.c_str(), width, height, channels, pixels), 0);
}

}  // namespace threadscape
