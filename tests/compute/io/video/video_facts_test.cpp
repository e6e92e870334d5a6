// What containers state about frames: mirrors, colours, the shape of pixels, edit lists. The files are those of
// tests/data/videos, in which a few bytes are changed, and an MPEG-1 stream that is written here.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <random>

#include "compute/io/pictures/image_file.h"
#include "compute/io/video/frame_source.h"
#include "compute/io/video/frame_writer.h"
#include "compute/io/video/test_scene.h"
#include "compute/io/video/video_reader.h"
#include "generated/file_libraries.h"
#include "tests/support/compute/host_arrays.h"
#include "tests/support/compute/test_files.h"
#if TS_HAS_FFMPEG
#include "compute/io/video/video_picture.h"
#endif

namespace threadscape::io {
namespace {

class VideoFacts : public TestFolder {
 protected:
  void SetUp() override {
    if (!video_reader_absent().empty()) GTEST_SKIP() << video_reader_absent();
    TestFolder::SetUp();
    h264_ = read_bytes(std::filesystem::path(test_dir()) / "data" / "videos" / "h264.mp4");
  }

  /// Writes numbers of 32 bits, as MP4 stores them, at `offset` behind the name of the first box with this name.
  static void put(std::string& file, const char* box, std::size_t offset, std::initializer_list<std::int32_t> numbers) {
    std::size_t at = file.find(box) + 4 + offset;
    for (const std::int32_t number : numbers)
      for (const int shift : {24, 16, 8, 0})
        file[at++] = static_cast<char>(number >> shift & 0xFF);
  }

