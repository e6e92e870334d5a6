// What a run, a save, the settings and a report do when any one allocation or any one call for a file fails: there is a
// message, the file of before is whole, nothing else is left in the folder, and no memory is lost.
//
// Where JSON is involved, only calls for files fail: the destructor of nlohmann-json's values allocates memory, and
// ends the program if it gets none.

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <functional>
#include <optional>

#include "app/bench/bench_measure.h"
#include "app/measure/report_file.h"
#include "app/report/cpu_counters.h"
#include "app/session/run_options.h"
#include "app/shell/settings.h"
#include "compute/core/errors.h"
#include "compute/core/synthetic.h"
#include "compute/io/data_file.h"
#include "compute/io/file_writer.h"
#include "compute/io/folder_reader.h"
#include "compute/io/numbers/npy_array.h"
#include "compute/io/numbers/sequence_file.h"
#include "compute/io/pictures/heightfield_file.h"
#include "compute/io/pictures/image_file.h"
#include "compute/io/video/frame_source.h"
#include "compute/io/video/frame_writer.h"
#include "compute/io/volumes/volume_file.h"
#include "compute/registry/registry.h"
#include "compute/run/runner.h"
#include "tests/faults/faults.h"
#include "tests/support/compute/test_files.h"

namespace threadscape {
namespace {

namespace fs = std::filesystem;

/// A file name, and how it is written and read again.
struct FileCase {
  const char* name;
  Shape shape;
  std::function<void(const fs::path&, HostIn)> save;
  std::function<HostArray(const fs::path&)> load;
  friend void PrintTo(const FileCase& file, std::ostream* to) { *to << file.name; }
};

std::vector<FileCase> file_cases() {
  const auto save_picture = [](const fs::path& path, HostIn data) {
    io::save_picture(path, data, data.shape.channels == 4 ? io::FileColour::rgba : io::FileColour::grey);
  };
  const auto load_picture = [](const fs::path& path) { return io::load_picture(path).pixels; };
  const auto save_heights = [](const fs::path& path, HostIn data) { io::save_heightfield(path, data, 0); };
  const auto load_heights = [](const fs::path& path) { return io::load_heightfield(path, {}); };
  return {{"colours.png", Shape::image(Element::u8, 4, 33, 21), save_picture, load_picture},
          {"grey.pgm", Shape::image(Element::u16, 1, 33, 21), save_picture, load_picture},
          {"floats.pfm", Shape::image(Element::f32, 1, 33, 21), save_picture, load_picture},
          {"heights.r32", {Kind::heightfield, Element::f32, 1, 17, 17, 1}, save_heights, load_heights},
          {"numbers.raw",
           {Kind::sequence, Element::i32, 1, 1000, 1, 1},
           io::save_sequence,
           [](const fs::path& path) { return io::load_sequence(path, Element::i32); }},
          {"volume.raw",
           {Kind::volume, Element::f32, 1, 9, 8, 7},
           [](const fs::path& path, HostIn data) { io::save_volume(path, data); },
           [](const fs::path& path) {
             return io::load_volume(path, {Kind::volume, Element::f32, 1, 9, 8, 7}, {}).pixels;
           }}};
}

class FaultsFolder : public TestFolder {
 protected:
  /// Expects that the folder holds these files and no others.
  void expect_names(const std::vector<std::string>& wanted) const { EXPECT_EQ(names(), wanted); }
};

class Faults : public FaultsFolder, public ::testing::WithParamInterface<faults::Kind> {};

TEST_P(Faults, SavingKeepsTheOldFileOrWritesTheNewOne) {
  for (const FileCase& file : file_cases()) {
    SCOPED_TRACE(file.name);
    const fs::path target = path(file.name);
    const HostArray data = make_synthetic(InputPattern::photo, file.shape, 1);
    file.save(target, data.view());
    const std::string new_bytes = read_bytes(target), old_bytes = "what was there before";
    write_bytes(target, old_bytes);
    const auto result = faults::sweep(
        GetParam(), [&] { file.save(target, data.view()); },
        [&](bool succeeded) {
          EXPECT_EQ(read_bytes(target), succeeded ? new_bytes : old_bytes);
          expect_names({file.name});
          write_bytes(target, old_bytes);
        });
    EXPECT_GE(result.failures, 3);
    fs::remove(target);
  }
}

/// The standard library opens and reads files by calls inside of glibc, which cannot be replaced.
TEST_P(Faults, ReadingGivesTheWholeFileOrAMessage) {
  for (const FileCase& file : file_cases()) {
    SCOPED_TRACE(file.name);
    const fs::path source = path(file.name);
    file.save(source, make_synthetic(InputPattern::photo, file.shape, 1).view());
    const std::string bytes = read_bytes(source), again = path("again-" + std::string(file.name));
    std::optional<HostArray> read;
    const auto result = faults::sweep(
        GetParam(), [&] { read = file.load(source); },
        [&](bool succeeded) {
          if (succeeded) {
            file.save(again, read->view());
            EXPECT_EQ(read_bytes(again), bytes);
          }
          read.reset();
        });
    EXPECT_GE(result.failures, GetParam() == faults::Kind::memory ? 2 : 0);
    fs::remove(source);
    fs::remove(again);
  }
}

/// The iterators of std::filesystem would end the program here.
TEST_F(FaultsFolder, ListingAFolderAndOpeningCountersThrowWithoutMemory) {
  for (const char* name : {"a", "b", "c"})
    write_bytes(path(name), "contents");
  std::size_t found = 0;
  const auto result = faults::sweep(
      faults::Kind::memory,
      [&] {
        found = 0;
        for (io::FolderReader reader(path("").parent_path()); reader.next();)
          ++found;
        const app::CpuCounters counters;
      },
      [&](bool succeeded) {
        if (succeeded) {
          EXPECT_EQ(found, 3U);
        }
      });
  EXPECT_GE(result.failures, 4);
}

TEST_P(Faults, ARunFromFileToFile) {
  const fs::path input = path("input.pgm"), output = path("output.png"), preset = path("preset.json");
  for (const char* algorithm : {"sobel", "median", "morphology", "convolution"}) {
    SCOPED_TRACE(algorithm);
    io::save_picture(input, make_synthetic(InputPattern::photo, Shape::image(Element::u8, 1, 40, 30), 1).view(),
                     io::FileColour::grey);
    write_bytes(preset, to_json(find_algorithm(algorithm).defaults()));
    const auto run = [&] {
      app::AlgorithmOptions options{.algorithm = algorithm};
      if (GetParam() == faults::Kind::files) options.preset = preset;
      const RunRequest request = app::make_request(options, Backend::serial);
      const io::Loaded picture = app::load_input(request, input, {});
      const RunResult result = Runner().run(request, picture.pixels.view());
      io::save_data(output, result.output.view(), {});
    };
    run();
    const std::string expected = read_bytes(output);
    fs::remove(output);
    const auto result = faults::sweep(GetParam(), run, [&](bool succeeded) {
      EXPECT_EQ(fs::exists(output), succeeded);
      EXPECT_EQ(succeeded ? read_bytes(output) : expected, expected);
      fs::remove(output);
      expect_names({"input.pgm", "preset.json"});
    });
    EXPECT_GE(result.failures, 3);
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, Faults, ::testing::Values(faults::Kind::memory, faults::Kind::files),
                         [](const auto& kind) { return kind.param == faults::Kind::memory ? "Memory" : "Files"; });

/// Files that libraries write.
std::vector<FileCase> library_cases() {
  const auto save_picture = [](const fs::path& path, HostIn data) {
    io::save_picture(path, data, data.shape.channels == 4 ? io::FileColour::rgba : io::FileColour::grey);
  };
  const auto save_frames = [](const fs::path& path, HostIn data) {
    const auto writer = io::make_frame_writer(path, {});
    for (int i = 0; i < 2; ++i)
      writer->add(data);
    writer->finish();
  };
  const auto load_picture = [](const fs::path& path) { return io::load_picture(path).pixels; };
  const auto load_frame = [](const fs::path& path) {
    io::Frame frame;
    const auto frames = io::open_frames(path);
    if (!frames->next(frame)) throw std::runtime_error(frames->note());
    return std::move(frame.pixels);
  };
  const Shape bytes = Shape::image(Element::u8, 4, 33, 21), floats = Shape::image(Element::f32, 4, 33, 21);
  const Shape grey = Shape::image(Element::u8, 1, 33, 21);
  return {{"floats.exr", floats, save_picture, load_picture}, {"floats.tif", floats, save_picture, load_picture},
          {"bytes.tif", bytes, save_picture, load_picture},   {"bytes.png", bytes, save_picture, load_picture},
          {"grey.jpg", grey, save_picture, load_picture},     {"bytes.webp", bytes, save_picture, load_picture},
          {"frames.webp", bytes, save_frames, load_frame},    {"frames.gif", bytes, save_frames, load_frame},
          {"frames.mkv", bytes, save_frames, load_frame}};
}

std::string pixels_of(const HostArray& picture) {
  std::string all;
  for (std::int64_t y = 0; y < picture.shape().height; ++y)
    all.append(reinterpret_cast<const char*>(picture.data()) + static_cast<std::size_t>(y) * picture.pitch(),
               static_cast<std::size_t>(picture.shape().width) * picture.shape().pixel_bytes());
  return all;
}

class LibraryFaults : public FaultsFolder, public ::testing::WithParamInterface<FileCase> {};

/// A library that gets no memory may leave out a part of a file and say nothing.
TEST_P(LibraryFaults, WithoutMemoryALibraryLeavesTheOldFileOrAWholeOne) {
  const FileCase& file = GetParam();
  const fs::path target = path(file.name);
  const HostArray data = make_synthetic(InputPattern::photo, file.shape, 1);
  try {
    file.save(target, data.view());
  } catch (const UsageError& error) {
    GTEST_SKIP() << error.what();  // This build was made without the library.
  }
  const std::string new_bytes = read_bytes(target), old_bytes = "what was there before";
  file.save(target, data.view());
  const bool repeats = read_bytes(target) == new_bytes;  // Containers of videos have random numbers in them.
  const std::string pixels = pixels_of(file.load(target));
  const auto saved = faults::sweep(
      faults::Kind::codecs, [&] { file.save(target, data.view()); },
      [&](bool succeeded) {
        // A video that ends because of the failure has the frames so far.
        const bool stays = !succeeded && read_bytes(target) == old_bytes;
        EXPECT_TRUE(stays || pixels_of(file.load(target)) == pixels);
        EXPECT_TRUE(stays || !repeats || (succeeded && read_bytes(target) == new_bytes));
        expect_names({file.name});
        write_bytes(target, old_bytes);
      });
  EXPECT_GE(saved.failures, 1);
}

INSTANTIATE_TEST_SUITE_P(Files, LibraryFaults, ::testing::ValuesIn(library_cases()), [](const auto& file) {
  std::string name = file.param.name;
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
});

class FaultyFiles : public FaultsFolder {};

TEST_F(FaultyFiles, SettingsAreSavedOrStay) {
  ASSERT_EQ(setenv("XDG_CONFIG_HOME", path("").c_str(), 1), 0);
  const fs::path file = path("threadscape/settings.json");
  fs::create_directories(file.parent_path());
  app::Settings settings{.algorithm = "sobel", .backend = "serial"};
  for (const AlgorithmInfo& algorithm : algorithms())
    settings.parameters[std::string(algorithm.name)] = to_json(algorithm.defaults());
  const std::string old_bytes = "{\"threads\": 1}";
  std::string new_bytes;
  write_bytes(file, old_bytes);
  int failures = 0;
  // A failure is only a line in the log, so it is made an exception for sweep().
  const auto save = [&] {
    app::LogBook log;
    app::save_settings(settings, log);
    if (!log.entries().empty()) throw std::runtime_error(log.entries().front().text);
  };
  const auto result = faults::sweep(faults::Kind::files, save, [&](bool succeeded) {
    if (succeeded && new_bytes.empty()) new_bytes = read_bytes(file);
    EXPECT_EQ(read_bytes(file), succeeded ? new_bytes : old_bytes);
    failures += succeeded ? 0 : 1;
    write_bytes(file, old_bytes);
    expect_names({"threadscape"});
    EXPECT_EQ(std::distance(fs::directory_iterator(file.parent_path()), {}), 1);
  });
  EXPECT_EQ(failures, result.failures - result.survived);
  EXPECT_GE(failures, 3);
  unsetenv("XDG_CONFIG_HOME");
}

TEST_F(FaultyFiles, AReportIsWrittenWholeOrNotAtAll) {
  const AlgorithmInfo& sobel = find_algorithm("sobel");
  app::Report report{.environment = app::environment_of(gpu::devices().first())};
  const Shape shape = Shape::image(Element::u8, 1, 64, 64);
  for (int i = 0; i < 3; ++i)
    report.rows.push_back(
        app::skipped({.request = {.algorithm = &sobel, .params = sobel.defaults()}, .input = shape, .output = shape},
                     "not measured"));
  const fs::path file = path("report.json");
  std::string expected;
  const auto result = faults::sweep(
      faults::Kind::files, [&] { io::save_bytes(file, app::dump(app::report_json(report))); },
      [&](bool succeeded) {
        EXPECT_EQ(fs::exists(file), succeeded);
        if (succeeded && expected.empty()) expected = read_bytes(file);
        EXPECT_EQ(succeeded ? read_bytes(file) : expected, expected);
        fs::remove(file);
        expect_names({});
      });
  EXPECT_GE(result.failures, 3);
}

class FaultyDisk : public TestFolder {};

TEST_F(FaultyDisk, AFileThatOutgrowsTheDiskLeavesTheOldOne) {
  // The limit of a file's size is met in the middle of a write, as the end of a disk is.
  const auto before = signal(SIGXFSZ, SIG_IGN);
  rlimit limit{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &limit), 0);
  for (const FileCase& file : file_cases()) {
    SCOPED_TRACE(file.name);
    const fs::path target = path(file.name);
    const HostArray data = make_synthetic(InputPattern::noise, file.shape, 1);
    file.save(target, data.view());
    const auto bytes = static_cast<rlim_t>(fs::file_size(target));
    write_bytes(target, "old");
    for (rlim_t room = 4; room < bytes; room += std::max<rlim_t>(1, bytes / 50)) {
      const rlimit small{room, limit.rlim_max};
      ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
      std::string message;
      try {
        file.save(target, data.view());
      } catch (const EnvironmentError& error) {
        message = error.what();
      }
      ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
      EXPECT_NE(message.find(file.name), std::string::npos) << "message: " << message;
      EXPECT_EQ(read_bytes(target), "old");
      EXPECT_EQ(names(), std::vector<std::string>{file.name});
    }
    fs::remove(target);
  }
  signal(SIGXFSZ, before);
}

TEST_F(FaultyDisk, AFolderThatIsRemovedMeanwhileIsNamed) {
  const fs::path folder = path("gone");
  fs::create_directories(folder);
  io::FileWriter writer(folder / "a.raw");
  writer.write("contents");
  fs::remove_all(folder);
  try {
    writer.commit();
    FAIL() << "the file was written into a folder that does not exist";
  } catch (const EnvironmentError& error) {
    EXPECT_NE(std::string(error.what()).find("a.raw"), std::string::npos) << error.what();
  }
  EXPECT_FALSE(fs::exists(folder));
}

TEST_F(FaultyDisk, AVolumeThatIsCutWhileItIsReadIsNoticed) {
  const Shape shape{Kind::volume, Element::f32, 1, 16, 16, 16};
  const fs::path file = path("volume.mhd"), numbers = path("volume.raw");
  io::save_volume(file, make_synthetic(InputPattern::photo, shape, 1).view());
  io::VolumeReader reader(file, {});
  fs::resize_file(numbers, fs::file_size(numbers) / 2);
  std::vector<float> all(static_cast<std::size_t>(shape.items()));
  EXPECT_THROW(reader.read(0, shape.depth, all.data()), EnvironmentError);
}

/// A MetaImage is a header and a file of numbers, which are replaced together.
class FaultyPair : public FaultyDisk {
 protected:
  void SetUp() override {
    FaultyDisk::SetUp();
    file_ = path("volume.mhd");
    io::save_volume(file_, old_.view());
  }
  [[nodiscard]] std::vector<double> load() const { return floats_of(io::load_volume(file_, {}, {}).pixels); }
  /// Returns true if the volume is the new one, and fails if it is neither that nor the old one.
  [[nodiscard]] bool is_new() const {
    const std::vector<double> found = load();
    EXPECT_TRUE(found == floats_of(old_) || found == floats_of(new_));
    return found == floats_of(new_);
  }

