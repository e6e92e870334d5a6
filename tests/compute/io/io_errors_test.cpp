// Tests of damaged pictures and of outputs that cannot be written. Each gives an error that names the file, and
// existing files stay unchanged.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstring>

#include "compute/core/synthetic.h"
#include "compute/io/file_writer.h"
#include "compute/io/pictures/image_file.h"
#include "compute/io/pictures/image_format.h"
#include "tests/support/compute/test_files.h"

namespace threadscape {
namespace {

namespace fs = std::filesystem;
using io::FileColour;

/// The message of the EnvironmentError that load_picture() throws; "" if the file was read.
std::string load_error(const fs::path& path, const io::LoadOptions& options = {}) {
  try {
    (void)io::load_picture(path, options);
  } catch (const EnvironmentError& error) {
    EXPECT_NE(std::string(error.what()).find(path.string()), std::string::npos) << error.what();
    return error.what();
  }
  return "";
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

HostArray noise(int channels, int width, int height) {
  return make_synthetic(InputPattern::noise, Shape::image(Element::u8, channels, width, height), 5);
}

class IoErrors : public TestFolder {};

TEST_F(IoErrors, MissingAndEmptyFilesDirectoriesAndUnknownFormats) {
  EXPECT_TRUE(contains(load_error(path("missing.png")), "No such file"));
  write_bytes(path("empty.png"), "");
  EXPECT_TRUE(contains(load_error(path("empty.png")), "empty"));
  fs::create_directory(path("folder.png"));
  EXPECT_TRUE(contains(load_error(path("folder.png")), "directory"));
  write_bytes(path("text.png"), "this is no picture, whatever its name says\n");
  EXPECT_TRUE(contains(load_error(path("text.png")), "no " + io::format_names(io::FormatUse::read) + " picture"));
}

TEST_F(IoErrors, EveryTruncationIsNoticed) {
  constexpr int width = 61, height = 37;
  const HostArray rgba = noise(4, width, height);
  std::vector<std::uint8_t> rgb;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const Rgba8 p = rgba.image<Rgba8>()(x, y);
      rgb.insert(rgb.end(), {p.r, p.g, p.b});
    }
  io::save_picture(path("a.png"), rgba.view(), FileColour::rgba);
  io::save_picture(path("a.ppm"), rgba.view(), FileColour::rgb);
  write_jpeg(path("a.jpg"), width, height, 3, rgb.data());
  write_bmp(path("a.bmp"), width, height, 3, rgb.data());
  write_tga(path("a.tga"), width, height, 3, rgb.data(), false);
  write_tga(path("rle.tga"), width, height, 3, rgb.data(), true);
  write_bytes(path("text.pgm"), "P2 3 2 255 10 20 30 40 50 60");
  for (const std::string name : {"a.png", "a.ppm", "a.jpg", "a.bmp", "a.tga", "rle.tga", "text.pgm"}) {
    const std::string bytes = read_bytes(path(name));
    ASSERT_EQ(load_error(path(name)), "");
    // The last byte of a text file may be a digit, so that the file without it holds another valid number; padding at
    // the end of a BMP may be missing.
    const std::size_t spare = name == "text.pgm" ? 2 : name == "a.bmp" ? 4 : 1;
    for (std::size_t length = 1; length + spare <= bytes.size(); length += length < 300 ? 1 : 97) {
      write_bytes(path("cut"), bytes.substr(0, length));
      ASSERT_NE(load_error(path("cut")), "") << name << " cut to " << length << " of " << bytes.size() << " bytes";
    }
    write_bytes(path("cut"), bytes.substr(0, bytes.size() - spare));
    ASSERT_NE(load_error(path("cut")), "") << name << " without its last byte";
  }
}

TEST_F(IoErrors, DamageAnywhereInAPngIsNoticed) {
  io::save_picture(path("a.png"), noise(1, 64, 64).view(), FileColour::grey);
  const std::string good = read_bytes(path("a.png"));
  for (std::size_t at = 0; at < good.size(); at += at < 60 ? 1 : 61) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 0x10);
    write_bytes(path("bad.png"), bad);
    ASSERT_NE(load_error(path("bad.png")), "") << "byte " << at;
  }
}

