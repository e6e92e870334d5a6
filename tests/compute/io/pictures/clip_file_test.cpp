// Clips from and to files: those that other programs have written, round trips through every form, and the refusal of
// frames that do not belong together.

#include "compute/io/pictures/clip_file.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "compute/core/clip.h"
#include "compute/core/moving_scene.h"
#include "compute/core/synthetic.h"
#include "compute/io/data_file.h"
#include "compute/io/pictures/image_format.h"
#include "compute/io/volumes/volume_file.h"
#include "tests/support/compute/host_arrays.h"
#include "tests/support/compute/test_files.h"

namespace threadscape {
namespace {

using nlohmann::json;

template <class T>
double number_at(const HostArray& clip, std::int64_t index) {
  return static_cast<double>(reinterpret_cast<const T*>(clip.data())[index]);
}
double number_at(const HostArray& clip, std::int64_t index) {
  return clip.shape().element == Element::u8    ? number_at<std::uint8_t>(clip, index)
         : clip.shape().element == Element::u16 ? number_at<std::uint16_t>(clip, index)
                                                : number_at<float>(clip, index);
}

HostArray noisy_clip(Element element, int channels) {
  return make_synthetic(InputPattern::noise, {Kind::clip, element, channels, 7, 4, 3}, 5);
}

class Clips : public TestFolder {
 protected:
  /// The message of the error that reading this path gives; "" if it is read.
  std::string failure(const std::string& name) const {
    try {
      (void)io::load_clip(path(name));
    } catch (const EnvironmentError& error) {
      return error.what();
    }
    return "";
  }
  void expect_pages(const std::string& name, const HostArray& clip) const;
};

/// A volume has all pages of a TIFF as its layers; a picture has the first, and a note says so.
void Clips::expect_pages(const std::string& name, const HostArray& clip) const {
  const Shape& shape = clip.shape();
  const HostArray volume = io::load_volume(path(name), {}, {}).pixels;
  EXPECT_EQ(volume.shape(), (Shape{Kind::volume, Element::f32, 1, shape.width, shape.height, shape.depth}));
  for (std::int64_t i = 0; i < (shape.channels == 1 ? shape.items() : 0); ++i)
    EXPECT_EQ(number_at(volume, i), number_at(clip, i)) << name << " at " << i;
  const std::string note = io::load_picture(path(name)).note;
  EXPECT_NE(note.find("it has " + std::to_string(shape.depth) + " pages, of which the first is read"),
            std::string::npos)
      << note;
}

TEST_F(Clips, OfOtherProgramsAreReadAsTheyWereWritten) {
  const json cases = json::parse(read_bytes(test_dir() + "/data/clips.json"))["cases"];
  for (const json& wanted : cases) {
    const auto name = wanted["name"].get<std::string>();
    if (name.ends_with(".tif") && !TS_HAS_TIFF) continue;
    const std::string bytes = from_hex(wanted["file"].get<std::string>());
    write_bytes(path(name), bytes);
    const io::Loaded clip = io::load_clip(path(name));
    const Shape& shape = clip.pixels.shape();
    const int channels = wanted["channels"].get<int>();
    EXPECT_EQ(shape.kind, Kind::clip);
    EXPECT_EQ(name_of(shape.element), wanted["element"].get<std::string>()) << name;
    ASSERT_EQ(shape.channels, channels == 1 ? 1 : 4) << name;
    ASSERT_EQ(shape.width, wanted["width"].get<int>());
    ASSERT_EQ(shape.height, wanted["height"].get<int>());
    ASSERT_EQ(shape.depth, wanted["frames"].get<int>());
    const auto values = wanted["values"].get<std::vector<double>>();
    for (std::int64_t i = 0; i < shape.items() * channels; ++i)
      EXPECT_EQ(number_at(clip.pixels, i / channels * shape.channels + i % channels),
                values[static_cast<std::size_t>(i)])
          << name << " at " << i;
    if (name.ends_with(".tif")) expect_pages(name, clip.pixels);
    for (std::size_t length = 0; length < bytes.size(); length += 7) {
      write_bytes(path("cut" + name), bytes.substr(0, length));
      // The directory of the last page of a TIFF may follow its pixels, so the pages before it are a file, too.
      if (!name.ends_with(".tif"))
        EXPECT_NE(failure("cut" + name), "") << name << " cut to " << length << " bytes";
      else
        (void)failure("cut" + name);
    }
    for (std::size_t at = 0; at < bytes.size(); ++at) {
      std::string bad = bytes;
      bad[at] = static_cast<char>(bad[at] ^ 0xFF);
      write_bytes(path("bad" + name), bad);
      (void)failure("bad" + name);  // It need not be noticed, but must not crash.
    }
  }
}

TEST_F(Clips, SurviveARoundTripAsAnArray) {
  for (const Element element : {Element::u8, Element::u16, Element::f32})
    for (const int channels : {1, 4}) {
      const HostArray clip = noisy_clip(element, channels);
      io::save_data(path("clip.npy"), clip.view(), {.colour = io::FileColour::rgba});
      EXPECT_TRUE(
          testing::same_pixels(io::load_data(path("clip.npy"), {.kind = Kind::clip}, {}).pixels.view(), clip.view()));
    }
}

TEST_F(Clips, SurviveARoundTripAsNumberedPictures) {
  for (const Element element : {Element::u8, Element::u16})
    for (const int channels : {1, 4}) {
      const HostArray clip = noisy_clip(element, channels);
      const std::string folder = "f" + std::to_string(size_of(element)) + std::to_string(channels);
      std::filesystem::create_directories(path(folder));
      io::save_clip(path(folder + "/a.png"), clip.view(), io::FileColour::rgba);
      EXPECT_TRUE(std::filesystem::exists(path(folder + "/a_0000.png")));
      EXPECT_TRUE(testing::same_pixels(io::load_clip(path(folder)).pixels.view(), clip.view()));
      EXPECT_TRUE(testing::same_pixels(io::load_clip(path(folder + "/a_%04d.png")).pixels.view(), clip.view()));
      const std::vector<std::filesystem::path> two{path(folder + "/a_0002.png"), path(folder + "/a_0000.png")};
      const io::Loaded chosen = io::load_clip(two);
      EXPECT_EQ(chosen.pixels.shape().depth, 2);
      EXPECT_TRUE(testing::same_pixels(frame_of(chosen.pixels.view(), 0), frame_of(clip.view(), 2)));
      EXPECT_TRUE(testing::same_pixels(frame_of(chosen.pixels.view(), 1), frame_of(clip.view(), 0)));
    }
}

TEST_F(Clips, AreWrittenAsAnimations) {
  io::save_clip(path("clip.apng"), noisy_clip(Element::u16, 1).view(), io::FileColour::grey);
  EXPECT_NE(read_bytes(path("clip.apng")).find("acTL"), std::string::npos);
}

TEST_F(Clips, APictureIsOneFrame) {
  const HostArray picture = make_synthetic(InputPattern::noise, Shape::image(Element::u8, 4, 5, 3));
  io::save_picture(path("a.png"), picture.view(), io::FileColour::rgba);
  EXPECT_TRUE(testing::same_pixels(frame_of(io::load_clip(path("a.png")).pixels.view(), 0), picture.view()));
  const HostArray grey = make_synthetic(InputPattern::noise, Shape::image(Element::u8, 1, 5, 3));
  io::save_picture(path("grey.npy"), grey.view(), io::FileColour::grey);
  EXPECT_TRUE(testing::same_pixels(frame_of(io::load_clip(path("grey.npy")).pixels.view(), 0), grey.view()));
}

TEST_F(Clips, TheTypeOfNumbersCanBeChosen) {
  io::save_clip(path("clip.npy"), noisy_clip(Element::u8, 1).view(), io::FileColour::grey);
  const io::Loaded clip = io::load_clip(path("clip.npy"), {.element = Element::f32});
  EXPECT_EQ(clip.pixels.shape(), (Shape{Kind::clip, Element::f32, 1, 7, 4, 3}));
  EXPECT_EQ(number_at(clip.pixels, 9), static_cast<float>(number_at(noisy_clip(Element::u8, 1), 9) / 255));
}

TEST_F(Clips, AreRefusedWhereFramesDoNotBelongTogether) {
  const auto save = [&](const char* name, int channels, int width) {
    io::save_picture(path(name),
                     make_synthetic(InputPattern::photo, Shape::image(Element::u8, channels, width, 3)).view(),
                     channels == 1 ? io::FileColour::grey : io::FileColour::rgb);
  };
  std::filesystem::create_directories(path("size"));
  std::filesystem::create_directories(path("colour"));
  std::filesystem::create_directories(path("empty"));
  save("size/1.png", 1, 5);
  save("size/2.png", 1, 6);
  save("colour/1.png", 1, 5);
  save("colour/2.png", 4, 5);
  EXPECT_NE(failure("size").find("2.png': it is a 6x3 8-bit grey image, the first frame a 5x3"), std::string::npos);
  EXPECT_NE(failure("colour").find("2.png': it is a 5x3 8-bit RGBA image"), std::string::npos);
  EXPECT_NE(failure("empty").find("there are no pictures in it"), std::string::npos);
  EXPECT_NE(failure("no%d.png").find("there are no such pictures"), std::string::npos);
}

TEST_F(Clips, AskTheLimitOfFrames) {
  io::save_clip(path("clip.npy"), noisy_clip(Element::u8, 1).view(), io::FileColour::grey);
  io::save_clip(path("a.png"), noisy_clip(Element::u8, 1).view(), io::FileColour::grey);
  const ScopedLimit limit(io::Limit::frames, 2);
  EXPECT_NE(failure("clip.npy").find("--limit frames=N"), std::string::npos);
  EXPECT_NE(failure("a_%04d.png").find("--limit frames=N"), std::string::npos);
}

TEST_F(Clips, AreNotWrittenWhereTheyHaveNoForm) {
  EXPECT_THROW(io::require_clip_path(path("clip.txt")), UsageError);
  EXPECT_THROW(io::require_clip_path("-.png"), UsageError);
}

TEST(MovingScene, AFrameIsTheSameInAnyOrderAndFormat) {
  const HostArray clip = make_moving_clip({Kind::clip, Element::u8, 4, 64, 48, 5}, 3);
  const MovingScene scene(Shape::image(Element::u8, 4, 64, 48), 3);
  HostArray frame(scene.shape());
  for (const std::int64_t i : {4, 0, 2}) {
    scene.draw(i, frame.view());
    EXPECT_TRUE(testing::same_pixels(std::as_const(frame).view(), frame_of(clip.view(), i)));
  }
  const HostArray wide = make_moving_clip({Kind::clip, Element::u16, 4, 64, 48, 5}, 3);
  for (std::int64_t i = 0; i < clip.shape().items() * 4; ++i)
    EXPECT_NEAR(number_at(wide, i) / 257, number_at(clip, i), 0.5);  // Both are rounded from the same level.
  EXPECT_THROW(scene.draw(-1, frame.view()), UsageError);
  EXPECT_THROW((void)MovingScene({Kind::image, Element::f64, 1, 8, 8, 1}, 0), UsageError);
}

// The first disc has the radius 90, the place (220, 300) and the speed (34, 21), in thousandths of the shorter side.
TEST(MovingScene, DiscsMoveAndTheBackgroundRests) {
  constexpr int width = 640, height = 480, steps = 5;
  const HostArray clip = make_moving_clip({Kind::clip, Element::u8, 4, width, height, steps + 1}, 0);
  const auto pixel = [&](int frame, int x, int y) { return frame_of(clip.view(), frame).image<Rgba8>()(x, y); };
  for (const int frame : {0, steps}) {
    const double x = 0.480 * (90 + 220 + frame * 34), y = 0.480 * (90 + 300 + frame * 21);
    const Rgba8 centre = pixel(frame, static_cast<int>(x), static_cast<int>(y));
    EXPECT_NEAR(centre.r, 62000 / 257, 9);
    EXPECT_NEAR(centre.g, 20000 / 257, 9);
    EXPECT_NEAR(centre.b, 16000 / 257, 9);
    EXPECT_EQ(centre.a, 255);
  }
  int moved = 0;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      moved += std::abs(pixel(0, x, y).g - pixel(steps, x, y).g) > 17 ? 1 : 0;  // Noise of 8 levels, and rounding.
  EXPECT_GT(moved, width * height / 100);
  EXPECT_LT(moved, width * height / 5);
}

TEST(MovingScene, FitsIntoTheSmallestFrames) {
  for (const auto& [width, height] : {std::pair{1, 1}, {1, 9}, {9, 1}, {3, 2}})
    for (const Element element : {Element::u8, Element::u16, Element::f32})
      EXPECT_NO_THROW((void)make_moving_clip({Kind::clip, element, 1, width, height, 4}, 1));
}

}  // namespace
}  // namespace threadscape
