#pragma once
// Files for the tests of compute/io. Each test has a new, empty folder of its own.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "compute/core/data.h"
#include "tests/support/compute/scoped_limit.h"
#include "tests/support/test_paths.h"

namespace threadscape {

/// The values of a volume of floats.
inline std::vector<double> floats_of(const HostArray& volume) {
  const auto* values = reinterpret_cast<const float*>(volume.data());
  return {values, values + volume.shape().items()};
}

class TestFolder : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(test_output_dir()) / test->test_suite_name() / test->name();
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  [[nodiscard]] std::filesystem::path path(const std::string& name) const { return folder_ / name; }
  /// The names of all files in the folder, sorted. Temporary files that were not removed show here.
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& entry : std::filesystem::directory_iterator(folder_))
      all.push_back(entry.path().filename());
    std::sort(all.begin(), all.end());
    return all;
  }

 private:
  std::filesystem::path folder_;
};

inline std::string read_bytes(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// Writes a new file, because some file systems wait for the disk when an old one is truncated and written again.
inline void write_bytes(const std::filesystem::path& path, const std::string& bytes) {
  std::error_code ignored;
  if (std::filesystem::is_regular_file(path, ignored)) std::filesystem::remove(path, ignored);
  std::ofstream(path, std::ios::binary) << bytes;
}

/// The bytes that pairs of hexadecimal digits stand for, as files are stored in tests/data/*.json.
inline std::string from_hex(const std::string& hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes.push_back(static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16)));
  return bytes;
}

/// Forms of PNG files that Threadscape reads but does not write.
struct PngForm {
  int bit_depth = 8;
  int colour_type = 0;  ///< One of libpng's PNG_COLOR_TYPE_... constants.
  bool interlaced = false;
  std::vector<std::uint8_t> palette;       ///< The colours of the palette: r, g, b, r, g, b, ...
  std::vector<std::uint8_t> transparency;  ///< The alpha values of the palette's colours (chunk tRNS).
};
/// Writes a PNG. `rows` hold the bytes as the file stores them: pixels below 8 bits are packed, and 16-bit values are
/// big endian.
void write_png(const std::filesystem::path& path, int width, const std::vector<std::vector<std::uint8_t>>& rows,
               const PngForm& form);

/// Write JPEG, BMP and TGA with stb_image_write. `channels` is 1, 3 or 4.
void write_jpeg(const std::filesystem::path& path, int width, int height, int channels, const std::uint8_t* pixels);
void write_bmp(const std::filesystem::path& path, int width, int height, int channels, const std::uint8_t* pixels);
void write_tga(const std::filesystem::path& path, int width, int height, int channels, const std::uint8_t* pixels,
               bool run_length);

}  // namespace threadscape
