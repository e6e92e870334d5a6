// Tests that files which do not end, or claim more than there is, are refused at once, and that each limit holds, can
// be raised, and is named by the message.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <chrono>
#include <stop_token>
#include <thread>

#include "compute/core/json_limits.h"
#include "compute/io/data_file.h"
#include "compute/io/input_file.h"
#include "compute/io/pictures/image_format.h"
#include "compute/io/text_file.h"
#include "tests/support/compute/test_files.h"

namespace threadscape {
namespace {

namespace fs = std::filesystem;
using io::Limit;

constexpr Shape a_volume{Kind::volume, Element::f32, 1, 4, 3, 5};

/// The message of the Error that `f` throws; "" if it throws none.
template <class F>
std::string refusal(const F& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

class HostileFiles : public TestFolder {
 protected:
  std::string of_data(const fs::path& file, Kind kind, const io::LoadOptions& options = {}) const {
    Shape wanted = a_volume;
    wanted.kind = kind;
    return refusal([&] { (void)io::load_data(file, wanted, options); });
  }
  [[nodiscard]] fs::path pipe(const std::string& name) const {
    EXPECT_EQ(mkfifo(path(name).c_str(), 0600), 0);
    return path(name);
  }
};

/// Writes a text into a named pipe on another thread. Then it holds the pipe open until the object dies.
class PipeWriter {
 public:
  PipeWriter(const fs::path& path, std::string text, bool again = false)
      : thread_([path, text = std::move(text), again](const std::stop_token& stop) {
          const int file = open(path.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC);
          std::size_t at = 0;
          while (!stop.stop_requested()) {
            const ssize_t written = at < text.size() ? write(file, text.data() + at, text.size() - at) : 0;
            if (written > 0) at += static_cast<std::size_t>(written);
            if (again && at == text.size()) at = 0;
            if (written <= 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
          }
          close(file);
        }) {}

 private:
  std::jthread thread_;
};

TEST_F(HostileFiles, DevicesSocketsAndFoldersAreRefusedByEveryReader) {
  sockaddr_un address{.sun_family = AF_UNIX, .sun_path = "socket"};
  const int socket_file = socket(AF_UNIX, SOCK_STREAM, 0);
  const fs::path before = fs::current_path();
  fs::current_path(path(""));  // A socket's path has at most 107 bytes.
  ASSERT_EQ(bind(socket_file, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  fs::current_path(before);
  for (const Kind kind : {Kind::image, Kind::heightfield, Kind::sequence}) {
    EXPECT_NE(of_data("/dev/zero", kind).find("'/dev/zero': it is a device"), std::string::npos);
    EXPECT_NE(of_data(path("socket"), kind).find("it is a socket"), std::string::npos);
    EXPECT_NE(of_data(path(""), kind).find("it is a directory"), std::string::npos);
  }
  EXPECT_NE(refusal([] { (void)io::load_json_text("/dev/zero"); }).find("it is a device"), std::string::npos);
  for (const char* name : {"zero.mhd", "zero.raw", "zero.dat", "zero.r32"}) {
    fs::create_symlink("/dev/zero", path(name));
    const Kind kind = std::string(name) == "zero.r32" ? Kind::heightfield : Kind::volume;
    EXPECT_NE(of_data(path(name), kind), "") << name;
  }
  close(socket_file);
}

TEST_F(HostileFiles, APipeWithoutWriterEndsAfterTheTimeOfSilence) {
  const ScopedLimit silence(Limit::silence, 1);
  for (const Kind kind : {Kind::image, Kind::heightfield, Kind::sequence}) {
    const fs::path file = pipe("pipe" + std::to_string(static_cast<int>(kind)));
    const std::string why = of_data(file, kind);
    EXPECT_NE(why.find("the pipe was silent for 1 s"), std::string::npos) << why;
    EXPECT_NE(why.find("--limit silence=N"), std::string::npos) << why;
  }
}

TEST_F(HostileFiles, AStopEndsTheWaitForAPipe) {
  const fs::path file = pipe("pipe");
  const PipeWriter silent(file, "");
  std::stop_source stop;
  const std::jthread stopper([&stop] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    stop.request_stop();
  });
  EXPECT_THROW((void)io::load_picture(file, {.stop = stop.get_token()}), Cancelled);
}

TEST_F(HostileFiles, APipeIsReadNoFurtherThanTheHeaderAsks) {
  const fs::path file = pipe("pipe");
  const PipeWriter writer(file, "P5 3 2 255\nabcdef" + std::string(1000, '\0'), /*again=*/true);  // It never ends.
  const io::Loaded picture = io::load_picture(file);
  EXPECT_EQ(picture.pixels.shape(), Shape::image(Element::u8, 1, 3, 2));
  EXPECT_EQ(picture.pixels.image<std::uint8_t>()(2, 1), 'f');
}

TEST_F(HostileFiles, APipeOfUnknownFormatIsRefusedAfterItsBeginning) {
  const fs::path file = pipe("pipe");
  const PipeWriter writer(file, std::string(4096, '\0'), /*again=*/true);
  EXPECT_NE(of_data(file, Kind::image).find("it is no PNG"), std::string::npos);
}

TEST_F(HostileFiles, ASequenceFromAnEndlessPipeHasALimit) {
  const ScopedLimit limit(Limit::numbers, 1000);
  const fs::path file = pipe("pipe");
  const PipeWriter writer(file, std::string(4096, '\1'), /*again=*/true);
  const std::string why = of_data(file, Kind::sequence);
  EXPECT_NE(why.find("the limit is 1000 numbers of a sequence (--limit numbers=N raises it)"), std::string::npos)
      << why;
}

TEST_F(HostileFiles, SparseFilesAreJudgedByTheirBeginning) {
  // 1 TiB, more than the limit of files that are read as a whole, and than the memory.
  for (const char* name : {"zero.pgm", "zero.json", "zero.mhd", "zero.r32"}) {
    write_bytes(path(name), "");
    fs::resize_file(path(name), std::uintmax_t{1} << 40);
  }
  EXPECT_NE(of_data(path("zero.pgm"), Kind::image).find("it is no PNG"), std::string::npos);
  EXPECT_NE(of_data(path("zero.mhd"), Kind::volume).find("line 1 has no '='"), std::string::npos);
  EXPECT_NE(of_data(path("zero.r32"), Kind::heightfield).find("--limit file-bytes=N"), std::string::npos);
  EXPECT_NE(refusal([&] { (void)io::load_json_text(path("zero.json")); }).find("--limit json-bytes=N"),
            std::string::npos);
  // A picture with as many bytes behind it is read without them.
  write_bytes(path("long.pgm"), "P5 2 1 255\nab");
  fs::resize_file(path("long.pgm"), std::uintmax_t{1} << 40);
  EXPECT_EQ(of_data(path("long.pgm"), Kind::image), "");
}

TEST_F(HostileFiles, EveryLimitIsSetByItsName) {
  for (const io::LimitRow& row : io::limit_rows()) {
    const ScopedLimit restored(row.limit, row.initial);
    EXPECT_NO_THROW(io::set_limit(row.name, "12")) << row.name;
    EXPECT_EQ(io::limit_of(row.limit), 12) << row.name;
    EXPECT_NE(io::limit_text(row.limit).find("--limit " + std::string(row.name) + "=N"), std::string::npos);
    for (const char* bad : {"", "0", "-1", "x", "1x", "K", "1.5", "99999999999999999999", "9999999999T"})
      EXPECT_THROW(io::set_limit(row.name, bad), UsageError) << row.name << "=" << bad;
    EXPECT_EQ(io::limit_of(row.limit), 12) << row.name;
  }
  const ScopedLimit restored(Limit::pixels, 1);
  io::set_limit("pixels", "3M");
  EXPECT_EQ(io::limit_of(Limit::pixels), 3 << 20);
  EXPECT_NE(refusal([] { io::set_limit("pixel", "1"); }).find("the limit 'pixel' is unknown: pixels, voxels"),
            std::string::npos);
}

TEST_F(HostileFiles, FilesAreReadWithEveryLimitAtItsMost) {
  write_bytes(path("two.pgm"), "P5 2 1 255\nab");
  write_bytes(path("two.r32"), std::string(4 * sizeof(float), '\0'));
  for (const io::LimitRow& row : io::limit_rows()) {
    const ScopedLimit raised(row.limit, row.most);
    EXPECT_EQ(of_data(path("two.pgm"), Kind::image), "") << row.name;
    EXPECT_EQ(of_data(path("two.r32"), Kind::heightfield), "") << row.name;
  }
}

TEST_F(HostileFiles, ASmallFileTakesNoMoreMemoryThanItJustifies) {
  // Grey pixels in runs of 128, which have two bytes each.
  std::string tga(18, '\0');
  tga[2] = 11;
  tga[13] = 0x10;  // 4096 x 2048
  tga[15] = 0x08;
  tga[16] = 8;
  write_bytes(path("large.tga"), tga + std::string(2000, '\xff'));
  const std::string message = of_data(path("large.tga"), Kind::image);
  EXPECT_NE(message.find("too many for 2018 bytes"), std::string::npos) << message;
  EXPECT_NE(message.find("--limit expansion=N raises it"), std::string::npos) << message;
  const ScopedLimit raised(Limit::expansion, std::int64_t{10} << 20);
  EXPECT_EQ(of_data(path("large.tga"), Kind::image).find("too many"), std::string::npos);
}

TEST_F(HostileFiles, TheLimitOfMemoryHoldsForEverythingThatIsAllocated) {
  const auto allocate = [] { (void)HostArray(Shape::image(Element::u8, 1, 1 << 14, 1 << 13)); };
  EXPECT_EQ(refusal(allocate), "");
  const ScopedLimit small(Limit::memory, 1 << 20);
  EXPECT_NE(refusal(allocate).find("0 are free"), std::string::npos) << refusal(allocate);
  write_bytes(path("large.pgm"), "P5 16384 8192 255\n");
  EXPECT_NE(of_data(path("large.pgm"), Kind::image).find("0 are free"), std::string::npos);
  write_bytes(path("two.pgm"), "P5 2 1 255\nab");
  EXPECT_EQ(of_data(path("two.pgm"), Kind::image), "") << "small pictures are read all the same";
}

TEST_F(HostileFiles, ATiffWithThousandsOfSamplesTakesNoMemory) {
  if (!io::has_picture_extension("a.tif")) GTEST_SKIP() << "this build reads no TIFF";
  // One row of 24000 pixels with 65535 samples of 64 bits each: 12.6 GB. A field has a tag, a type (3 = 16 bits, 4 = 32
  // bits), a count and a value.
  std::string tiff("II*\0\x08\0\0\0", 8);
  const auto number = [&](std::uint32_t value, int bytes) {
    for (int i = 0; i < bytes; ++i)
      tiff += static_cast<char>(value >> (8 * i) & 0xff);
  };
  const std::uint32_t fields[][3] = {{256, 4, 24000}, {257, 4, 1},     {258, 3, 64}, {259, 3, 1},  {262, 3, 1},
                                     {273, 4, 8},     {277, 3, 65535}, {278, 4, 1},  {279, 4, 10}, {339, 3, 3}};
  number(std::size(fields), 2);
  for (const auto& [tag, type, value] : fields) {
    number(tag, 2);
    number(type, 2);
    number(1, 4);
    number(value, 4);
  }
  number(0, 4);
  write_bytes(path("bands.tif"), tiff);
  EXPECT_NE(of_data(path("bands.tif"), Kind::image).find("its pixels have 65535 samples, at most 256 are read"),
            std::string::npos)
      << of_data(path("bands.tif"), Kind::image);
}

TEST_F(HostileFiles, APngWithATextOf2GiBTakesNoMemory) {
  // Behind the header of a picture of 3 x 3 pixels follows the length of a text, 7e000011.
  write_bytes(path("text.png"), std::string("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\3\0\0\0\3\x10\0\0\0\0\x23\xd3\x36\x20"
                                            "\x7e\0\0\x11tEXtHeights\0-1.25",
                                            54));
  const auto most = [] {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    return used.ru_maxrss;  // in KiB
  };
  const long before = most();
  EXPECT_NE(of_data(path("text.png"), Kind::image).find("it is truncated"), std::string::npos);
  EXPECT_LT(most(), before + (256 << 10));
}

TEST_F(HostileFiles, TheLimitsOfJsonCanBeRaised) {
  const std::string deep = std::string(100, '[') + std::string(100, ']');
  EXPECT_NE(refusal([&] { check_json_limits(deep); }).find("--limit json-depth=N"), std::string::npos);
  const ScopedLimit raised(Limit::json_depth, 100);
  EXPECT_NO_THROW(check_json_limits(deep));
}

TEST_F(HostileFiles, VolumesAndStacksHaveLimits) {
  write_bytes(path("a.raw"), std::string(60, '\0'));
  {
    const ScopedLimit voxels(Limit::voxels, 59);
    const std::string why = of_data(path("a.raw"), Kind::volume);
    EXPECT_NE(why.find("the limit is 59 voxels of a volume (--limit voxels=N raises it)"), std::string::npos) << why;
  }
  EXPECT_EQ(of_data(path("a.raw"), Kind::volume), "");
  fs::create_directory(path("stack"));
  for (const char* name : {"stack/0.pgm", "stack/1.pgm", "stack/2.pgm"})
    write_bytes(path(name), "P5 1 1 255\na");
  EXPECT_EQ(of_data(path("stack"), Kind::volume), "");
  const ScopedLimit frames(Limit::frames, 2);
  EXPECT_NE(of_data(path("stack"), Kind::volume).find("--limit frames=N"), std::string::npos);
}

class DataFiles : public HostileFiles {
 protected:
  /// Writes NAME.mhd, whose numbers are in `numbers`.
  void write_header(const std::string& name, const std::string& numbers) const {
    write_bytes(path(name), "NDims = 3\nDimSize = 4 3 5\nElementType = MET_UCHAR\nElementDataFile = " + numbers + "\n");
  }
};

TEST_F(DataFiles, OutsideOfTheHeadersFolderAreReadOnlyIfAllowed) {
  fs::create_directories(path("inside/deeper"));
  write_bytes(path("secret.raw"), std::string(60, 's'));
  write_bytes(path("inside/deeper/own.raw"), std::string(60, 'o'));
  fs::create_symlink(fs::absolute(path("secret.raw")), path("inside/link.raw"));
  fs::create_symlink("deeper/own.raw", path("inside/own-link.raw"));
  const std::string absolute = fs::absolute(path("secret.raw")).string();
  for (const std::string& numbers :
       {std::string("../secret.raw"), absolute, std::string("link.raw"), std::string("deeper/../../secret.raw")}) {
    write_header("inside/a.mhd", numbers);
    const std::string why = of_data(path("inside/a.mhd"), Kind::volume);
    EXPECT_NE(why.find("outside of its folder"), std::string::npos) << numbers << ": " << why;
    EXPECT_NE(why.find("--allow-outside"), std::string::npos) << why;
    EXPECT_EQ(of_data(path("inside/a.mhd"), Kind::volume, {.allow_outside = true}), "") << numbers;
  }
  for (const std::string& numbers :
       {std::string("deeper/own.raw"), std::string("own-link.raw"), std::string("deeper/../deeper/own.raw"),
        fs::absolute(path("inside/deeper/own.raw")).string()}) {
    write_header("inside/a.mhd", numbers);
    EXPECT_EQ(of_data(path("inside/a.mhd"), Kind::volume), "") << numbers;
  }
}

TEST_F(DataFiles, ThatArePipesOrDevicesAreRefused) {
  (void)pipe("pipe.raw");
  write_header("a.mhd", "pipe.raw");
  EXPECT_NE(of_data(path("a.mhd"), Kind::volume).find("it is a pipe"), std::string::npos);
  write_header("b.mhd", "/dev/zero");
  EXPECT_NE(of_data(path("b.mhd"), Kind::volume, {.allow_outside = true}).find("it is a device"), std::string::npos);
  write_header("c.mhd", "missing.raw");
  EXPECT_NE(of_data(path("c.mhd"), Kind::volume).find("missing.raw"), std::string::npos);
}

TEST_F(HostileFiles, ExrAttributesThatClaimMoreThanTheFileHasAreRefused) {
  if (!io::has_picture_extension("a.exr")) GTEST_SKIP() << "this build reads no OpenEXR";
  const std::string magic("\x76\x2f\x31\x01", 4), version("\x02\0\0\0", 4), parts("\x02\x10\0\0", 4);
  const std::string unknown("what\0kind\0", 10), end(1, '\0');
  const std::string small("\x02\0\0\0ab", 6), huge("\xff\xff\xff\x7f", 4), negative("\xff\xff\xff\xff", 4);
  const auto contains = [](const std::string& text, const std::string& part) { return text.find(part) != text.npos; };
  const auto message_of = [&](const std::string& rest) {
    const fs::path file = path("a.exr");
    write_bytes(file, magic + rest);
    return refusal([&] { (void)io::load_picture(file); });
  };
  // The library would take 2 GiB of memory for the first of them before it reads the value.
  EXPECT_PRED2(contains, message_of(version + unknown + huge), "one value takes 2147483647 bytes, and 0 follow");
  EXPECT_PRED2(contains, message_of(version + unknown + small + unknown + huge + "abc"), "bytes, and 3 follow");
  EXPECT_PRED2(contains, message_of(version + unknown + negative), "one value takes -1 bytes");
  // The second header of a file with several parts.
  EXPECT_PRED2(contains, message_of(parts + unknown + small + end + unknown + huge),
               "one value takes 2147483647 bytes");
  EXPECT_PRED2(contains, message_of(version + unknown + "\x01"), "it is truncated");
  // What is right so far is left to the library, which misses the other attributes.
  EXPECT_PRED2(contains, message_of(version + unknown + small + end), "corrupt EXR");
}

}  // namespace
}  // namespace threadscape