  std::string h264_;
};

/// Bits of a stream, the highest of a byte first, and the codes of MPEG-1 at whole bytes.
class Bits {
 public:
  void put(std::uint32_t value, int count) {
    while (count-- > 0) {
      if (used_++ % 8 == 0) bytes_.push_back(0);
      if ((value >> count & 1u) != 0) bytes_.back() = static_cast<char>(bytes_.back() | 1 << (7 - (used_ - 1) % 8));
    }
  }
  void start(std::uint32_t code) {
    while (used_ % 8 != 0)
      put(0, 1);
    put(0x100 | code, 32);
  }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
  unsigned used_ = 0;
};

/// An MPEG-1 stream of intra pictures with 64 rows of macroblocks. Each picture has the rows 0 to 16 in this order, and
/// then other contents for the rows 15 to 0. A decoder with four threads gives row 16 and what follows to the second
/// one.
std::string stream_with_rows_twice(int pictures) {
  constexpr int columns = 128, rows = 64, last = 16;
  std::mt19937 random(3);
  Bits bits;
  const auto put_row = [&](int row) {
    bits.start(static_cast<std::uint32_t>(row + 1));
    bits.put(5 << 1, 6);  // The scale of the quantiser, and no more information.
    for (int x = 0; x < columns; ++x) {
      bits.put(0b11, 2);  // The next macroblock, and it is intra.
      for (int block = 0; block < 4; ++block) {
        const auto value = static_cast<std::uint32_t>(random()) % 32;
        bits.put(0b1110, 4);  // The difference to the brightness of the block before has five bits.
        bits.put(value, 5);
        bits.put(0b10, 2);  // The end of the block.
      }
      bits.put(0b00100010, 8);  // Two blocks of colour without a difference.
    }
  };
  for (int picture = 0; picture < pictures; ++picture) {
    bits.start(0xB3);
    bits.put(columns * 16, 12);
    bits.put(rows * 16, 12);
    bits.put(0x13, 8);      // Square pixels, 25 frames per second.
    bits.put(0x3FFFF, 18);  // Any number of bits per second.
    bits.put(1 << 13 | 20 << 3, 14);
    bits.start(0);
    bits.put(static_cast<std::uint32_t>(picture), 10);
    bits.put(1, 3);  // An intra picture.
    bits.put(0xFFFF << 1, 17);
    for (int row = 0; row <= last; ++row)
      put_row(row);
    for (int row = last - 1; row >= 0; --row)
      put_row(row);
  }
  bits.start(0xB7);
  return bits.bytes();
}

TEST_F(VideoFacts, RowsThatAreThereTwiceDoNotDependOnThreads) {
  constexpr int pictures = 12;
  write_bytes(path("twice.mpg"), stream_with_rows_twice(pictures));
  const auto alone = open_frames(path("twice.mpg"), {.threads = 1});
  const auto several = open_frames(path("twice.mpg"), {.threads = 4});
  Frame one, other;
  for (int i = 0; i < pictures; ++i) {
    ASSERT_TRUE(alone->next(one));
    ASSERT_TRUE(several->next(other));
    EXPECT_TRUE(testing::same_pixels(one.pixels.view(), other.pixels.view())) << "frame " << i;
  }
  EXPECT_FALSE(alone->next(one));
}

TEST_F(VideoFacts, MatricesWithMirrorsAreFollowed) {
  constexpr std::int32_t one = 1 << 16;
  Frame plain;
  ASSERT_TRUE(open_frames(std::filesystem::path(test_dir()) / "data" / "videos" / "h264.mp4")->next(plain));
  const auto stored = plain.pixels.image<Rgba8>();
  const auto expect = [&](std::array<std::int32_t, 4> m, int width, const auto& from) {
    std::string file = h264_;
    put(file, "tkhd", 40, {m[0], m[1], 0, m[2], m[3], 0});
    write_bytes(path("a.mp4"), file);
    const auto source = open_frames(path("a.mp4"));
    Frame frame;
    ASSERT_TRUE(source->next(frame));
    EXPECT_EQ(source->info().width, width);
    const auto shown = frame.pixels.image<Rgba8>();
    ASSERT_EQ(shown.width, width);
    for (int y = 0; y < shown.height; ++y)
      for (int x = 0; x < shown.width; ++x) {
        const auto [sx, sy] = from(x, y);
        ASSERT_EQ(shown(x, y), stored(sx, sy)) << x << ' ' << y;
      }
  };
  using Place = std::pair<int, int>;
  expect({one, 0, 0, one}, 112, [](int x, int y) { return Place(x, y); });
  expect({-one, 0, 0, one}, 112, [](int x, int y) { return Place(111 - x, y); });
  expect({one, 0, 0, -one}, 112, [](int x, int y) { return Place(x, 63 - y); });
  expect({-one, 0, 0, -one}, 112, [](int x, int y) { return Place(111 - x, 63 - y); });
  expect({0, one, -one, 0}, 64, [](int x, int y) { return Place(y, 63 - x); });
  expect({0, -one, one, 0}, 64, [](int x, int y) { return Place(111 - y, x); });
  expect({0, one, one, 0}, 64, [](int x, int y) { return Place(y, x); });
  expect({0, -one, -one, 0}, 64, [](int x, int y) { return Place(111 - y, 63 - x); });
}

TEST_F(VideoFacts, WhatIsNotReadIsNamed) {
  const auto note = [&](std::array<std::int32_t, 4> m) {
    std::string file = h264_;
    put(file, "tkhd", 40, {m[0], m[1], 0, m[2], m[3], 0});
    write_bytes(path("turned.mp4"), file);
    return open_frames(path("turned.mp4"))->note();
  };
  EXPECT_EQ(note({0, 65536, -65536, 0}), "");
  EXPECT_NE(note({46341, 46341, -46341, 46341}).find("turned to the nearest right angle"), std::string::npos);
  // The name of another codec in the description of the track.
  std::string other = h264_;
  other.replace(other.find("avc1", other.find("stsd")), 4, "cvid");
  write_bytes(path("other.mp4"), other);
  try {
    (void)open_frames(path("other.mp4"));
    ADD_FAILURE() << "accepted";
  } catch (const EnvironmentError& error) {
    EXPECT_NE(std::string(error.what()).find("compressed by cinepak, which is not read"), std::string::npos)
        << error.what();
  }
}

TEST_F(VideoFacts, FramesThatAnEditListLeavesOutAreNotMissing) {
  // The list begins half a second later: 15 of 40 frames are left out.
  put(h264_, "elst", 8, {1334 - 500, 1024 + 15 * 512, 1 << 16});
  write_bytes(path("cut.mp4"), h264_);
  const auto source = open_frames(path("cut.mp4"));
  EXPECT_EQ(source->info().frames, 25);
  Frame frame;
  int frames = 0;
  while (source->next(frame))
    EXPECT_EQ(read_frame_code(frame.pixels.view()), 15 + frames++);
  EXPECT_EQ(frames, 25);
  EXPECT_EQ(source->note(), "");
}

TEST_F(VideoFacts, ContentShowsWhatANameDoesNot) {
  for (const char* name : {"phone", "phone.vid", "phone.3gp"}) {
    write_bytes(path(name), h264_);
    EXPECT_TRUE(is_moving(path(name))) << name;
    EXPECT_EQ(open_frames(path(name))->count(), 40) << name;
  }
  write_bytes(path("text"), "OggX and no video");
  EXPECT_FALSE(is_moving(path("text")));
  // An extension of other data decides.
  write_bytes(path("numbers.raw"), h264_);
  EXPECT_FALSE(is_moving(path("numbers.raw")));
}

TEST_F(VideoFacts, JpegsBehindEachOtherAreAVideo) {
  HostArray pixels(Shape::image(Element::u8, 4, 64, 48));
  std::string all;
  for (int i = 0; i < 3; ++i) {
    draw_frame_code(pixels.view(), i);
    save_picture(path("a.jpg"), std::as_const(pixels).view(), FileColour::rgb);
    all += read_bytes(path("a.jpg"));
  }
  write_bytes(path("a.mjpg"), all);
  const auto source = open_frames(path("a.mjpg"));
  Frame frame;
  std::int64_t frames = 0;
  while (source->next(frame))
    EXPECT_EQ(read_frame_code(frame.pixels.view()), frames++);
  EXPECT_EQ(frames, 3);
}

TEST_F(VideoFacts, PixelsThatAreNotSquareStaySo) {
  HostArray pixels(Shape::image(Element::u8, 4, 16, 8));
  const auto writer = make_frame_writer(path("a.mkv"), {.pixel_aspect = 16.0 / 11});
  writer->add(pixels.view());
  writer->finish();
  EXPECT_NEAR(open_frames(path("a.mkv"))->info().pixel_aspect, 16.0 / 11, 1e-3);
}

#if TS_HAS_FFMPEG
/// The colour of a frame of 16 x 16 equal pixels in YUV 4:2:0 of this matrix, of the range of video.
Rgba8 colour_of(const std::array<int, 3>& yuv, AVColorSpace space, AVPixelFormat format) {
  const ffmpeg::FrameOwner frame(av_frame_alloc());
  frame->format = format;
  frame->width = frame->height = 16;
  frame->colorspace = space;
  frame->color_range = AVCOL_RANGE_MPEG;
  if (av_frame_get_buffer(frame.get(), 0) < 0) return {};
  const bool ten = format == AV_PIX_FMT_YUV420P10LE;
  for (std::size_t plane = 0; plane < 3; ++plane) {
    const int rows = plane == 0 ? 16 : 8;
    for (int y = 0; y < rows; ++y)
      for (int x = 0; x < rows; ++x) {
        std::uint8_t* const row = frame->data[plane] + static_cast<std::ptrdiff_t>(y) * frame->linesize[plane];
        const auto value = static_cast<std::uint16_t>(yuv[plane] * (ten ? 4 : 1));
        if (ten)
          std::memcpy(row + 2 * x, &value, 2);
        else
          row[x] = static_cast<std::uint8_t>(value);
      }
  }
  HostArray pixels;
  PictureConverter().to_picture(*frame, pixels);
  return pixels.image<Rgba8>()(7, 7);
}

/// FFmpeg 9.0.2 has made the values, of planes of equal bytes:
/// ffmpeg -f rawvideo -pix_fmt yuv444p -s 16x16 -i - -vf setparams=colorspace=bt2020nc:range=tv,
/// scale=flags=accurate_rnd+full_chroma_int+bicubic,format=rgb24 -f rawvideo -
TEST(VideoColours, AreThoseOfFfmpegForEachMatrix) {
  using Colour = std::array<int, 3>;
  const std::array<Colour, 8> yuv{{{81, 90, 240},
                                   {145, 54, 34},
                                   {41, 240, 110},
                                   {63, 102, 230},
                                   {173, 42, 26},
                                   {126, 140, 150},
                                   {200, 100, 160},
                                   {60, 180, 90}}};
  struct Matrix {
    AVColorSpace space;
    std::array<Colour, 8> rgb;
  };
  const std::array matrices{Matrix{AVCOL_SPC_BT2020_NCL,
                                   {{{255, 10, 0},
                                     {0, 225, 0},
                                     {0, 20, 255},
                                     {226, 0, 0},
                                     {12, 255, 0},
                                     {165, 112, 154},
                                     {255, 199, 154},
                                     {0, 66, 163}}}},
                            Matrix{AVCOL_SPC_SMPTE240M,
                                   {{{255, 25, 0},
                                     {0, 220, 0},
                                     {0, 10, 255},
                                     {238, 6, 1},
                                     {0, 255, 4},
                                     {168, 113, 153},
                                     {255, 204, 156},
                                     {0, 58, 159}}}},
                            Matrix{AVCOL_SPC_BT709,
                                   {{{255, 24, 0},
                                     {0, 216, 0},
                                     {0, 15, 255},
                                     {238, 6, 0},
                                     {0, 255, 1},
                                     {168, 114, 153},
                                     {255, 203, 155},
                                     {0, 60, 161}}}},
                            Matrix{AVCOL_SPC_SMPTE170M,
                                   {{{254, 0, 0},
                                     {0, 255, 1},
                                     {0, 0, 255},
                                     {218, 0, 2},
                                     {20, 255, 9},
                                     {163, 106, 152},
                                     {255, 199, 158},
                                     {0, 62, 156}}}}};
  for (const Matrix& matrix : matrices)
    for (const AVPixelFormat format : {AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUV420P10LE})
      for (std::size_t i = 0; i < yuv.size(); ++i) {
        const Rgba8 got = colour_of(yuv[i], matrix.space, format);
        const Colour values{got.r, got.g, got.b};
        for (std::size_t c = 0; c < 3; ++c)
          EXPECT_NEAR(values[c], matrix.rgb[i][c], 2) << "matrix " << matrix.space << " format " << format << " " << i;
      }
}
#endif

}  // namespace
}  // namespace threadscape::io