TEST_F(IoErrors, DamagedFilesWithoutChecksumsDoNotCrash) {
  const HostArray grey = noise(1, 48, 32);
  std::vector<std::uint8_t> pixels(48 * 32);
  copy(grey.view(), HostOut{reinterpret_cast<std::byte*>(pixels.data()), grey.shape(), 48});
  write_jpeg(path("a.jpg"), 48, 32, 1, pixels.data());
  write_tga(path("a.tga"), 48, 32, 1, pixels.data(), true);
  write_bmp(path("a.bmp"), 48, 32, 1, pixels.data());
  for (const char* name : {"a.jpg", "a.tga", "a.bmp"}) {
    const std::string good = read_bytes(path(name));
    for (std::size_t at = 0; at < std::min<std::size_t>(good.size(), 700); ++at) {
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ 0xFF);
      write_bytes(path("bad"), bad);
      // These formats have no checksums, so a changed byte need not be noticed. The reader must only return or throw as
      // usual, and keep to the limit.
      const ScopedLimit limit(io::Limit::pixels, 1 << 20);
      (void)load_error(path("bad"));
    }
  }
}

TEST_F(IoErrors, OversizedHuffmanTableIsRefused) {
  // stb_image, which read JPEG before, wrote beyond its table of Huffman codes.
  const std::vector<std::uint8_t> pixels(16 * 16, 7);
  write_jpeg(path("a.jpg"), 16, 16, 1, pixels.data());
  std::string bytes = read_bytes(path("a.jpg"));
  const std::size_t table = bytes.find("\xFF\xC4");
  ASSERT_NE(table, std::string::npos);
  bytes.replace(table + 5, 16, std::string(16, '\xFF'));  // The header claims 255 codes of each of the 16 lengths.
  write_bytes(path("bad.jpg"), bytes);
  EXPECT_TRUE(contains(load_error(path("bad.jpg")), "corrupt JPEG: Bogus Huffman table definition"));
}

TEST_F(IoErrors, HugeHeadersAreRefusedBeforeAnythingIsAllocated) {
  const auto be32 = [](std::uint32_t v) {
    return std::string{static_cast<char>(v >> 24), static_cast<char>(v >> 16), static_cast<char>(v >> 8),
                       static_cast<char>(v)};
  };
  io::save_picture(path("a.png"), noise(1, 4, 4).view(), FileColour::grey);
  std::string png = read_bytes(path("a.png"));
  png.replace(16, 8, be32(2'000'000'000) + be32(2'000'000'000));
  // The CRC-32 over type and data of the IHDR chunk is computed again, so that only the size is wrong.
  std::uint32_t crc = 0xFFFFFFFFu;
  for (std::size_t i = 12; i < 29; ++i) {
    crc ^= static_cast<std::uint8_t>(png[i]);
    for (int bit = 0; bit < 8; ++bit)
      crc = (crc & 1u) != 0 ? (crc >> 1) ^ 0xEDB88320u : crc >> 1;
  }
  png.replace(29, 4, be32(~crc));
  write_bytes(path("huge.png"), png);
  EXPECT_TRUE(contains(load_error(path("huge.png")), "2000000000x2000000000 pixels; the limit is"));

  write_bytes(path("huge.pgm"), "P5 1000000000 1000000000 255\n");
  EXPECT_TRUE(contains(load_error(path("huge.pgm")), "--limit pixels=N"));
  write_bytes(path("wrap.pgm"), "P5 4294967296 4294967296 255\n");
  EXPECT_TRUE(contains(load_error(path("wrap.pgm")), "--limit pixels=N"));
  write_bytes(path("zero.pgm"), "P5 0 5 255\n");
  EXPECT_TRUE(contains(load_error(path("zero.pgm")), "0x5 pixels"));
  write_bytes(path("digits.pgm"), "P5 99999999999999999999999999 1 255\n");
  EXPECT_TRUE(contains(load_error(path("digits.pgm")), "too many digits"));
}

TEST_F(IoErrors, TheLimitOfPixelsCanBeChanged) {
  io::save_picture(path("a.png"), noise(1, 20, 10).view(), FileColour::grey);
  write_bytes(path("a.pgm"), "P5 20 10 255\n" + std::string(200, 'x'));
  {
    const ScopedLimit enough(io::Limit::pixels, 200);
    EXPECT_EQ(load_error(path("a.png")), "");
    EXPECT_EQ(load_error(path("a.pgm")), "");
  }
  const ScopedLimit too_few(io::Limit::pixels, 199);
  EXPECT_TRUE(contains(load_error(path("a.png")), "20x10 pixels; the limit is 199 pixels of a picture"));
  EXPECT_NE(load_error(path("a.pgm")), "");
}

