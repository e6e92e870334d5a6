#pragma once
// Files for the tests of compute/io, each test in a fresh folder of its own.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace threadscape {

class TestFolder : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(TS_TEST_OUTPUT_DIR) / test->test_suite_name() / test->name();
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  [[nodiscard]] std::filesystem::path path(const std::string& name) const { return folder_ / name; }
  /// Everything in the folder, so that forgotten temporary files show.
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

inline void write_bytes(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

/// What a PNG may be apart from the few forms that Threadscape writes itself.
struct PngForm {
  int bit_depth = 8;
  int colour_type = 0;  ///< PNG_COLOR_TYPE_*
  bool interlaced = false;
  std::vector<std::uint8_t> palette;       ///< r, g, b, ...
  std::vector<std::uint8_t> transparency;  ///< tRNS of a palette
};
/// `rows` as they stand in the file: packed bits, big-endian 16 bit.
void write_png(const std::filesystem::path& path, int width, const std::vector<std::vector<std::uint8_t>>& rows,
               const PngForm& form);

/// JPEG, BMP and TGA by stb_image_write; `channels` 1, 3 or 4.
void write_jpeg(const std::filesystem::path& path, int width, int height, int channels, const std::uint8_t* pixels);
void write_bmp(const std::filesystem::path& path, int width, int height, int channels, const std::uint8_t* pixels);
void write_tga(const std::filesystem::path& path, int width, int height, int channels, const std::uint8_t* pixels,
               bool run_length);

}  // namespace threadscape