  const HostArray old_ = make_synthetic(InputPattern::photo, {Kind::volume, Element::f32, 1, 9, 8, 7}, 1);
  const HostArray new_ = make_synthetic(InputPattern::photo, {Kind::volume, Element::f32, 1, 8, 7, 9}, 2);
  fs::path file_;
};

TEST_F(FaultyPair, AProcessThatIsKilledAtAnyCallLeavesTheOldVolumeOrTheNewOne) {
  bool killed = true, replaced = false;
  int calls = 0;
  for (; killed && !HasFailure(); ++calls) {
    fs::remove_all(file_.parent_path());
    fs::create_directories(file_.parent_path());
    io::save_volume(file_, old_.view());
    const pid_t child = fork();
    if (child == 0) {
      const faults::Meanwhile meanwhile(calls + 1, [] { _exit(1); });
      io::save_volume(file_, new_.view());
      _exit(0);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFEXITED(status));
    killed = WEXITSTATUS(status) != 0;
    EXPECT_TRUE(is_new() || !replaced) << "the volume was replaced before call " << calls;
    replaced = is_new();
    // The next one is written over what the killed process has left.
    io::save_volume(file_, new_.view());
    EXPECT_TRUE(is_new());
  }
  EXPECT_TRUE(replaced);
  EXPECT_GE(calls, 10);
}

TEST_F(FaultyPair, AFailureLeavesTheOldVolumeAndNothingElse) {
  const auto count = [&] { return std::distance(fs::directory_iterator(file_.parent_path()), {}); };
  const auto result = faults::sweep(
      faults::Kind::files, [&] { io::save_volume(file_, new_.view()); },
      [&](bool succeeded) {
        EXPECT_EQ(is_new(), succeeded);
        EXPECT_EQ(count(), 2);
        io::save_volume(file_, old_.view());
        EXPECT_EQ(count(), 2);
      });
  EXPECT_GE(result.failures, 8);
}

TEST_F(FaultyPair, FilesOfOtherVolumesStay) {
  const std::string numbers = read_bytes(fs::path(file_).replace_extension(".raw"));
  write_bytes(file_.parent_path() / "mine.raw", numbers);
  std::string header = read_bytes(file_);
  header.replace(header.find("volume.raw"), 10, "mine.raw");
  write_bytes(file_, header);
  io::save_volume(file_, new_.view());
  EXPECT_TRUE(is_new());
  EXPECT_EQ(read_bytes(file_.parent_path() / "mine.raw"), numbers);
}

TEST_F(FaultyDisk, AVolumeThatShrinksWhileItIsOpenedIsWholeOrRefused) {
  const Shape shape{Kind::volume, Element::f32, 1, 3, 4, 5};
  const HostArray volume = make_synthetic(InputPattern::photo, shape, 1);
  const std::string numbers(reinterpret_cast<const char*>(volume.data()), shape.bytes());
  std::string fortran = io::npy_header_text("<f4", {5, 4, 3}) + numbers;
  fortran.replace(fortran.find("False"), 5, "True ");
  write_bytes(path("fortran.npy"), fortran);
  write_bytes(path("swapped.npy"), io::npy_header_text(">f4", {5, 4, 3}) + numbers);
  write_bytes(
      path("lines.nrrd"),
      "NRRD0004\ntype: float\ndimension: 3\nsizes: 3 4 5\nendian: little\nline skip: 1\nencoding: raw\n\n...\n" +
          numbers);
  write_bytes(path("plain.nrrd"),
              "NRRD0004\ntype: float\ndimension: 3\nsizes: 3 4 5\nendian: little\nencoding: raw\n\n" + numbers);
  std::string text =
      "NDims = 3\nDimSize = 3 4 5\nElementType = MET_FLOAT\nBinaryData = False\nElementDataFile = LOCAL\n";
  for (std::int64_t i = 0; i < shape.items(); ++i)
    text += "1.25\n";
  write_bytes(path("text.mha"), text);
  for (const char* name : {"volume.npy", "volume.nrrd", "volume.nii", "volume.nii.gz", "volume.dat", "volume.raw"})
    io::save_volume(path(name), volume.view());
  for (const std::string& name : names()) {
    SCOPED_TRACE(name);
    const fs::path file = path(name);
    const std::string bytes = read_bytes(file);
    const auto load = [&] { return floats_of(io::load_volume(file, shape, {}).pixels); };
    const std::vector<double> whole = load();
    for (const std::size_t length : {std::size_t{0}, std::size_t{9}, std::size_t{100}, bytes.size() - 1}) {
      bool happened = true;
      for (int nth = 1; happened && !HasFailure(); ++nth) {
        write_bytes(file, bytes);
        const faults::Meanwhile meanwhile(nth, [&] { fs::resize_file(file, length); });
        try {
          EXPECT_EQ(load(), whole);
        } catch (const EnvironmentError& error) {
          EXPECT_NE(std::string(error.what()).find(name), std::string::npos) << error.what();
        }
        happened = faults::Meanwhile::happened();
        EXPECT_GE(nth, happened ? 1 : 3);
      }
    }
  }
}

TEST_F(FaultyDisk, AVolumeThatIsReplacedWhileItIsReadStaysTheOldOne) {
  const Shape shape{Kind::volume, Element::f32, 1, 16, 16, 16};
  const fs::path file = path("volume.mhd");
  const HostArray first = make_synthetic(InputPattern::photo, shape, 1);
  io::save_volume(file, first.view());
  io::VolumeReader reader(file, {});
  io::save_volume(file, make_synthetic(InputPattern::photo, shape, 2).view());
  std::vector<float> all(static_cast<std::size_t>(shape.items()));
  reader.read(0, shape.depth, all.data());
  EXPECT_EQ(std::memcmp(all.data(), first.data(), all.size() * sizeof(float)), 0);
}

}  // namespace
}  // namespace threadscape