TEST_F(IoErrors, CorruptPnm) {
  for (const char* text :
       {"P5", "P5 ", "P5 x 1 255\n.", "P5 1 1 0\n.", "P5 1 1 70000\n..", "P2 1 1 10 11", "P2 1 1 10 -1", "P5 1 1 255",
        "P3 1 1 255 1 2", "P6 1 1 255\n..", "P5 -1 1 255\n.", "P5 # no end"}) {
    write_bytes(path("a.pgm"), text);
    EXPECT_NE(load_error(path("a.pgm")), "") << text;
  }
}

TEST_F(IoErrors, OutputThatCannotBeWritten) {
  const HostArray grey = noise(1, 4, 4), colour = noise(4, 4, 4);
  const auto save = [&](const fs::path& file) { io::save_picture(file, grey.view(), FileColour::grey); };
  EXPECT_THROW(save(path("no/such/folder.png")), EnvironmentError);
  fs::create_directory(path("folder.png"));
  EXPECT_THROW(save(path("folder.png")), EnvironmentError);
  EXPECT_THROW(save(path("a.gif")), UsageError);
  EXPECT_THROW(save(path("none")), UsageError);
  EXPECT_THROW(save(""), UsageError);
  EXPECT_THROW(io::save_picture(path("a.pgm"), colour.view(), FileColour::rgb), UsageError);
  EXPECT_THROW(io::save_picture(path("a.ppm"), colour.view(), FileColour::rgba), UsageError);
  EXPECT_THROW(io::save_picture(path("a.png"), HostArray(Shape::image(Element::f32, 1, 2, 2)).view(), FileColour::grey),
               UsageError);
  EXPECT_EQ(names(), std::vector<std::string>{"folder.png"});
  EXPECT_THROW(io::require_picture_path(path("no/such/folder.png")), EnvironmentError);
  EXPECT_NO_THROW(io::require_picture_path(path("new.png")));
}

/// While an object of this class lives, the effective user is nobody (65534) if it was root, because root may write to
/// any file.
class NotRoot {
 public:
  NotRoot() : was_root_(geteuid() == 0) {
    if (was_root_ && seteuid(65534) != 0) throw std::runtime_error("root cannot become nobody");
  }
  ~NotRoot() {
    if (was_root_ && seteuid(0) != 0) std::abort();
  }
  NotRoot(const NotRoot&) = delete;
  NotRoot& operator=(const NotRoot&) = delete;

 private:
  bool was_root_;
};

TEST_F(IoErrors, ReadOnlyFolderAndFile) {
  // The test has a folder of its own that every user may enter and write to, so that only the read-only folder and file
  // in it can be refused.
  std::string name = (fs::temp_directory_path() / "threadscape-closed-XXXXXX").string();
  ASSERT_NE(mkdtemp(name.data()), nullptr);
  const fs::path open = name;
  fs::permissions(open, fs::perms::all);
  const HostArray grey = noise(1, 4, 4);
  {
    const NotRoot nobody;
    fs::create_directory(open / "closed");
    fs::permissions(open / "closed", fs::perms::owner_read | fs::perms::owner_exec);
    EXPECT_THROW(io::save_picture(open / "closed/a.png", grey.view(), FileColour::grey), EnvironmentError);
    EXPECT_TRUE(fs::is_empty(open / "closed"));
    write_bytes(open / "kept.png", "kept");
    fs::permissions(open / "kept.png", fs::perms::owner_read);
    EXPECT_THROW(io::save_picture(open / "kept.png", grey.view(), FileColour::grey), EnvironmentError);
    EXPECT_EQ(read_bytes(open / "kept.png"), "kept");
    EXPECT_NO_THROW(io::save_picture(open / "new.png", grey.view(), FileColour::grey));
  }
  fs::remove_all(open);
}

TEST_F(IoErrors, WithoutCommitTheOldFileStays) {
  write_bytes(path("a.txt"), "old");
  {
    io::FileWriter writer(path("a.txt"));
    writer.write("half of the new");
    EXPECT_EQ(read_bytes(path("a.txt")), "old");
  }
  EXPECT_EQ(read_bytes(path("a.txt")), "old");
  EXPECT_EQ(names(), std::vector<std::string>{"a.txt"});
  io::save_bytes(path("a.txt"), "new");
  EXPECT_EQ(read_bytes(path("a.txt")), "new");
  EXPECT_EQ(names(), std::vector<std::string>{"a.txt"});
}

TEST_F(IoErrors, AKilledWriterLeavesNoFileWhereTheSystemHasFilesWithoutNames) {
#ifdef O_TMPFILE
  const int probe = open(path("").c_str(), O_WRONLY | O_TMPFILE, 0600);
#else
  const int probe = -1;
#endif
  if (probe < 0) GTEST_SKIP() << "the file system of " << path("") << " has no files without names";
  close(probe);
  write_bytes(path("a.txt"), "old");
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    io::FileWriter writer(path("a.txt"));
    writer.write("half of the new");
    raise(SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(read_bytes(path("a.txt")), "old");
  EXPECT_EQ(names(), std::vector<std::string>{"a.txt"});
}

TEST_F(IoErrors, WhatKilledWritersHaveLeftIsRemoved) {
  const std::string number = "0123456789abcdef";
  const fs::path stale = path("a.txt.threadscape-" + number), young = path("b.txt.threadscape-" + number),
                 locked = path("c.txt.threadscape-" + number), other = path("d.txt.threadscape-" + number + "0"),
                 another = path("e.txt.threadscape-report.json");
  for (const fs::path& file : {stale, young, locked, other, another}) {
    write_bytes(file, "x");
    if (file != young) fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::hours(2));
  }
  const int lock = open(locked.c_str(), O_RDONLY);
  ASSERT_EQ(flock(lock, LOCK_EX | LOCK_NB), 0);
  io::save_bytes(path("new.txt"), "new");
  close(lock);
  EXPECT_FALSE(fs::exists(stale));
  for (const fs::path& file : {young, locked, other, another})
    EXPECT_TRUE(fs::exists(file)) << file;
}

TEST_F(IoErrors, AFullDiskLeavesNoFile) {
  std::error_code error;
  if (!fs::exists("/dev/full", error)) GTEST_SKIP() << "this system has no /dev/full";
  EXPECT_THROW(io::save_bytes("/dev/full", "text"), EnvironmentError);
}

TEST_F(IoErrors, LinksStayLinksAndDevicesStayDevices) {
  write_bytes(path("real.txt"), "old");
  fs::create_symlink("real.txt", path("link.txt"));
  io::save_bytes(path("link.txt"), "new");
  EXPECT_TRUE(fs::is_symlink(path("link.txt")));
  EXPECT_EQ(read_bytes(path("real.txt")), "new");
  io::save_bytes("/dev/null", "text");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(IoErrors, ALinkToNothingCreatesItsTarget) {
  fs::create_directory(path("folder"));
  fs::create_symlink("folder/new.txt", path("first"));
  fs::create_symlink("first", path("second"));
  io::save_bytes(path("second"), "text");
  EXPECT_TRUE(fs::is_symlink(path("first")) && fs::is_symlink(path("second")));
  EXPECT_EQ(read_bytes(path("folder/new.txt")), "text");
}

TEST_F(IoErrors, AReplacedFileKeepsItsModeAndAttributes) {
  const std::string name = path("a.txt");
  write_bytes(name, "old");
  fs::permissions(name, fs::perms::owner_all | fs::perms::group_read);
  const bool attributes = setxattr(name.c_str(), "user.author", "me", 2, 0) == 0;
  fs::create_hard_link(name, path("other.txt"));
  for (const bool syncing : {true, false}) {
    io::set_syncing(syncing);
    io::save_bytes(name, "new");
  }
  io::set_syncing(true);
  EXPECT_EQ(read_bytes(name), "new");
  EXPECT_EQ(fs::status(name).permissions(), fs::perms::owner_all | fs::perms::group_read);
  EXPECT_EQ(read_bytes(path("other.txt")), "old") << "another name of the file keeps its content";
  if (!attributes) GTEST_SKIP() << "this file system has no extended attributes";
  char value[8] = {};
  EXPECT_EQ(getxattr(name.c_str(), "user.author", value, sizeof value), 2);
  EXPECT_STREQ(value, "me");
}

TEST_F(IoErrors, NamesMayBeAsLongAsTheSystemAllows) {
  const fs::path name = path(std::string(251, 'n') + ".txt");
  io::save_bytes(name, "text");
  EXPECT_EQ(read_bytes(name), "text");
  const fs::path temporary = io::create_temporary(name);
  EXPECT_TRUE(temporary.filename().string().starts_with(".threadscape-")) << temporary;
}

}  // namespace
}  // namespace threadscape
